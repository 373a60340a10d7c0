import RecordModel
package import ScenarioFormat

/// The records that a label may mean, although they have other labels.
extension Schema {
  /// Returns the labels of records that have the key of a label, and an entity of the same hierarchy: `Car/9` for
  /// `Vehicle/9`. Of several records with one entity and key, the first is returned.
  ///
  /// - Parameter exists: a function that indicates whether a record has a label.
  /// - Complexity: two calls of `exists` for each level of the label (`@`), each entity of its hierarchy, and each
  ///   existing owner.
  package func namesakes(of label: RecordLabel, where exists: (RecordLabel) -> Bool) -> [RecordLabel] {
    guard !label.keyPart.isEmpty else { return [] }
    // Without a key at the end, the number is that of an owner without a key.
    let hasKey = label.rawValue.unicodeScalars.contains("/")
    return labels(like: label, sharesNumbers: hasKey, where: exists) { kinds(of: entities[$0].keyScope) }
      .filter { $0 != label }
  }

  /// Returns the labels of records whose absence a label states: its own record, records of sub-entities, and several
  /// records with the key. A number refers to its own entity only, because records are numbered by entity.
  ///
  /// - Parameter exists: a function that indicates whether a record has a label.
  /// - Complexity: the same as that of ``namesakes(of:where:)``.
  package func covered(by label: RecordLabel, where exists: (RecordLabel) -> Bool) -> [RecordLabel] {
    labels(like: label, sharesNumbers: false, where: exists) { kinds(of: $0) }
  }

  /// Returns the existing labels with the same key and one of several entities, also in the labels of owners. A label
  /// without a number also stands for the one with the first number, which it has if several records share the key; a
  /// label with the first number also stands for the one without, if there is only one record.
  ///
  /// The labels are built from the innermost owner outwards. Owners that do not exist are dropped at each level;
  /// otherwise every level would multiply the labels.
  ///
  /// - Parameters:
  ///   - sharesNumbers: a Boolean value that indicates whether a number may also belong to a record of another entity
  ///     than the named one.
  ///   - kinds: a function that returns the entities for an entity in the label.
  private func labels(
    like label: RecordLabel, sharesNumbers: Bool, where exists: (RecordLabel) -> Bool,
    _ kinds: (EntityIndex) -> ArraySlice<EntityIndex>
  ) -> [RecordLabel] {
    // The numbers of all levels are at the end, that of the innermost owner first.
    let parts = label.rawValue.unicodeScalars.split(separator: "~", omittingEmptySubsequences: false)
    let levels = parts[0].split(separator: "@", omittingEmptySubsequences: false).map {
      RecordLabel(String($0))
    }
    var found: [(label: RecordLabel, numbers: ArraySlice<String>)] = []
    // The texts that follow the entity of a level: the key, or the owners.
    var rests = [(text: levels[levels.count - 1].keyPart, numbers: parts.dropFirst().map { String($0) }[...])]
    for level in levels.reversed() {
      guard let entity = indices[level.entity] else { return [] }
      found = []
      for (text, numbers) in rests {
        for kind in kinds(entity) {
          let base = RecordLabel(entities[kind].name.rawValue + text)
          if exists(base) { found.append((base, numbers)) }
          guard numbers.isEmpty || sharesNumbers || kind == entity else { continue }
          let numbered = RecordLabel(base.rawValue + "~" + (numbers.first ?? "1"))
          if exists(numbered) { found.append((numbered, numbers.dropFirst())) }
        }
      }
      rests = found.map { ("@" + $0.label.rawValue, $0.numbers) }
    }
    return found.filter { label, numbers in
      numbers.isEmpty
        || numbers.count <= levels.count && numbers.allSatisfy { $0 == "1" }
          && (sharesNumbers || label.entity == levels[0].entity)
    }.map(\.label)
  }
}
