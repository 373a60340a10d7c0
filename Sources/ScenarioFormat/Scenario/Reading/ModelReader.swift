package import JSONTree
package import RecordModel

/// The reader of a scenario's model, which is inline, in a file, in a file with an overlay, or in Swift.
package struct ModelReader {
  package let findings: Findings
  /// The scenario that file names are relative to.
  package let scenario: ScenarioFile
  /// The models in Swift; nil on the command line.
  package var swiftModels: SwiftModels?
  /// The model files that the scenarios of the run share.
  package var files = ModelFiles()

  /// The contents of a model, before the parts are checked against each other.
  package struct Draft {
    package private(set) var entities: [EntityDescription] = []
    /// The index of the first entity with each name.
    private var indices: [EntityName: Int] = [:]
    package var dateFormat: String?
    package var nulls: NullPolicy?
    package var names: NamingConvention?
    package var nullValues: [JSONValue]?
    var outline = ModelOutline()
    /// A Boolean value that indicates whether at least the names of the entities are known.
    var hasEntities = false
    package var locations = ModelSourceMap()
    /// The names of the properties that a YAML model declares, valid or not. Entities whose property names are unclear
    /// are missing.
    package var propertyNames: [EntityName: [String]] = [:]
    /// The names of entities that are indented too far, inside another entity. They are reported there.
    var nestedEntities: Set<EntityName> = []
    /// The model in Swift that the entities belong to.
    var swiftModel: ManagedObjectModel?
    /// The model of the entities, which the outline describes; nil if they have not been checked against each other.
    var validModel: ManagedObjectModel?

    package func entity(_ name: EntityName) -> EntityDescription? { indices[name].map { entities[$0] } }

    package mutating func append(_ entity: EntityDescription) {
      if indices[entity.name] == nil { indices[entity.name] = entities.count }
      entities.append(entity)
    }

    /// Adds all entities of a model that is not YAML.
    ///
    /// - Parameter isClear: a Boolean value that indicates whether the model has no error.
    package mutating func append(_ entities: [EntityDescription], isClear: Bool = true) {
      hasEntities = true
      for entity in entities {
        append(entity)
        outline.add(entity, isClear: isClear)
      }
    }

    package mutating func replace(_ entity: EntityDescription) {
      if let index = indices[entity.name] { entities[index] = entity } else { append(entity) }
    }

    /// Returns the model with representations, which replace those of the model in Swift.
    package func model(
      _ representations: [EntityName: any Representation]
    ) throws(ModelError) -> ManagedObjectModel {
      if let swiftModel { return try swiftModel.represented(by: representations, replacingOwn: true) }
      if let validModel, representations.isEmpty { return validModel }
      return try ManagedObjectModel(
        entities: entities, dateFormat: dateFormat, nulls: nulls ?? .clear, names: names,
        nullValues: nullValues,
        representations: representations)
    }

    /// Returns the draft with its model; nil if the model is invalid.
    package func validated() -> Draft? {
      guard hasEntities, let model = try? model([:]) else { return nil }
      var draft = self
      draft.validModel = model
      for entity in model.entities { draft.outline.add(entity, isClear: true) }
      return draft
    }

    /// The draft without the cached results of lookups, which belong to one reader.
    var withOwnCaches: Draft {
      var draft = self
      draft.outline = outline.withOwnCaches
      draft.locations = ModelSourceMap(locations.layers)
      return draft
    }
  }

  package struct Result {
    /// The model; nil if it is invalid.
    package var model: ManagedObjectModel?
    /// The outline; nil if nothing is known of the model.
    var outline: ModelOutline?
    package var customizations: [EntityName: EntityCustomization] = [:]
    /// The source locations of the parts of the model.
    package var locations = ModelSourceMap()
  }

  /// Reads the model of a scenario.
  ///
  /// - Parameter customize: the customizations for items of certain entities.
  package func read(_ pair: YAMLPair, _ customize: YAMLPair?) -> Result {
    result(of: draft(pair), customize, at: .span(pair.keySpan))
  }

  /// Reads a model file or an Xcode model.
  package func read(file path: String) -> Result {
    result(of: modelFile(at: path, namedAt: .file(path)), at: .file(path))
  }

  /// Reads the contents of a model file.
  package func read(_ file: SourceFile) -> Result { result(of: modelFile(file), at: .file(file.path)) }

  /// Returns the model of a draft. Problems that the draft cannot locate are reported at a location.
  private func result(
    of read: @autoclosure () -> Draft?, _ customize: YAMLPair? = nil, at location: AuthorDiagnostic.Location
  ) -> Result {
    let errors = findings.errorCount
    guard var draft = read() else { return Result() }
    // Entities that could not be read would look like missing entities.
    var outline = draft.hasEntities ? draft.outline : nil
    outline?.locations = draft.locations
    let customizations = CustomizationReader(
      findings: findings, records: RecordReader(findings: findings, outline: outline)
    ).customizations(customize)
    guard findings.errorCount == errors else {
      report(draft.unknownNames, in: draft, at: location)
      return Result(outline: outline)
    }
    if let customize { draft.locations.add(.customization(customize)) }
    do {
      let representations = customizations.compactMapValues(\.representation)
      let model = try draft.model(representations)
      if draft.validModel == nil || !representations.isEmpty {
        for entity in model.entities { outline?.add(entity, isClear: true) }
      }
      report(model.warnings, in: draft, at: location)
      return Result(
        model: model, outline: outline, customizations: customizations, locations: draft.locations)
    } catch {
      report(error.problems, in: draft, at: location)
      return Result(outline: outline)
    }
  }

  private func report(_ problems: [ModelProblem], in draft: Draft, at location: AuthorDiagnostic.Location) {
    for problem in problems {
      var diagnostic = AuthorDiagnostic(
        of: problem, at: draft.locations.location(of: problem.path) ?? location)
      if let advice = draft.adviceForInverse(problem) { diagnostic.advice = advice }
      if let path = problem.otherPath, case .span(let span)? = draft.locations.location(of: path) {
        diagnostic.notes.append(.init(span, "declared here"))
      }
      findings.add(diagnostic)
    }
  }

  // MARK: Contents of a model

  func readWhole(_ reader: MappingReader, into draft: inout Draft) {
    if let format = findings.dateFormat(reader["dateFormat"]) { draft.dateFormat = format }
    if let nulls = findings.choice(reader["nulls"], NullPolicy.self) { draft.nulls = nulls }
    if let names = findings.choice(reader["names"], NamingConvention.self) { draft.names = names }
    if let values = findings.jsonList(reader["nullValues"]) { draft.nullValues = values }
  }

  func readEntities(_ pair: YAMLPair?, into draft: inout Draft, mode: EntityReader.Mode) {
    let reader = EntityReader(findings: findings, mode: mode)
    guard let pairs = findings.mapping(pair) else { return }
    draft.hasEntities = true
    for pair in pairs {
      let name = EntityName(pair.key)
      let declared = draft.entity(name)
      if mode == .overlay, declared == nil {
        findings.unknownName(
          .unknownEntity, "unknown entity '\(name)' in the model file", name: pair.key, at: pair.keySpan,
          among: draft.entities.map(\.name.rawValue))
        continue
      }
      var entity = declared ?? EntityDescription(name)
      let isClear = reader.read(pair, into: &entity, outline: draft.outline)
      draft.replace(entity)
      draft.outline.add(entity, isClear: isClear)
      draft.nestedEntities.formUnion(EntityReader.nestedEntities(in: pair).map { EntityName($0) })
      if mode == .declaration { draft.propertyNames[name] = EntityReader.propertyNames(of: pair) }
    }
  }
}

