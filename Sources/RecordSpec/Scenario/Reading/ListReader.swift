import RecordModel

/// The reader of an expected list of records: a list, or `{anyOrder, contains, count}`.
struct ListReader {
  let findings: Findings
  let records: RecordReader
  let graph: GraphExpectationReader

  /// Reads an expected list.
  ///
  /// - Parameter entity: the entity of records that are described by their properties; nil if only labels are allowed.
  func list(_ pair: YAMLPair?, of entity: EntityName?) -> ListExpectation? {
    guard let pair else { return nil }
    let span = pair.keySpan
    if pair.value.pairs == nil {
      guard let elements = findings.list(pair) else { return nil }
      return ListExpectation(exactly: members(elements, entity), span: span)
    }
    let keys = ["anyOrder", "contains", "count"]
    guard
      let reader = MappingReader(
        pair.value, named: pair, of: "a list of records", keys: keys, findings: findings)
    else { return nil }
    if pair.value.pairs?.isEmpty ?? true { reader.reportMissing(keys) }
    return ListExpectation(
      anyOrder: findings.list(reader["anyOrder"]).map { members($0, entity) },
      contains: findings.list(reader["contains"]).map { members($0, entity) },
      count: findings.integer(reader["count"], in: 0...Int.max), span: span)
  }

  /// Checks a list of records whose entity is unknown. Reports only errors that are certain for every entity.
  func check(_ pair: YAMLPair?) {
    guard let pair else { return }
    let lists = pair.value.pairs?.filter { $0.key != "count" }.map(\.value) ?? [pair.value]
    for element in lists.flatMap({ $0.elements ?? [] }) where element.scalar != nil {
      _ = records.labels.label(element)
    }
  }

  private func members(_ elements: [YAMLNode], _ entity: EntityName?) -> [MemberExpectation] {
    elements.compactMap { element in
      if let entity { return graph.member(element, of: entity) }
      guard element.scalar != nil else {
        findings.wrongKind(element, expected: "the label of a record", for: "an element of the list")
        return nil
      }
      return records.labels.label(element).map { .label($0) }
    }
  }
}
