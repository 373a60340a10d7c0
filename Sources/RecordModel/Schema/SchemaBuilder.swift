import JSONTree

/// Validates a model and resolves it into a schema, in passes that build on each other.
///
/// A problem does not end a pass, so that all problems are found at once. A pass skips what an earlier pass has
/// reported, so that one mistake results in one problem.
struct SchemaBuilder {
  let descriptions: [EntityDescription]
  /// The representations, which are used for computed keys only. Their other results are already part of the
  /// descriptions.
  private let representations: [EntityName: any Representation]
  let modelDateFormat: String?
  let modelNulls: NullPolicy

  var schema = Schema()
  var problems: [ModelProblem] = []
  var suggestions = NameSuggestions()

  /// The descriptions of the entities, without those that repeat a name.
  var declared: [EntityDescription] = []
  /// The descriptions with declarations inherited from the nearest ancestor, and without properties.
  var effective: [EntityDescription] = []
  /// The date formats by their text, so that each is parsed and reported once.
  var dateFormats: [String: DateFormat?] = [:]
  /// For each entity, the representation that computes keys: its own, or that of the nearest ancestor.
  var keyComputations: [(any Representation)?] = []
  /// For each relationship of the schema, the name of its declared inverse.
  var inverseNames: [PropertyName?] = []
  /// The declarations that repeat a declaration of an ancestor, with the nearest such ancestor.
  var redeclared: [DeclaredName: EntityIndex] = [:]
  var skippedRelationships = SkippedRelationships()
  /// A Boolean value that indicates whether names must be identifiers, as in Core Data.
  var requiresIdentifiers = true

  init(
    entities: [EntityDescription], dateFormat: String?, nulls: NullPolicy,
    representations: [EntityName: any Representation]
  ) {
    descriptions = entities
    self.representations = representations
    modelDateFormat = dateFormat
    modelNulls = nulls
  }

  mutating func build() throws(ModelError) -> Schema {
    addEntities()
    checkRepresentations()
    resolveParents()
    addTrees()
    inheritDeclarations()
    guard checkInheritedProperties() else { throw ModelError(problems: problems) }
    addAttributes()
    addRelationships()
    resolveInverses()
    checkColumns()
    resolveKeys()
    resolveMappings()
    if problems.contains(where: { $0.severity == .error }) { throw ModelError(problems: problems) }
    addLookups()
    schema.readsAroundItems =
      schema.entities.contains { entity in
        entity.usedWhen?.leadsOutside ?? false || entity.deletedWhen?.leadsOutside ?? false
          || entity.paths(in: schema).contains(where: \.leadsOutside)
      }
    return schema
  }

  // MARK: Problems

  mutating func report(
    _ code: String, at path: [String], _ message: String, advice: String? = nil,
    otherPath: [String]? = nil, severity: ModelProblem.Severity = .error
  ) {
    problems.append(
      ModelProblem(
        severity, code: code, path: JSONPointer(tokens: path), message: message, advice: advice,
        otherPath: otherPath.map { JSONPointer(tokens: $0) }))
  }

  mutating func warn(
    _ warning: ModelWarning, at path: [String], _ message: String, advice: String? = nil
  ) {
    report(warning.rawValue, at: path, message, advice: advice, severity: .warning)
  }

  mutating func suggestion(for name: String, among names: @autoclosure () -> [String]) -> String? {
    suggestions.advice(for: name, among: names())
  }

  func path(_ entity: EntityIndex, _ rest: String...) -> [String] {
    ["entities", declared[for: entity].name.rawValue] + rest
  }

  func path(_ relationship: SchemaRelationship, _ rest: String...) -> [String] {
    path(relationship.entity, "relationships", relationship.name.rawValue) + rest
  }

  /// Checks that a name is an identifier, as in Core Data, because it is used in labels, predicates and columns.
  mutating func checkName(_ name: String, of what: String, at path: [String]) {
    guard requiresIdentifiers else { return }
    let isIdentifier = name.unicodeScalars.enumerated().allSatisfy { offset, scalar in
      switch scalar {
      case "a"..."z", "A"..."Z", "_": true
      case "0"..."9": offset > 0
      default: scalar.properties.isAlphabetic || (offset > 0 && scalar.properties.numericType != nil)
      }
    }
    if name.isEmpty || !isIdentifier {
      report(
        "invalid-name", at: path, "'\(name)' is not a valid name for \(what)",
        advice: "use letters, digits and '_', and do not start with a digit")
    }
  }

  // MARK: Representations

  private mutating func checkRepresentations() {
    let names = declared.map(\.name.rawValue)
    for name in representations.keys.sorted() where schema.indices[name] == nil {
      report(
        "unknown-entity", at: ["entities", name.rawValue], "unknown entity '\(name)'",
        advice: suggestion(for: name.rawValue, among: names))
    }
  }

  func isKeyComputed(byOwn entity: EntityIndex) -> Bool {
    representations[declared[for: entity].name]?.computesPrimaryKey ?? false
  }

  // MARK: Entities

  private mutating func addEntities() {
    if descriptions.isEmpty { report("no-entities", at: ["entities"], "the model has no entities") }
    for description in descriptions {
      let path = ["entities", description.name.rawValue]
      checkName(description.name.rawValue, of: "an entity", at: path)
      guard schema.indices[description.name] == nil else {
        report("duplicate-entity", at: path, "duplicate entity '\(description.name)'")
        continue
      }
      let index = schema.entities.nextIndex
      schema.indices[description.name] = index
      declared.append(description)
      let className = description.className.flatMap { $0.split(separator: ".").last }.map(String.init)
      schema.entities.append(
        SchemaEntity(
          index: index, name: description.name, className: className ?? description.name.rawValue,
          isAbstract: description.isAbstract, renamingIdentifier: description.renamingIdentifier))
    }
  }

