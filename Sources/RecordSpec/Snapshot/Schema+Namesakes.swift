internal import RecordModel

/// The records that a label may mean, although they have other labels.
extension Schema {
  /// Returns the labels of records that have the key of a label, and an entity of the same hierarchy: `Car/9` for
  /// `Vehicle/9`. Of several records with one entity and key, the first is returned.
  ///
  /// - Parameter exists: a function that indicates whether a record has a label.
  /// - Complexity: linear in the number of entities that share the key.
  func namesakes(of label: RecordLabel, where exists: (RecordLabel) -> Bool) -> [RecordLabel] {
    guard !label.keyPart.isEmpty else { return [] }
    return labels(like: label) { self.entity($0).map { kinds(of: $0.keyScope) } ?? [] }
      .filter { $0 != label && exists($0) }
  }

  /// Returns the labels of records whose absence a label states: its own record, records of sub-entities, and several
  /// records with the key.
  ///
  /// - Parameter exists: a function that indicates whether a record has a label.
  func covered(by label: RecordLabel, where exists: (RecordLabel) -> Bool) -> [RecordLabel] {
    labels(like: label) { indices[$0].map { kinds(of: $0) } ?? [] }.filter(exists)
  }

  /// Returns the labels with the same key and one of several entities, also in the labels of owners. A label without a
  /// number is followed by the one with the first number, which it has if several records share the key.
  ///
  /// - Parameter kinds: a function that returns the entities for an entity in the label.
  private func labels(
    like label: RecordLabel, _ kinds: (EntityName) -> ArraySlice<EntityIndex>
  ) -> [RecordLabel] {
    var names = kinds(label.entity).map { entities[$0].name }
    if names.isEmpty { names = [label.entity] }
    if let owner = label.owner {
      let owners = labels(like: owner, kinds)
      return names.flatMap { name in owners.map { .owned(name, by: $0) } }
    }
    let rest = String(label.rawValue.unicodeScalars.drop { $0 != "/" && $0 != "~" })
    let found = names.map { RecordLabel(rawValue: $0.rawValue + rest) }
    return label.isNumbered ? found : found.flatMap { [$0, $0.numbered(1)] }
  }
}
