package import JSONTree

extension ModelTweaks {
  /// Reads tweaks of a model:
  ///
  /// ```json
  /// {"Post": {"primaryKey": "guid", "responseKeyPath": "items", "properties": {"text": {"instead": "body.text"}}}}
  /// ```
  ///
  /// - Throws: all problems, in the order of the document.
  package init(_ document: JSONDocument, of model: ManagedObjectModel) throws(TweakProblems) {
    var reader = TweakReader(schema: model.schema)
    reader.read(document)
    guard reader.problems.isEmpty else { throw TweakProblems(problems: reader.problems) }
    self = reader.tweaks
  }
}

private struct TweakReader {
  let schema: Schema
  var tweaks = ModelTweaks()
  var problems: [TweakProblem] = []

  mutating func read(_ document: JSONDocument) {
    for duplicate in document.duplicateKeys {
      report(
        duplicate.object.tokens + [duplicate.key], isAboutKey: true, "duplicate key '\(duplicate.key)'",
        advice: "remove one of them")
    }
    guard let members = members(document.root, [], of: "tweaks", "{\"Post\": {\"primaryKey\": \"guid\"}}")
    else { return }
    for (name, value) in members {
      guard let entity = schema.entity(EntityName(name)) else {
        reportUnknown(
          "unknown entity '\(name)'", name, [name], among: schema.entities.map(\.name.rawValue))
        continue
      }
      if let tweak = tweak(of: entity, value, [name]) { tweaks.entities.append(tweak) }
    }
  }

  private mutating func tweak(of entity: SchemaEntity, _ node: JSONNode, _ path: [String]) -> EntityTweak? {
    let keys = ["primaryKey", "responseKeyPath", "properties"]
    guard let members = members(node, path, of: "an entity", "{\"primaryKey\": \"guid\"}") else { return nil }
    var tweak = EntityTweak(name: entity.name)
    for (key, value) in members {
      let path = path + [key]
      switch key {
      case "primaryKey":
        if value.isNull {
          tweak.primaryKey = []
        } else if let names = texts(value, path) {
          tweak.primaryKey = names.map { PropertyName($0) }
        }
      case "responseKeyPath":
        if value.isNull {
          tweak.responseKeyPath = .absent
        } else if let path = mappingPath(value, path) {
          tweak.responseKeyPath = .path(path)
        }
      case "properties": tweak.properties = properties(of: entity, value, path)
      default: reportUnknown("unknown key '\(key)' for an entity", key, path, among: keys)
      }
    }
    return tweak
  }

  private mutating func properties(
    of entity: SchemaEntity, _ node: JSONNode, _ path: [String]
  ) -> [PropertyTweak] {
    guard let members = members(node, path, of: "'properties'", "{\"text\": {\"instead\": \"body.text\"}}")
    else {
      return []
    }
    var tweaks: [PropertyTweak] = []
    for (name, value) in members {
      let path = path + [name]
      if isDeclared(name, by: entity, path), let tweak = property(PropertyName(name), value, path) {
        tweaks.append(tweak)
      }
    }
    return tweaks
  }

  /// Returns whether the entity itself declares the property; reports a problem if it does not. An inherited property
  /// can only be tweaked at the ancestor that declares it, because all its sub-entities share it.
  private mutating func isDeclared(_ name: String, by entity: SchemaEntity, _ path: [String]) -> Bool {
    let property = PropertyName(name)
    guard entity.attributeIndices[property] != nil || entity.relationshipIndices[property] != nil else {
      let names =
        entity.attributes.map(\.name.rawValue)
        + entity.relationships.map { schema.relationships[$0].name.rawValue }
      reportUnknown("'\(entity.name)' has no property '\(name)'", name, path, among: names)
      return false
    }
    var owner = entity
    while let parent = owner.parent.map({ schema.entities[$0] }),
      parent.attributeIndices[property] != nil || parent.relationshipIndices[property] != nil
    {
      owner = parent
    }
    if owner.index != entity.index {
      report(
        path, isAboutKey: true, "'\(entity.name)' inherits '\(name)' from '\(owner.name)'",
        advice: "write it for '\(owner.name)'")
    }
    return owner.index == entity.index
  }

