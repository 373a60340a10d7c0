import RecordModel

extension RecordReader {
  /// Reads a predicate for records of an entity, and checks its key paths against the model.
  func predicate(_ pair: YAMLPair?, over entity: EntityName?) -> RecordPredicate? {
    guard let pair, let predicate = findings.predicate(pair) else { return nil }
    check(predicate, over: entity, in: pair.value)
    return predicate
  }

  /// Reports the key paths that no record of the entity has. Does nothing if the entity is nil or unknown.
  func check(_ predicate: RecordPredicate, over entity: EntityName?, in node: YAMLNode) {
    guard let entity, outline?.entity(entity) != nil else { return }
    for path in predicate.keyPaths { check(path, over: entity, in: node) }
  }

  /// Checks a key path by following its relationships. Keys inside the value of an attribute are not checked.
  private func check(_ path: PredicateKeyPath, over entity: EntityName, in node: YAMLNode) {
    var entity = entity
    for key in path.keys where key != "@count" {
      switch outline?.property(PropertyName(key), ofKind: entity) {
      case .relationship(let relationship): entity = relationship.destination
      case .unknown:
        reportUnknown(key, path, of: entity, at: node.span(ofScalars: path.range))
        return
      case .attribute, .unclear, nil: return
      }
    }
  }

  private func reportUnknown(
    _ key: String, _ path: PredicateKeyPath, of entity: EntityName, at span: SourceSpan
  ) {
    let names = outline?.propertyNames(of: entity) ?? []
    if path.mayBeUnquotedText, nearestName(to: key, among: names) == nil {
      findings.report(
        .unknownProperty, at: span, "'\(entity)' has no property '\(key)'",
        advice: "write a string in quotes: \"\(key)\"")
    } else {
      findings.unknownName(
        .unknownProperty, "'\(entity)' has no property '\(key)'", name: key, at: span, among: names)
    }
  }
}
