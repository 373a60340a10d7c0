import JSONTree

/// Checks a model and resolves it into a schema, in passes: each needs what the one before has settled.
///
/// A problem never ends a pass, so that all of them are found at once; a pass skips what an earlier one has
/// reported, so that one mistake is one problem.
struct SchemaBuilder {
  let descriptions: [EntityDescription]
  /// Who computes keys. Whatever else they say, the descriptions say already.
  private let representations: [EntityName: any Representation]
  let modelDateFormat: String?
  let modelNulls: NullPolicy

  var schema = Schema()
  var problems: [ModelProblem] = []

  /// For each entity of the schema, itself and its ancestors, nearest first.
  var lineages: [[Int]] = []
  /// The descriptions that became entities: all but those whose name stands twice.
  var declared: [EntityDescription] = []
  /// Date formats by their text, so that each is parsed and reported once.
  var dateFormats: [String: DateFormat?] = [:]
  var skippedRelationships: Set<RelationshipName> = []

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
    addAttributes()
    addRelationships()
    resolveInverses()
    resolveKeys()
    resolveMappings()
    if problems.contains(where: { $0.severity == .error }) { throw ModelError(problems: problems) }
    for entity in schema.entities.indices {
      schema.entities[entity].lookup = PropertyLookup(schema.entities[entity], schema)
    }
    return schema
  }

  // MARK: Problems

  mutating func report(
    _ code: String, at path: [String], _ message: String, advice: String? = nil,
    severity: ModelProblem.Severity = .error
  ) {
    problems.append(
      ModelProblem(severity, code: code, path: JSONPointer(tokens: path), message: message, advice: advice))
  }

  mutating func warn(_ code: String, at path: [String], _ message: String, advice: String? = nil) {
    report(code, at: path, message, advice: advice, severity: .warning)
  }

  func suggestion(for name: String, among names: [String]) -> String? {
    nearestName(to: name, among: names).map { "did you mean '\($0)'?" }
  }

  func path(_ entity: Int, _ rest: String...) -> [String] {
    ["entities", declared[entity].name.rawValue] + rest
  }

  func path(_ relationship: SchemaRelationship, _ rest: String...) -> [String] {
    path(relationship.entity, "relationships", relationship.name.rawValue) + rest
  }

  /// Names end up in labels, predicates and columns, so they are identifiers, as in Core Data.
  mutating func checkName(_ name: String, of what: String, at path: [String]) {
    let isIdentifier = name.unicodeScalars.enumerated().allSatisfy { offset, scalar in
      switch scalar {
      case "a"..."z", "A"..."Z", "_": true
      case "0"..."9": offset > 0
      default: scalar.properties.isAlphabetic || (offset > 0 && scalar.properties.numericType != nil)
      }
    }
    if name.isEmpty || !isIdentifier {
      report(
        "invalid-name", at: path, "'\(name)' cannot be the name of \(what)",
        advice: "use letters, digits and '_', not starting with a digit")
    }
  }

  // MARK: Representations

  private mutating func checkRepresentations() {
    for name in representations.keys.sorted() where schema.indices[name] == nil {
      report(
        "unknown-entity", at: ["entities", name.rawValue], "there is no entity '\(name)' to be represented",
        advice: suggestion(for: name.rawValue, among: declared.map(\.name.rawValue)))
    }
  }

  /// Who computes the keys of an entity's items: the nearest representation that does.
  func keyComputation(of entity: Int) -> (any Representation)? {
    lineages[entity].lazy.compactMap { representations[declared[$0].name] }
      .first { $0.computesPrimaryKey }
  }

  func isKeyComputed(byOwn entity: Int) -> Bool {
    representations[declared[entity].name]?.computesPrimaryKey ?? false
  }

  // MARK: Entities

  private mutating func addEntities() {
    if descriptions.isEmpty { report("no-entities", at: ["entities"], "the model has no entities") }
    for description in descriptions {
      let path = ["entities", description.name.rawValue]
      checkName(description.name.rawValue, of: "an entity", at: path)
      guard schema.indices[description.name] == nil else {
        report("duplicate-entity", at: path, "the entity '\(description.name)' is declared twice")
        continue
      }
      let index = schema.entities.count
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
    for (index, description) in declared.enumerated() {
      guard let parent = description.parent else { continue }
      if let found = schema.indices[parent] {
        schema.entities[index].parent = found
      } else {
        problems.append(.unknownParent(parent, of: description.name, among: names))
      }
    }
    breakParentCycles()
    for index in schema.entities.indices {
      var lineage = [index]
      while let parent = schema.entities[lineage[lineage.count - 1]].parent { lineage.append(parent) }
      lineages.append(lineage)
    }
    for (index, entity) in schema.entities.enumerated() {
      if let parent = entity.parent { schema.entities[parent].children.append(index) }
    }
  }

  /// Reports each cycle once, at its first entity, and cuts it so that later passes end.
  private mutating func breakParentCycles() {
    for start in schema.entities.indices {
      var visited: Set<Int> = [start]
      var current = start
      while let parent = schema.entities[current].parent {
        if parent == start {
          let names = visited.sorted().map { "'\(schema.entities[$0].name)'" }.joined(separator: ", ")
          report(
            "parent-cycle", at: path(start, "parent"),
            "the parents of \(names) lead back to where they start",
            advice: "an entity cannot be its own ancestor")
          schema.entities[current].parent = nil
          break
        }
        guard visited.insert(parent).inserted else { break }
        current = parent
      }
    }
  }

  private mutating func addTrees() {
    var number = 0
    func visit(_ entity: Int, tree: Int, _ schema: inout Schema) {
      let first = number
      number += 1
      schema.entities[entity].tree = tree
      for child in schema.entities[entity].children { visit(child, tree: tree, &schema) }
      schema.entities[entity].subtree = first..<number
    }
    for root in schema.entities.indices where schema.entities[root].parent == nil {
      schema.trees.append(SchemaTree(root: root))
      visit(root, tree: schema.trees.count - 1, &schema)
    }
    for (index, description) in declared.enumerated() {
      if description.isAbstract, schema.entities[index].children.isEmpty {
        warn(
          "abstract-leaf", at: path(index, "abstract"),
          "'\(description.name)' is abstract and has no sub-entities, so no record can ever be of it")
      }
    }
  }

  // MARK: What is inherited

  /// The nearest declaration among an entity and its ancestors.
  func nearest<Value>(_ entity: Int, _ declaration: (EntityDescription) -> Value?) -> Value? {
    for ancestor in lineages[entity] {
      if let value = declaration(declared[ancestor]) { return value }
    }
    return nil
  }

  /// Ancestors before their sub-entities, so that a pass finds what is inherited in place.
  var entitiesTopDown: [Int] {
    schema.entities.indices.sorted {
      schema.entities[$0].subtree.lowerBound < schema.entities[$1].subtree.lowerBound
    }
  }
}
