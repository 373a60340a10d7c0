import JSONTree
import RecordModel
package import ScenarioFormat

// Drift
extension ExpectationCheck {
  package mutating func check(_ expected: DriftExpectation, _ drift: DriftSnapshot?) {
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
      append(
        .extra, expected.span, "drift of \(name)", isAboutDrift: true, expected: "no drift",
        extra: lines(of: entity, name),
        note: entity.unused.isEmpty || !entity.missing.isEmpty ? nil : Self.ignoring(name))
    }
  }

  private mutating func check(_ expected: EntityDriftExpectation, _ drift: EntityDriftSnapshot?) {
    let name = "drift of \(expected.entity)"
    if let items = expected.items, items.value != drift?.items ?? 0 {
      // The report omits entities without drift, so the number of their items is unknown.
      append(
        .changed, items.span, name, isAboutDrift: true, expected: "\(items.value) items",
        actual: drift.map { "\($0.items)" } ?? "no drift")
    }
    if let unused = expected.unused {
      check(
        unused, (drift?.unused ?? [:]).map { ($0.description, $1.count) }, "\(name): unused",
        note: Self.ignoring(expected.entity))
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
    let others = found.filter { !named.contains($0.key) }
    if !others.isEmpty {
      append(
        .extra, expected.span, "\(name): types", expected: "no other property",
        extra: lines(of: EntityDriftSnapshot(items: 0, types: others), expected.entity))
    }
  }

  private func lines(of drift: EntityDriftSnapshot, _ entity: EntityName) -> [String] {
    DriftLines(entity: entity, model: model, positions: driftPositions).lines(of: drift)
  }

  private static func ignoring(_ entity: EntityName) -> String {
    "keys that the app does not use can be listed in 'ignores' of '\(entity)' in the model"
  }

  /// Reports missing names, unexpected names, and counts that differ from those that the author states.
  ///
  /// - Parameter note: the note on unexpected names.
  private mutating func check(
    _ expected: DriftCountsExpectation, _ found: [(String, Int?)], _ name: String, note: String? = nil
  ) {
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
    let others = found.keys.sorted().filter { !named.contains($0) }
    if !others.isEmpty {
      append(
        .extra, expected.span, name, expected: "no other entry",
        extra: others.map { other in
          other.string + ((found[other] ?? nil).map { ": \($0)" } ?? "")
        }, note: note)
    }
  }
}