extension ModelReader.Draft {
  /// Returns advice for an inverse that the destination does not have; nil for other problems, and if the destination
  /// has a relationship with a similar name.
  fileprivate func adviceForInverse(_ problem: ModelProblem) -> String? {
    let tokens = problem.path.tokens
    guard problem.code == "unknown-inverse", problem.advice == nil, tokens.count == 5,
      let relationship = entity(EntityName(tokens[1]))?.relationships.first(where: {
        $0.name.rawValue == tokens[3]
      }), let inverse = relationship.inverse?.rawValue, let destination = entity(relationship.destination),
      destination.attributes.allSatisfy({ $0.name.rawValue != inverse })
    else { return nil }
    if let last = inverse.split(separator: ".").last, last.count < inverse.count,
      destination.relationships.contains(where: { $0.name.rawValue == last })
    {
      return "write '\(last)', without its entity"
    }
    let back = destination.relationships.first {
      $0.inverse == relationship.name && $0.destination.rawValue == tokens[1]
    }
    if let back { return "did you mean '\(back.name)'?" }
    let key = relationship.isToMany ? "to" : "toMany"
    return "add '\(inverse): {\(key): \(tokens[1]), inverse: \(tokens[3])}' to the relationships of "
      + "'\(destination.name)', or remove 'inverse'"
  }