  private mutating func resolveParents() {
    let names = declared.map(\.name)
    for (index, description) in zip(schema.entities.elementIndices, declared) {
      guard let parent = description.parent else { continue }
      if let found = schema.indices[parent] {
        schema.entities[index].parent = found
      } else {
        problems.append(.unknownParent(parent, of: description.name, among: names, &suggestions))
      }
    }
    breakParentCycles()
    for entity in schema.entities {
      if let parent = entity.parent { schema.entities[parent].children.append(entity.index) }
    }
  }

  /// Reports each cycle once, at its first entity, and cuts it so that later passes end.
  private mutating func breakParentCycles() {
    let cycles = Cycles.find(from: schema.entities.elementIndices) { schema.entities[$0].parent }
    for cycle in cycles.map({ $0.sorted() }).sorted(by: { $0[0] < $1[0] }) {
      let names = cycle.map { "'\(schema.entities[$0].name)'" }.joined(separator: ", ")
      report(
        "parent-cycle", at: path(cycle[0], "parent"),
        "circular inheritance: \(names)",
        advice: "an entity cannot be its own ancestor")
      for entity in cycle where schema.entities[entity].parent == cycle[0] {
        schema.entities[entity].parent = nil
      }
    }
  }

  /// Numbers the entities depth first. It is not recursive, because the number of levels of inheritance is not limited.
  private mutating func addTrees() {
    for root in schema.entities.elementIndices where schema.entities[root].parent == nil {
      var pending = [root]
      while let entity = pending.popLast() {
        schema.entities[entity].tree = schema.trees.nextIndex
        let number = schema.depthFirst.count
        schema.entities[entity].subtree = number..<number + 1
        schema.depthFirst.append(entity)
        pending.append(contentsOf: schema.entities[entity].children.reversed())
      }
      schema.trees.append(SchemaTree(root: root))
    }
    for entity in schema.depthFirst.reversed() {
      guard let parent = schema.entities[entity].parent else { continue }
      let subtree = schema.entities[parent].subtree
      let end = max(subtree.upperBound, schema.entities[entity].subtree.upperBound)
      schema.entities[parent].subtree = subtree.lowerBound..<end
    }
    for (index, description) in zip(schema.entities.elementIndices, declared) {
      if description.isAbstract, schema.entities[index].children.isEmpty {
        warn(
          .abstractLeaf, at: path(index, "abstract"),
          "'\(description.name)' is abstract and has no sub-entities, so it can have no records")
      }
    }
  }

  // MARK: Inheritance

  private mutating func inheritDeclarations() {
    effective = declared
    keyComputations = declared.map { description in
      representations[description.name].flatMap { $0.computesPrimaryKey ? $0 : nil }
    }
    var open: [PropertyName: [EntityIndex]] = [:]
    for entity in schema.depthFirst {
      let names =
        declared[for: entity].attributes.map(\.name) + declared[for: entity].relationships.map(\.name)
      for name in names {
        // In depth-first order, entities that are not ancestors have no further sub-entities.
        while let last = open[name]?.last, !schema.isKind(entity, of: last) { open[name]?.removeLast() }
        if let last = open[name]?.last, last != entity {
          redeclared[DeclaredName(entity: entity, name: name)] = last
        }
        if open[name]?.last != entity { open[name, default: []].append(entity) }
      }
      (effective[for: entity].attributes, effective[for: entity].relationships) = ([], [])
      guard let parent = schema.entities[entity].parent else { continue }
      effective[for: entity].inherit(from: effective[for: parent])
      keyComputations[for: entity] = keyComputations[for: entity] ?? keyComputations[for: parent]
    }
  }

  /// Adds the lookups of properties. An entity whose properties and key equal its parent's shares the parent's lookup.
  private mutating func addLookups() {
    for entity in schema.depthFirst {
      let value = schema.entities[entity]
      if let parent = value.parent.map({ schema.entities[$0] }), declared[for: entity].attributes.isEmpty,
        declared[for: entity].relationships.isEmpty, value.dictionaryAttribute == parent.dictionaryAttribute,
        value.key == parent.key, declared[for: entity].names == nil, declared[for: entity].nullValues == nil
      {
        schema.entities[entity].lookup = parent.lookup
        schema.entities[entity].attributeNames = parent.attributeNames
      } else {
        schema.entities[entity].lookup = PropertyLookup(value, schema)
        schema.entities[entity].attributeNames = KeyTable(value.attributes.map(\.name.rawValue))
      }
    }
  }
}

extension EntityDescription {
  /// Copies the declarations from the parent that the entity does not make itself.
  fileprivate mutating func inherit(from parent: EntityDescription) {
    keyPattern = keyPattern ?? parent.keyPattern
    responseKeyPath = responseKeyPath ?? parent.responseKeyPath
    responseKeyedBy = responseKeyedBy ?? parent.responseKeyedBy
    if sideloaded.isEmpty { sideloaded = parent.sideloaded }
    deletedKeyPath = deletedKeyPath ?? parent.deletedKeyPath
    withoutKey = withoutKey ?? parent.withoutKey
    names = names ?? parent.names
    nullValues = nullValues ?? parent.nullValues
    dateFormat = dateFormat ?? parent.dateFormat
    null = null ?? parent.null
    merge = merge ?? parent.merge
    modificationAttribute = modificationAttribute ?? parent.modificationAttribute
    dictionaryAttribute = dictionaryAttribute ?? parent.dictionaryAttribute
    deletedWhen = deletedWhen ?? parent.deletedWhen
    detailURN = detailURN ?? parent.detailURN
    isRecordLevelCachingEnabled = isRecordLevelCachingEnabled ?? parent.isRecordLevelCachingEnabled
  }
}
