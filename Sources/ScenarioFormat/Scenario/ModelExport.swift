import JSONTree
package import RecordModel

/// A model as the text of a model file.
package struct ModelExport {
  /// The contents of the file. Parts that a model file cannot express are missing.
  private let root: JSONValue
  /// A problem for each part that a model file cannot express, in the order of the model.
  package let losses: [ModelProblem]

  /// Creates the export of a model.
  ///
  /// - Complexity: linear in the number of entities and their properties.
  package init(_ model: ManagedObjectModel) {
    var root = Part()
    root.add("dateFormat", model.dateFormat)
    root.add("nulls", model.nulls, unless: .clear)
    var entities = Part(at: ["entities"])
    for entity in model.entities { entities.add(entity.name.rawValue, Self.part(entity, of: model)) }
    root.add("entities", entities)
    self.root = .object(root.members)
    losses = root.losses
  }

  /// The text of the file. The keys have the order of the documentation, and defaults are omitted.
  package var text: String { text(comments: YAMLComments()) }

  /// Returns the text of the file with comments. Their paths are those of ``ModelProblem/path``.
  package func text(comments: YAMLComments) -> String { root.yamlText(comments: comments) }

  private static func part(_ entity: EntityDescription, of model: ManagedObjectModel) -> Part {
    var part = Part(at: ["entities", entity.name.rawValue])
    part.add("class", entity.className)
    part.add("parent", entity.parent?.rawValue)
    part.add("abstract", entity.isAbstract, unless: false)
    part.add("primaryKey", names: entity.primaryKey)
    if model.computesPrimaryKey(of: entity.name) {
      part.lose("primaryKey", "the primary key of '\(entity.name)' is computed")
    }
    part.add("keyPattern", entity.keyPattern)
    part.add("responseKeyPath", path: entity.responseKeyPath)
    part.add("responseKeyedBy", entity.responseKeyedBy?.rawValue)
    if !entity.sideloaded.isEmpty {
      var lists = Part(at: part.path + ["sideloaded"])
      for list in entity.sideloaded {
        let names = list.entities.map(\.rawValue)
        if names.count == 1 {
          lists.add(list.path.description, names[0])
        } else {
          lists.add(list.path.description, texts: names)
        }
      }
      part.add("sideloaded", lists)
    }
    part.add("deletedKeyPath", path: entity.deletedKeyPath)
    part.add("withoutKey", entity.withoutKey)
    part.add("names", entity.names)
    part.add("nullValues", values: entity.nullValues)
    part.add("dateFormat", entity.dateFormat)
    part.add("null", entity.null)
    part.add("merge", entity.merge)
    part.add("modificationAttribute", entity.modificationAttribute?.rawValue)
    part.add("dictionaryAttribute", entity.dictionaryAttribute?.rawValue)
    part.add("usedWhen", entity.usedWhen?.text)
    part.add("deletedWhen", entity.deletedWhen?.text)
    part.add("detailURN", entity.detailURN)
    part.add("cache", entity.isRecordLevelCachingEnabled)
    part.add("ignores", texts: entity.ignores)
    part.add("renamingIdentifier", entity.renamingIdentifier)
    var attributes = Part(at: part.path + ["attributes"])
    for attribute in entity.attributes { add(attribute, to: &attributes) }
    if !entity.attributes.isEmpty { part.add("attributes", attributes) }
    var relationships = Part(at: part.path + ["relationships"])
    for relationship in entity.relationships { add(relationship, to: &relationships) }
    if !entity.relationships.isEmpty { part.add("relationships", relationships) }
    return part
  }

  /// Adds an attribute: `id: string`, or a mapping if there is more than the type.
  private static func add(_ attribute: AttributeDescription, to attributes: inout Part) {
    let name = attribute.name.rawValue
    var part = Part(at: attributes.path + [name])
    part.add("type", attribute.type.rawValue)
    part.add("from", paths: attribute.from)
    part.add("usesOwnName", attribute.usesOwnName, unless: true)
    part.add("format", attribute.format)
    part.add("default", value: attribute.defaultValue)
    part.add("optional", attribute.isOptional, unless: true)
    part.add("null", attribute.null)
    part.add("nullValues", values: attribute.nullValues)
    part.add("transformer", attribute.transformer)
    part.add("renamingIdentifier", attribute.renamingIdentifier)
    attributes.add(name, part, shortened: part.members.count == 1 ? part.members["type"] : nil)
  }

  private static func add(_ relationship: RelationshipDescription, to relationships: inout Part) {
    let name = relationship.name.rawValue
    var part = Part(at: relationships.path + [name])
    part.add(relationship.isToMany ? "toMany" : "to", relationship.destination.rawValue)
    part.add("inverse", relationship.inverse?.rawValue)
    part.add("ordered", relationship.isOrdered, unless: false)
    part.add("optional", relationship.isOptional, unless: true)
    part.add("minCount", count: relationship.minCount)
    part.add("maxCount", count: relationship.maxCount)
    part.add("deleteRule", relationship.deleteRule, unless: .nullify)
    part.add("from", paths: relationship.from)
    part.add("usesOwnName", relationship.usesOwnName, unless: true)
    part.add("null", relationship.null)
    part.add("nullValues", values: relationship.nullValues)
    part.add("assignment", relationship.assignment, unless: .union)
    part.add("stubs", relationship.stubs, unless: .create)
    part.add("keyedBy", relationship.keyedBy?.rawValue)
    part.add("renamingIdentifier", relationship.renamingIdentifier)
    relationships.add(name, part)
  }
}

