import RecordModel

extension RecordReader {
  /// A predicate over records of an entity, its key paths checked against the model.
  func predicate(_ pair: YAMLPair?, over entity: EntityName?) -> RecordPredicate? {
    guard let pair, let predicate = findings.predicate(pair) else { return nil }
    check(predicate, over: entity, in: pair.value)
    return predicate
  }

  /// Reports the key paths that no record of the entity has. Nil: it is not known which entity it is.
  func check(_ predicate: RecordPredicate, over entity: EntityName?, in node: YAMLNode) {
    guard let entity, outline?.entity(entity) != nil else { return }
    for path in predicate.keyPaths { check(path, over: entity, in: node) }
  }

  /// Follows the keys through relationships; what lies within an attribute is not known.
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
        advice: "a text stands in quotes: \"\(key)\"")
    } else {
      findings.unknownName(
        .unknownProperty, "'\(entity)' has no property '\(key)'", name: key, at: span, among: names)
    }
  }
}