  /// The references to undeclared names. They are errors regardless of the other errors in the model. In a model
  /// without other errors, `ManagedObjectModel` reports them.
  fileprivate var unknownNames: [ModelProblem] {
    let names = entities.map(\.name)
    var suggestions = NameSuggestions()
    var declarations = Declarations(self)
    var problems: [ModelProblem] = []
    for entity in entities {
      if let parent = entity.parent, isUnknown(parent) {
        problems.append(.unknownParent(parent, of: entity.name, among: names, &suggestions))
      }
      for (offset, name) in entity.primaryKey.enumerated()
      where declarations.lack(name.rawValue, of: entity.name) {
        problems.append(
          .unknownKeyProperty(
            offset, of: entity, among: propertyNames(withAncestorsOf: entity), &suggestions))
      }
      // A destination that could not be read has an empty name.
      for relationship in entity.relationships
      where !relationship.destination.rawValue.isEmpty && isUnknown(relationship.destination) {
        problems.append(.unknownDestination(of: relationship, in: entity.name, among: names, &suggestions))
      }
      for relationship in entity.relationships {
        guard let inverse = relationship.inverse, let destination = self.entity(relationship.destination),
          declarations.lack(inverse.rawValue, of: destination.name)
        else { continue }
        problems.append(
          .unknownInverse(
            inverse, of: relationship.name, in: entity.name, destination: destination.name,
            among: destination.relationships.map(\.name.rawValue), &suggestions))
      }
    }
    return problems
  }

  private func isUnknown(_ name: EntityName) -> Bool { entity(name) == nil && !nestedEntities.contains(name) }

  /// Returns the names of the properties that an entity declares, valid or not, followed by those that its ancestors
  /// declare.
  private func propertyNames(withAncestorsOf entity: EntityDescription) -> [String] {
    var names: [String] = []
    var visited: Set<EntityName> = []
    var next: EntityDescription? = entity
    while let entity = next, visited.insert(entity.name).inserted {
      names += propertyNames[entity.name] ?? []
      next = entity.parent.flatMap(self.entity)
    }
    return names
  }

  /// The names of the properties that entities declare and inherit, where these are clear.
  private struct Declarations {
    private let draft: ModelReader.Draft
    private let own: [EntityName: Set<String>]
    private var excuses: [String: NearestValues<Bool>] = [:]

    init(_ draft: ModelReader.Draft) {
      self.draft = draft
      own = draft.propertyNames.mapValues(Set.init)
    }

    /// Returns a Boolean value that indicates whether an entity certainly neither declares nor inherits a property.
    mutating func lack(_ name: String, of entity: EntityName) -> Bool {
      let isExcused = excuses[name, default: NearestValues()].value(
        of: entity, parent: { draft.entity($0)?.parent },
        own: { ancestor in
          guard let names = own[ancestor], !names.contains(name) else { return true }
          return draft.entity(ancestor)?.parent == nil ? false : nil
        })
      return isExcused == false
    }
  }
}

extension AuthorDiagnostic {
  /// Creates the diagnostic of a problem of a model.
  package init(of problem: ModelProblem, at location: Location) {
    self.init(
      Code(rawValue: problem.code), at: location, problem.message,
      severity: problem.severity == .error ? .error : .warning, advice: problem.advice)
    let tokens = problem.path.tokens
    guard tokens.count > 1, tokens[0] == "entities" else { return }
    let hasProperty = tokens.count > 3 && ["attributes", "relationships"].contains(tokens[2])
    subject = hasProperty ? "\(tokens[1]).\(tokens[3])" : tokens[1]
  }
}

extension Findings {
  /// Reads `schemaVersion:`, which is optional. Reports a version that is not supported.
  func checkSchemaVersion(_ pair: YAMLPair?) {
    let supported = FormatKey.supportedSchemaVersion
    guard let pair, let version = count(pair), version != supported else { return }
    report(
      .unknownVersion, at: pair.value.span, "unknown schema version \(version)", expected: "\(supported)",
      advice: "update recordspec to a version that supports it")
  }
}
