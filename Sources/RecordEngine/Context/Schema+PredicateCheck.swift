import OrderedCollections
import RecordModel

/// The validation of predicates against the model.
extension Schema {
  /// Checks that a predicate is valid, and uses only properties that records of the entity can have.
  ///
  /// - Throws: `fetch-error` for an invalid predicate, `invalid-entity` for an unknown property.
  func check(_ predicate: RecordPredicate, over entity: SchemaEntity) throws(RequestFailure) {
    if let error = predicate.syntaxError {
      let advice = error.advice.map { "; \($0)" } ?? ""
      throw RequestFailure(
        Diagnostic(
          .fetchError, entity: entity.name,
          message: "invalid predicate: \(error.message)\(advice)\n"
            + marked(error.range, in: predicate.text)))
    }
    for keyPath in predicate.keyPaths { try check(keyPath, of: predicate, entity) }
  }

  /// Follows the keys through relationships. A property that only sub-entities have is valid. The other records have
  /// nil for it.
  private func check(
    _ keyPath: PredicateKeyPath, of predicate: RecordPredicate, _ entity: SchemaEntity
  ) throws(RequestFailure) {
    var owners = [entity.index]
    // A long path visits the same relationships again and again.
    var destinations: [KeyOfOwners: [EntityIndex]] = [:]
    for key in keyPath.keys {
      // The last key of a path.
      if key == "@count" { return }
      let name = PropertyName(key)
      let step = KeyOfOwners(owners: owners, name: name)
      if let known = destinations[step] {
        owners = known
        continue
      }
      let candidates = Set(owners.flatMap { kinds(of: $0) }).sorted()
      let relationships = OrderedSet(candidates.compactMap { entities[$0].relationshipIndices[name] })
      if relationships.isEmpty {
        // A key inside an attribute, such as a transformable one, yields nil.
        if candidates.contains(where: { entities[$0].attributeIndices[name] != nil }) { return }
        throw unknownProperty(
          name, owners.map { entities[$0] }, in: "\n" + marked(keyPath.range, in: predicate.text))
      }
      owners = Array(OrderedSet(relationships.map { self.relationships[$0].destination }))
      destinations[step] = owners
    }
  }

  private struct KeyOfOwners: Hashable {
    var owners: [EntityIndex]
    var name: PropertyName
  }

  /// Returns the failure for an unknown property.
  ///
  /// - Parameter entities: the entity, or all entities that relationships of the same name lead to.
  func unknownProperty(
    _ name: PropertyName, _ entities: [SchemaEntity], in context: String = ""
  ) -> RequestFailure {
    let names = entities.flatMap { entity in
      entity.attributes.map(\.name.rawValue)
        + entity.relationships.map { relationships[$0].name.rawValue }
    }
    let advice = nearestName(to: name.rawValue, among: names).map { "; did you mean '\($0)'?" } ?? ""
    let entity = entities.first?.name
    return RequestFailure(
      Diagnostic(
        .invalidEntity, entity: entity, property: name,
        message: "'\(entity ?? "")' has no property '\(name)'\(advice)\(context)"))
  }
}

/// Returns the line of the text in which a range begins, and a second line that marks the range.
private func marked(_ range: Range<Int>, in text: String) -> String {
  let scalars = Array(text.unicodeScalars)
  let start = scalars[..<min(range.lowerBound, scalars.count)].lastIndex(of: "\n").map { $0 + 1 } ?? 0
  let end = scalars[start...].firstIndex(of: "\n") ?? scalars.count
  var line = String.UnicodeScalarView()
  line.append(contentsOf: scalars[start..<end])
  let width = max(1, min(range.upperBound, end) - range.lowerBound)
  return "  \(String(line))\n  \(String(repeating: " ", count: range.lowerBound - start))"
    + String(repeating: "^", count: width)
}
