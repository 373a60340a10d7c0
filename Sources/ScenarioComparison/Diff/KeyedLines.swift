import RecordModel
import ScenarioFormat

/// The lines of an expectation that name a complete key, and the records with these keys.
struct KeyedLines {
  /// The indices of the records with the key of each line; nil for a line that does not identify a record.
  private(set) var candidates: [[Int]?]
  /// The keys that more records have than lines name: the first such line, and the records.
  private(set) var surplus: [(line: Int, records: [Int])] = []

  init(_ lines: [RecordMatch], records: [RecordSnapshot], matcher: RecordMatcher) {
    candidates = lines.map { _ in nil }
    var indices: [[PropertyName]: [[AttributeValue]: [Int]]] = [:]
    var linesOfRecords: [[Int]: [Int]] = [:]
    for (number, line) in lines.enumerated() {
      let key = matcher.model.key(of: line.entity)
      let parts = key.compactMap { name in line.properties.first { $0.name == name } }
      guard !key.isEmpty, parts.count == key.count else { continue }
      if let values = Self.values(parts) {
        let index = indices[key] ?? Self.index(of: records, by: key)
        indices[key] = index
        let found = index[values] ?? []
        candidates[number] = found
        if !found.isEmpty { linesOfRecords[found, default: []].append(number) }
      } else if key.count == 1, case .record = parts[0].value {
        let found = records.indices.filter { matcher.holds(parts[0], of: records[$0]) }
        // An owner with several records does not identify one of them.
        if found.count < 2 { candidates[number] = found }
      }
    }
    for (records, lines) in linesOfRecords where records.count > lines.count {
      surplus.append((lines[0], records))
    }
    surplus.sort { $0.line < $1.line }
  }

  /// Returns the key that a line names; nil unless all parts are attributes with a value.
  private static func values(_ parts: [PropertyExpectation]) -> [AttributeValue]? {
    var values: [AttributeValue] = []
    for part in parts {
      guard case .attribute(let value?) = part.value else { return nil }
      values.append(value)
    }
    return values
  }

  private static func index(
    of records: [RecordSnapshot], by key: [PropertyName]
  ) -> [[AttributeValue]: [Int]] {
    var index: [[AttributeValue]: [Int]] = [:]
    for (position, record) in records.enumerated() {
      var values: [AttributeValue] = []
      for name in key {
        if case .attribute(let value, _)? = record.properties[name] { values.append(value) }
      }
      if values.count == key.count { index[values, default: []].append(position) }
    }
    return index
  }
}
