internal import JSONTree
internal import RecordModel

// Drift
extension ExpectationCheck {
  mutating func check(_ expected: DriftExpectation, _ drift: DriftSnapshot?) {
    guard let drift else {
      append(
        .missing, expected.span, "drift", expected: "a drift report", actual: ValueText.nothing,
        note: "write 'drift: true' in 'options' to get one")
      return
    }
    for entity in expected.entities {
      check(entity, drift.entities[entity.entity])
    }
    guard expected.isExhaustive else { return }
    for (name, entity) in drift.entities.sorted(by: { $0.key < $1.key }) {
      for text in ValueText.ofDrift(entity, of: name) {
        append(.extra, expected.span, "drift", expected: "no drift", actual: text)
      }
    }
  }

  private mutating func check(_ expected: EntityDriftExpectation, _ drift: EntityDriftSnapshot?) {
    let name = "drift of \(expected.entity)"
    if let items = expected.items, items.value != drift?.items ?? 0 {
      // The report omits entities without drift, so the number of their items is unknown.
      append(
        .changed, items.span, name, expected: "\(items.value) items",
        actual: drift.map { "\($0.items)" } ?? "no drift")
    }
    if let unused = expected.unused {
      check(unused, (drift?.unused ?? [:]).map { ($0.description, $1.count) }, "\(name): unused")
    }
    if let missing = expected.missing {
      check(missing, (drift?.missing ?? []).map { ($0.rawValue, nil) }, "\(name): missing")
    }
    guard let types = expected.types else { return }
    let found = drift?.types ?? [:]
    for type in types {
      guard let kinds = found[type.name] else {
        append(
          .missing, type.span, "\(name): types", expected: type.name, actual: ValueText.nothing,
          note: "all its values have an expected type, or it has no values")
        continue
      }
      check(type.kinds, kinds.map { ($0, $1.count) }, "\(name): types of \(type.name)")
    }
    let named = Set(types.map(\.name))
    for type in found.keys.sorted() where !named.contains(type) {
      append(
        .extra, expected.span, "\(name): types", expected: "no other property",
        actual: ValueText.ofDrift(type, found[type] ?? [:]))
    }
  }

  /// Reports missing names, unexpected names, and counts that differ from those that the author states.
  private mutating func check(_ expected: DriftCountsExpectation, _ found: [(String, Int?)], _ name: String) {
    let found = Dictionary(found.map { (ScalarString($0), $1) }, uniquingKeysWith: { first, _ in first })
    let all = ValueText.clipped("[" + found.keys.sorted().map(\.string).joined(separator: ", ") + "]")
    for line in expected.lines {
      guard let count = found[ScalarString(line.name)] else {
        append(.missing, line.span, name, expected: line.name, actual: all)
        continue
      }
      guard let wanted = line.count, let count, wanted != count else { continue }
      append(
        .changed, line.span, name, expected: "\(line.name): \(wanted)", actual: "\(line.name): \(count)")
    }
    let named = Set(expected.lines.map { ScalarString($0.name) })
    for other in found.keys.sorted() where !named.contains(other) {
      append(.extra, expected.span, name, expected: "no other entry", actual: other.string)
    }
  }
}

extension ValueText {
  /// Returns a line for each difference in the drift of an entity.
  static func ofDrift(_ drift: EntityDriftSnapshot, of entity: EntityName) -> [String] {
    var lines = drift.unused.map { ($0.description, $1) }.sorted { scalarsPrecede($0.0, $1.0) }
      .map { "unused \($0): \(of($1))" }
    lines += drift.missing.map {
      "missing \($0) in \(drift.items == 1 ? "the only item" : "all \(drift.items) items")"
    }
    lines += drift.types.sorted { $0.key < $1.key }.map { "types of \(ofDrift($0, $1))" }
    return lines.map { "\(entity): \($0)" }
  }

  /// Returns a line such as `likes: number 1 at /0/likes of posts, string 2 at /1/likes of posts`.
  static func ofDrift(_ type: String, _ kinds: [String: DriftCount]) -> String {
    let texts = kinds.sorted { $0.key < $1.key }.map { "\($0) \(of($1))" }
    return "\(type): \(texts.joined(separator: ", "))"
  }

  private static func of(_ occurrences: DriftCount) -> String {
    let pointer = occurrences.pointer.isEmpty ? "the root" : occurrences.pointer
    return "\(occurrences.count) at \(pointer) of \(occurrences.response)"
  }
}
