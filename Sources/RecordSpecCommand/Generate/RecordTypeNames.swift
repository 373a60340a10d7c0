import RecordModel

/// The names of generated record types and their properties.
struct RecordTypeNames {
  /// The names of the classes, by the indices of the entities.
  let classes: [String]
  /// The names of the properties by the entities that declare them, as identifiers without backticks.
  private let properties: [EntityIndex: [PropertyName: String]]
  /// The names that can stand for something else than a type of a library.
  private let shadowing: Set<String>

  /// The instance properties of `Record`, which a subclass cannot declare again.
  static let membersOfRecord: Set<String> = [
    "changedProperties", "context", "debugDescription", "description", "entityName", "hasChanges",
    "hashValue",
    "isDeleted", "isInserted", "isUpdated", "recordDetailURN", "recordID",
  ]

  /// The modules of the types that generated code uses. A declaration of such a name would hide the module.
  private static let modules: Set<String> = ["Foundation", "RecordEngine", "Swift"]

  /// Creates the names.
  ///
  /// - Complexity: linear in the number of entities and their properties, with the inherited ones.
  init(_ schema: Schema) {
    classes = schema.entities.map(\.className)
    var properties: [EntityIndex: [PropertyName: String]] = [:]
    var shadowing = Set(classes)
    // The names that an entity passes to its sub-entities, including those of the storage of wrappers.
    var taken: [EntityIndex: Set<String>] = [:]
    for index in schema.depthFirst {
      let entity = schema.entities[index]
      var used = entity.parent.flatMap { taken[$0] } ?? Self.membersOfRecord.union(Self.modules)
      var names: [PropertyName: String] = [:]
      let relationships = entity.relationships.map { schema.relationships[$0] }.filter { $0.entity == index }
      for name in entity.declaredAttributes(in: schema).map(\.name) + relationships.map(\.name) {
        var identifier = SwiftIdentifier.valid(name.rawValue)
        while used.contains(identifier) || used.contains("_" + identifier) { identifier += "_" }
        used.formUnion([identifier, "_" + identifier])
        names[name] = identifier
        shadowing.insert(identifier)
      }
      properties[index] = names
      if !entity.children.isEmpty { taken[index] = used }
    }
    self.properties = properties
    self.shadowing = shadowing
  }

  /// Returns a Boolean value that indicates whether a generated class can have a name.
  static func isClassName(_ name: String) -> Bool {
    SwiftIdentifier.valid(name) == name && !modules.contains(name)
  }

  /// Returns the name of a class as it is written in code.
  func type(of entity: EntityIndex) -> String {
    SwiftIdentifier.escaped(classes[entity.rawValue])
  }

  /// Returns the name of a property as it is written in its declaration.
  func property(_ name: PropertyName, of entity: EntityIndex) -> String {
    SwiftIdentifier.escaped(properties[entity]?[name] ?? SwiftIdentifier.valid(name.rawValue))
  }

  /// Returns the name of a type of a library, with its module if a declaration of the model has the same name.
  func library(_ type: SwiftType) -> String {
    shadowing.contains(type.rawValue) ? "\(type.module).\(type.rawValue)" : type.rawValue
  }
}
