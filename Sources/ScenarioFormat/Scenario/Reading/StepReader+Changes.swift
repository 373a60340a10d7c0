import RecordModel

/// Steps that change records: `change`.
extension StepReader {
  func change(_ pair: YAMLPair, _ reader: MappingReader) -> Step? {
    guard
      let changes = MappingReader(
        pair, as: .changes,
        hints: Dictionary(
          (pair.value.pairs ?? []).filter { $0.key.contains("/") }.map {
            ($0.key, "write '\($0.key)' under 'update'")
          }, uniquingKeysWith: { first, _ in first }), findings: findings)
    else { return step(nil, reader, at: pair.keySpan) }
    changes.requireAnyKey()
    let updates = updates(changes["update"])
    let inserts = records.seeds(changes["insert"])
    let deletes = (changes["delete"].flatMap { findings.list($0) } ?? []).compactMap {
      records.labels.label($0)
    }
    let change = ChangeStep(updates: updates, inserts: inserts, deletes: deletes)
    return step(.change(change), reader, at: pair.keySpan)
  }

  private func updates(_ pair: YAMLPair?) -> [ChangeStep.Update] {
    if let pair, reportsRecord(pair) { return [] }
    return (findings.mapping(pair) ?? []).compactMap { pair in
      guard let label = records.labels.label(pair), findings.mapping(pair) != nil else { return nil }
      let entity = label.value.entity
      return ChangeStep.Update(record: label, properties: records.assignments(pair.value, of: entity))
    }
  }

  /// Reports the properties of a record in place of its label. Returns a Boolean value that indicates whether the value
  /// is such a mapping.
  private func reportsRecord(_ pair: YAMLPair) -> Bool {
    guard let pairs = pair.value.pairs?.prefix(10), let first = pairs.first, let outline = records.outline,
      pairs.allSatisfy({ $0.value.pairs == nil })
    else { return false }
    let entities = outline.entityNames.prefix(100).filter { entity in
      pairs.allSatisfy { outline.property(PropertyName($0.key), of: entity).isKnown }
    }
    guard entities.count == 1, let entity = entities.first else { return false }
    let names = outline.primaryKey(of: entity) ?? []
    let key = pairs.first { names == [PropertyName($0.key)] }
    let changed = pairs.first { $0.key != key?.key }
    guard let label = records.labels.example(key: key?.value.scalar?.text ?? "1", of: entity) else {
      return false
    }
    let value = changed.map { "\($0.key): \($0.value.scalar?.text ?? "…")" } ?? "…"
    findings.report(
      .labelSyntax, at: first.keySpan, "'\(first.key)' is not the label of a record",
      advice: "write {\(label): {\(value)}}")
    return true
  }
}
