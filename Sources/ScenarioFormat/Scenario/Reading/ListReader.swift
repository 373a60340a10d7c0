import RecordModel

/// The reader of an expected list of records: a list, or `{anyOrder, contains, count}`.
struct ListReader {
  let findings: Findings
  let records: RecordReader
  let graph: GraphExpectationReader

  /// Reads an expected list.
  ///
  /// - Parameter entity: the entity of records that are described by their properties; nil if only labels are allowed.
  func list(_ pair: YAMLPair?, of entity: EntityName?) -> ListExpectation<MemberExpectation>? {
    findings.expectedList(
      pair, as: entity == nil ? .labelList : .recordList, hints: entity == nil ? hints(for: pair) : [:]
    ) {
      member($0, entity)
    }
  }

  /// Returns the advice for entities in place of labels, as in `{Post: 2}`.
  private func hints(for pair: YAMLPair?) -> [String: String] {
    let entities = pair?.value.pairs?.filter { records.outline?.entity(EntityName($0.key)) != nil } ?? []
    return Dictionary(
      entities.map { entity in
        let label = records.labels.example(key: "1", of: EntityName(entity.key))
        let list = label.map { "a list of labels, such as [\($0)]" } ?? "a list of labels"
        return (entity.key, "write \(list), or {count: …} with the number of records of all entities")
      }, uniquingKeysWith: { first, _ in first })
  }

  /// Checks a list of records whose entity is unknown. Reports only errors that are certain for every entity.
  func check(_ pair: YAMLPair?) {
    guard let pair else { return }
    let lists = pair.value.pairs?.filter { $0.key != "count" }.map(\.value) ?? [pair.value]
    for element in lists.flatMap({ $0.elements ?? [] }) where element.scalar != nil {
      _ = records.labels.label(element)
    }
  }

  private func member(_ element: YAMLNode, _ entity: EntityName?) -> MemberExpectation? {
    if let entity {
      if element.isNull || element.scalar == nil { return graph.member(element, of: entity) }
      return records.labels.label(element, inResultOf: entity).map { .label($0) }
    }
    guard element.scalar != nil else {
      findings.wrongKind(
        element, expected: "the label of a record", for: "an element of the list",
        advice:
          "write '\(records.labels.example(key: "1") ?? "Post/1")'; 'graph' checks the values of records")
      return nil
    }
    return records.labels.label(element).map { .label($0) }
  }
}

extension Findings {
  /// Reads an expected list: a list of all elements in order, or `{anyOrder, contains, count}`.
  ///
  /// - Parameters:
  ///   - mapping: the mapping of the format, which the list may be instead.
  ///   - allowsNone: a Boolean value that indicates whether `none`, which the caller reads, is allowed instead.
  ///   - hints: the advice for unknown keys that an author may expect.
  ///   - read: a function that reads an element. It reports an invalid element and returns nil.
  func expectedList<Element>(
    _ pair: YAMLPair?, as mapping: FormatMapping, orNone allowsNone: Bool = false,
    hints: [String: String] = [:], _ read: (YAMLNode) -> Element?
  ) -> ListExpectation<Element>? {
    guard let pair else { return nil }
    if pair.value.pairs == nil {
      return list(pair, orNone: allowsNone, orCount: true).map {
        ListExpectation(exactly: $0.compactMap(read), span: pair.keySpan)
      }
    }
    guard let reader = MappingReader(pair, as: mapping, hints: hints, findings: self) else { return nil }
    reader.requireAnyKey()
    return ListExpectation(
      anyOrder: list(reader["anyOrder"])?.compactMap(read),
      contains: list(reader["contains"])?.compactMap(read), count: count(reader["count"]), span: pair.keySpan)
  }
}
