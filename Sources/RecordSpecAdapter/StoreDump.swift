public import Foundation

/// All rows of an app's store, by table.
public struct StoreDump: Sendable {
  /// The rows of each table, as JSON objects.
  public private(set) var tables: [String: [Data]] = [:]
  /// The SQLite file whose tables are dumped; nil if there is none.
  public let sqlite: URL?

  /// Creates a dump without tables.
  public init() { sqlite = nil }

  /// Creates a dump of all tables of an SQLite file, with the keys and references of its schema.
  ///
  /// The file is opened while the app may have it open, which is safe only if both use the same SQLite library. An app that uses
  /// another one, such as SQLCipher, adds its rows instead.
  public init(sqlite: URL) { self.sqlite = sqlite }

  /// Adds rows to a table, which is then part of the dump even if there are none.
  ///
  /// A row is encoded as a JSON object, whose keys are the columns, also those that are nil. Dates are encoded as
  /// `2000-01-01T00:00:00Z`, with milliseconds if there are any, and data in Base64.
  ///
  /// - Throws: an error if a row cannot be encoded.
  public mutating func add(_ table: String, _ rows: some Sequence<some Encodable>) throws {
    let encoder = JSONEncoder()
    encoder.dateEncodingStrategy = .custom { date, encoder in
      let hasFraction = date.timeIntervalSince1970.rounded(.down) != date.timeIntervalSince1970
      var container = encoder.singleValueContainer()
      try container.encode(date.formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: hasFraction)))
    }
    tables[table, default: []] += try rows.map { try encoder.encode(StoreRow(columns: $0)) }
  }

  /// Adds rows whose columns have values of several types, such as those of managed objects.
  ///
  /// ```swift
  /// try dump.add("post", posts.map { ["id": $0.id, "title": $0.title, "author": $0.author?.id] })
  /// ```
  ///
  /// - Throws: an error if a value cannot be encoded.
  public mutating func add(_ table: String, _ rows: [[String: (any Encodable)?]]) throws {
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
