import RecordSpecTesting

extension StoreDump {
  /// Adds rows whose columns have values of several types.
  mutating func add(_ table: String, _ rows: [[String: (any Encodable)?]]) throws {
    try add(table, rows.map { $0.mapValues(ColumnValue.init) })
  }
}

/// A value of any type.
private struct ColumnValue: Encodable {
  let value: (any Encodable)?

  func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    if let value { try container.encode(value) } else { try container.encodeNil() }
  }
}
