import OrderedCollections
import RecordModel

/// Whether a predicate is about what records have.
extension Schema {
  /// Fails if the predicate is none, or asks for properties that no record of the entity has.
  func check(_ predicate: RecordPredicate, over entity: SchemaEntity) throws(RequestFailure) {
    if let error = predicate.syntaxError {
      let advice = error.advice.map { "; \($0)" } ?? ""
      throw RequestFailure(
        Diagnostic(
          .fetchError, entity: entity.name,
          message: "the predicate is none: \(error.message)\(advice)\n"
            + marked(error.range, in: predicate.text)))
    }
    for keyPath in predicate.keyPaths { try check(keyPath, of: predicate, entity) }
  }

  /// Follows the keys through relationships. What only sub-entities have may be asked for; the others have nil there.
  private func check(
    _ keyPath: PredicateKeyPath, of predicate: RecordPredicate, _ entity: SchemaEntity
  ) throws(RequestFailure) {
    var owners = [entity.index]
    // A long path passes the same relationships again and again.
    var destinations: [KeyOfOwners: [EntityIndex]] = [:]
    for (position, key) in keyPath.keys.enumerated() {
      if key == "@count", position == keyPath.keys.count - 1 { return }
      let name = PropertyName(key)
      let question = KeyOfOwners(owners: owners, name: name)
      if let known = destinations[question] {
        owners = known
        continue
      }
      let candidates = Set(owners.flatMap { kinds(of: $0) }).sorted()
      let relationships = OrderedSet(candidates.compactMap { entities[$0].relationshipIndices[name] })
      if relationships.isEmpty {
        // What lies within an attribute, as within a transformable one, is nil.
        if candidates.contains(where: { entities[$0].attributeIndices[name] != nil }) { return }
        throw unknownProperty(
          name, owners.map { entities[$0] }, in: "\n" + marked(keyPath.range, in: predicate.text))
      }
      owners = Array(OrderedSet(relationships.map { self.relationships[$0].destination }))
      destinations[question] = owners
    }
  }

  private struct KeyOfOwners: Hashable {
    var owners: [EntityIndex]
    var name: PropertyName
  }

  /// - Parameter entities: one, or those that a relationship of one name leads to.
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

/// The line of the text that a range begins in, and below it the range, marked.
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