extension ModelProblem {
  /// Creates the problem of a part that a model file cannot express.
  package static func loss(at path: [String], _ message: String, advice: String? = nil) -> ModelProblem {
    ModelProblem(
      code: AuthorDiagnostic.Code.notInModelFile.rawValue, path: JSONPointer(tokens: path),
      message: message + ", which a model file cannot express", advice: advice)
  }
}

/// A mapping of the file while it is built.
private struct Part {
  /// The location in the model.
  let path: [String]
  private(set) var members = JSONObject()
  private(set) var losses: [ModelProblem] = []

  init(at path: [String] = []) { self.path = path }

  mutating func lose(_ key: String, _ message: String) { losses.append(.loss(at: path + [key], message)) }

  /// Adds another mapping, or its shortened form.
  mutating func add(_ key: String, _ part: Part, shortened: JSONValue? = nil) {
    members[key] = shortened ?? .object(part.members)
    losses += part.losses
  }

  mutating func add(_ key: String, _ text: String?) {
    guard let text else { return }
    if text.contains(where: { !$0.isWhitespace }) {
      members[key] = .string(text)
    } else {
      lose(key, "'\(key)' is empty")
    }
  }

  mutating func add(_ key: String, _ value: Bool?, unless standard: Bool? = nil) {
    if let value, value != standard { members[key] = .boolean(value) }
  }

  mutating func add<Choice: RawRepresentable<String> & Equatable>(
    _ key: String, _ choice: Choice?, unless standard: Choice? = nil
  ) {
    if let choice, choice != standard { members[key] = .string(choice.rawValue) }
  }

  mutating func add(_ key: String, count: Int) {
    guard count != 0 else { return }
    if (0...Int(Int32.max)).contains(count) {
      members[key] = .number(JSONNumber(Int64(count)))
    } else {
      lose(key, "'\(key)' is \(count)")
    }
  }

  mutating func add(_ key: String, names: [PropertyName]) {
    guard let first = names.first else { return }
    members[key] = names.count == 1 ? .string(first.rawValue) : .array(names.map { .string($0.rawValue) })
  }

  /// Adds the location of items in a response. An empty path is the response itself.
  mutating func add(_ key: String, path: MappingPath?) {
    guard let path else { return }
    members[key] = path.components.isEmpty ? .array([]) : .string(path.description)
  }

  mutating func add(_ key: String, paths: [MappingPath]) {
    guard let first = paths.first else { return }
    let texts = paths.map { JSONValue.string($0.description) }
    members[key] = paths.count == 1 ? .string(first.description) : .array(texts)
  }

  mutating func add(_ key: String, texts: [String]) {
    if !texts.isEmpty { members[key] = .array(texts.map { .string($0) }) }
  }

  mutating func add(_ key: String, values: [JSONValue]?) { add(key, value: values.map(JSONValue.array)) }

  mutating func add(_ key: String, value: JSONValue?) {
    guard let value else { return }
    // The path leads to the mapping that contains the key, which the file itself contains.
    let room = YAMLParser.maximumDepth - path.count - 1
    if value.hasAtMost(room) {
      members[key] = value
    } else {
      lose(key, "'\(key)' has more than \(room) levels of lists and mappings")
    }
  }
}

extension JSONValue {
  /// Returns a Boolean value that indicates whether the value has at most a number of levels of lists and mappings.
  fileprivate func hasAtMost(_ levels: Int) -> Bool {
    switch self {
    case .null, .boolean, .number, .string: true
    case .array(let elements): levels > 0 && elements.allSatisfy { $0.hasAtMost(levels - 1) }
    case .object(let members): levels > 0 && members.allSatisfy { $0.value.hasAtMost(levels - 1) }
    }
  }
}
