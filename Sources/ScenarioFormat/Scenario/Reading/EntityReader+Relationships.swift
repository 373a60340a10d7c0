import RecordModel

extension EntityReader {
  /// The names of keys in other tools.
  private static let otherNames: [String: [String]] = {
    let toOne = ["toone", "one", "hasone", "belongsto"]
    let toMany = ["many", "hasmany", "manytomany", "onetomany", "tolist", "list"]
    let either = ["relation", "relationship", "type", "entity", "destination", "target", "class", "model"]
    return Dictionary(
      uniqueKeysWithValues: toOne.map { ($0, ["to"]) } + toMany.map { ($0, ["toMany"]) }
        + either.map { ($0, ["to", "toMany"]) }
        + ["key", "keypath", "path", "foreignkey", "column", "at", "json", "field", "url"].map {
          ($0, ["from"])
        } + [("ondelete", ["deleteRule"])])
  }()

  /// Reads a relationship.
  ///
  /// - Parameter index: the index of the relationship in the model file; nil if the file does not declare it.
  func readRelationship(
    _ pair: YAMLPair, at index: Int?, into entity: inout EntityDescription, outline: ModelOutline
  ) {
    if mode == .overlay, index == nil {
      let names = entity.relationships.map(\.name.rawValue)
      reportUndeclared(pair, "relationship", of: entity, among: names, outline)
      return
    }
    if let type = misplacedType(pair) {
      findings.report(
        .wrongKind, at: type.span, "'\(type.value)' is the type of an attribute, not a relationship",
        advice: "move '\(pair.key)' to 'attributes'")
      return
    }
    if let name = pair.value.scalar?.text, !pair.value.isNull {
      findings.wrongKind(
        pair.value, expected: "a mapping", for: "'\(pair.key)'",
        advice: "write {to: \(name)}, or {toMany: \(name)}")
      return
    }
    if reportsBoolean(pair) { return }
    guard let reader = MappingReader(pair, as: .relationship, otherNames: Self.otherNames, findings: findings)
    else { return }
    if let index {
      refuse(FormatMapping.destinationKeys, in: reader)
      readDetails(reader, into: &entity.relationships[index])
    } else {
      // Without a destination, the other errors of the relationship are still reported.
      let destination = reader.atMostOne(of: FormatMapping.destinationKeys)
      if destination == nil {
        reader.reportMissing(FormatMapping.destinationKeys, advice: "name the destination entity")
      }
      var relationship = RelationshipDescription(
        PropertyName(pair.key), to: EntityName(destination.flatMap(self.destination) ?? ""),
        isToMany: destination?.key == "toMany")
      readDetails(reader, into: &relationship)
      entity.relationships.append(relationship)
    }
  }

  /// Reads the destination of a relationship. Reports a list of one entity, by which other formats mean a to-many.
  private func destination(_ pair: YAMLPair) -> String? {
    guard pair.key == "to", let elements = pair.value.elements, elements.count == 1,
      let name = elements[0].scalar?.text
    else { return findings.string(pair) }
    findings.wrongKind(
      pair.value, expected: "a string", for: "'to'", advice: "write 'toMany: \(name)' for several records")
    return nil
  }

  /// Reports a Boolean as `toMany`, beside the destination. Returns a Boolean value that indicates whether there is one.
  private func reportsBoolean(_ pair: YAMLPair) -> Bool {
    guard let node = pair.value["toMany"], case .boolean(let isToMany)? = node.scalar?.value,
      pair.value["to"] == nil
    else { return false }
    let destination = pair.value.pairs?.first {
      KeyAdvice.meant(by: $0.key, in: Self.otherNames) == FormatMapping.destinationKeys
    }
    findings.wrongKind(
      node, expected: "a string", for: "'toMany'",
      advice: destination?.value.scalar.map { "write '\(isToMany ? "toMany" : "to"): \($0.text)'" }
        ?? "name the destination entity")
    return true
  }

  /// Returns the type of an attribute that is written as a relationship: `text: string` or `text: {type: string}`.
  private func misplacedType(_ pair: YAMLPair) -> Located<String>? {
    let hasDestination = pair.value["to"] != nil || pair.value["toMany"] != nil
    guard let node = pair.value.scalar == nil ? pair.value["type"] : pair.value, !hasDestination,
      let text = node.scalar?.text, Self.isType(text)
    else { return nil }
    return Located(value: text, span: node.span)
  }

  private func readDetails(_ reader: MappingReader, into relationship: inout RelationshipDescription) {
    if let inverse = findings.string(reader["inverse"]) { relationship.inverse = PropertyName(inverse) }
    if let isOrdered = findings.boolean(reader["ordered"]) { relationship.isOrdered = isOrdered }
    if let isOptional = findings.boolean(reader["optional"]) { relationship.isOptional = isOptional }
    let counts = 0...Int(Int32.max)
    if let count = findings.integer(reader["minCount"], in: counts) { relationship.minCount = count }
    if let count = findings.integer(reader["maxCount"], in: counts) { relationship.maxCount = count }
    if let rule = findings.choice(reader["deleteRule"], DeleteRule.self) { relationship.deleteRule = rule }
    if let from = findings.paths(reader["from"]) { relationship.from = from }
    if let usesOwnName = findings.boolean(reader["usesOwnName"]) { relationship.usesOwnName = usesOwnName }
    if let null = findings.choice(reader["null"], NullPolicy.self) { relationship.null = null }
    if let values = findings.jsonList(reader["nullValues"]) { relationship.nullValues = values }
    if let assignment = findings.choice(reader["assignment"], RelationshipAssignment.self) {
      relationship.assignment = assignment
    }
    if let stubs = findings.choice(reader["stubs"], StubPolicy.self) { relationship.stubs = stubs }
    if let name = findings.string(reader["keyedBy"]) { relationship.keyedBy = PropertyName(name) }
    if let name = findings.string(reader["renamingIdentifier"]) { relationship.renamingIdentifier = name }
  }
}