  private mutating func property(_ name: PropertyName, _ node: JSONNode, _ path: [String]) -> PropertyTweak? {
    let keys = ["instead", "before"]
    guard let members = members(node, path, of: "a property", "{\"instead\": \"body.text\"}") else {
      return nil
    }
    var tweak: PropertyTweak?
    for (key, value) in members {
      let path = path + [key]
      guard keys.contains(key) else {
        reportUnknown("unknown key '\(key)' for a property", key, path, among: keys)
        continue
      }
      guard tweak == nil else {
        report(
          path, isAboutKey: true, "'instead' cannot be combined with 'before'", advice: "remove one of them")
        continue
      }
      tweak = PropertyTweak(name: name, paths: mappingPaths(value, path), isInstead: key == "instead")
    }
    if tweak == nil, members.isEmpty {
      report(path, isAboutKey: false, "missing key 'instead' or 'before'")
    }
    return tweak
  }

  // MARK: Values

  /// Returns the members of an object. Keys that occur more than once have been reported.
  private mutating func members(
    _ node: JSONNode, _ path: [String], of what: String, _ example: String
  ) -> [(key: String, value: JSONNode)]? {
    guard node.kind == .object else {
      wrongKind(node, path, expected: "an object", for: what, advice: "write \(example)")
      return nil
    }
    return Array(node.members)
  }

  private mutating func mappingPaths(_ node: JSONNode, _ path: [String]) -> [MappingPath] {
    guard node.kind == .array else { return mappingPath(node, path).map { [$0] } ?? [] }
    return node.elements.enumerated().compactMap { mappingPath($1, path + [String($0)]) }
  }

  private mutating func mappingPath(_ node: JSONNode, _ path: [String]) -> MappingPath? {
    guard let text = text(node, path, "a key path") else { return nil }
    do {
      return try MappingPath(text)
    } catch {
      report(path, isAboutKey: false, "'\(text)' is not a key path: \(error.message)", advice: error.advice)
      return nil
    }
  }

  /// Returns the names from a text or a list of texts.
  private mutating func texts(_ node: JSONNode, _ path: [String]) -> [String]? {
    guard node.kind == .array else { return text(node, path, "the name of a property").map { [$0] } }
    let texts = node.elements.enumerated().compactMap {
      text($1, path + [String($0)], "the name of a property")
    }
    if node.count == 0 {
      report(path, isAboutKey: false, "the key must name a property", advice: "write null for no key")
    }
    return texts.count == node.count && node.count > 0 ? texts : nil
  }

  private mutating func text(_ node: JSONNode, _ path: [String], _ what: String) -> String? {
    if let text = node.string { return text }
    wrongKind(node, path, expected: "a string", for: what)
    return nil
  }

  // MARK: Problems

  private mutating func wrongKind(
    _ node: JSONNode, _ path: [String], expected: String, for what: String, advice: String? = nil
  ) {
    let found =
      node.isNull
      ? "null" : "\(node.kind == .array || node.kind == .object ? "an" : "a") \(node.kind.rawValue)"
    report(path, isAboutKey: false, "expected \(expected) for \(what), found \(found)", advice: advice)
  }

  private mutating func reportUnknown(
    _ message: String, _ name: String, _ path: [String], among names: [String]
  ) {
    let near = nearestName(to: name, among: names)
    report(
      path, isAboutKey: true, message,
      advice: near.map { "did you mean '\($0)'?" }
        ?? "use one of \(names.map { "'\($0)'" }.joined(separator: ", "))")
  }

  private mutating func report(
    _ path: [String], isAboutKey: Bool, _ message: String, advice: String? = nil
  ) {
    problems.append(
      TweakProblem(
        pointer: JSONPointer(tokens: path), isAboutKey: isAboutKey, message: message, advice: advice))
  }
}
