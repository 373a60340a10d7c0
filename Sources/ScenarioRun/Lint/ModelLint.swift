import JSONTree
import RecordModel
import ScenarioFormat

/// The search for declarations of a model that are valid but probably not what the author means.
struct ModelLint {
  private let model: ManagedObjectModel
  private let schema: Schema
  private let locations: ModelSourceMap
  private var warnings: [AuthorDiagnostic] = []

  /// Returns the warnings about a model. Linear in the number of properties, with inherited ones.
  static func warnings(about model: ManagedObjectModel, at locations: ModelSourceMap) -> [AuthorDiagnostic] {
    var lint = ModelLint(model, locations)
    lint.findAmbiguousNames()
    lint.findOptionsWithoutEffect()
    lint.findUnquotedTexts()
    return lint.warnings
  }

  private init(_ model: ManagedObjectModel, _ locations: ModelSourceMap) {
    (self.model, self.locations) = (model, locations)
    schema = model.schema
  }

  private mutating func warn(
    _ warning: AuthorDiagnostic.Warning, _ path: [String], of subject: String, _ message: String,
    advice: String,
    note: (path: [String], text: String)? = nil
  ) {
    // Code in Swift has no location.
    guard let location = locations.location(of: JSONPointer(tokens: ["entities"] + path)) else { return }
    var notes: [AuthorDiagnostic.Note] = []
    if let note, case .span(let span)? = locations.location(of: JSONPointer(tokens: ["entities"] + note.path))
    {
      notes.append(.init(span, note.text))
    }
    warnings.append(
      AuthorDiagnostic(warning, of: subject, at: location, message, advice: advice, notes: notes))
  }

  // MARK: Names

  private typealias Property = (name: PropertyName, paths: [MappingPath])

  /// A property that reads a name.
  private struct Reader {
    let property: PropertyName
    /// A Boolean value that indicates whether other names are tried before.
    let isFallback: Bool
  }

  private mutating func findAmbiguousNames() {
    for entity in schema.entities {
      let declared = entity.declaredAttributes(in: schema).map { ($0.name, $0.paths) }
      if !declared.isEmpty {
        let inherited = entity.attributes.dropLast(declared.count).map { ($0.name, $0.paths) }
        findAmbiguousNames("attributes", of: entity, declared, inheriting: inherited)
      }
      let relationships = entity.relationships.map { schema.relationships[$0] }
      let declaredOnes = relationships.filter { $0.entity == entity.index }.map { ($0.name, $0.paths) }
      if !declaredOnes.isEmpty {
        let inherited = relationships.filter { $0.entity != entity.index }.map { ($0.name, $0.paths) }
        findAmbiguousNames("relationships", of: entity, declaredOnes, inheriting: inherited)
      }
    }
  }

  /// Finds names that two properties of the same kind read, one of them only if it finds no other name.
  private mutating func findAmbiguousNames(
    _ kind: String, of entity: SchemaEntity, _ declared: [Property], inheriting inherited: [Property]
  ) {
    var readers: [MappingPath: Reader] = [:]
    var reported: Set<PropertyName> = []
    for (position, property) in (inherited + declared).enumerated() {
      for (order, path) in property.paths.enumerated() {
        let reader = Reader(property: property.name, isFallback: order > 0)
        guard let other = readers[path] else {
          readers[path] = reader
          continue
        }
        guard position >= inherited.count, other.property != property.name,
          other.isFallback || reader.isFallback, reported.insert(property.name).inserted
        else { continue }
        warn(
          .ambiguousName, [entity.name.rawValue, kind, property.name.rawValue],
          of: "\(entity.name).\(property.name)",
          "'\(property.name)' and '\(other.property)' of '\(entity.name)' both read '\(path)'",
          advice: "remove the name from one of them, or write 'usesOwnName: false'",
          note: (
            [owner(of: other.property, entity).rawValue, kind, other.property.rawValue],
            "also reads '\(path)'"
          ))
      }
    }
  }

  /// Returns the name of the entity that declares a property.
  private func owner(of property: PropertyName, _ entity: SchemaEntity) -> EntityName {
    var owner = entity
    while let parent = owner.parent.map({ schema.entities[$0] }),
      parent.attributeIndices[property] != nil || parent.relationshipIndices[property] != nil
    {
      owner = parent
    }
    return owner.name
  }

  // MARK: Predicates

  /// Finds words on the right of comparisons that no property of the entities reads.
  private mutating func findUnquotedTexts() {
    for (entity, description) in zip(schema.entities, model.entities) {
      for (key, predicate) in [("usedWhen", description.usedWhen), ("deletedWhen", description.deletedWhen)] {
        for path in predicate?.keyPaths ?? [] where path.mayBeUnquotedText {
          let word = path.keys.joined(separator: ".")
          guard !reads(word, entity) else { continue }
          warn(
            .unquotedText, [entity.name.rawValue, key], of: entity.name.rawValue,
            "'\(key)' compares with the key '\(word)' of the item, which no property reads",
            advice: "write a string in quotes: \"\(word)\"")
        }
      }
    }
  }

  /// Returns a Boolean value that indicates whether a property of an entity, its ancestors or its sub-entities reads a
  /// key.
  private func reads(_ key: String, _ entity: SchemaEntity) -> Bool {
    schema.kinds(of: entity.index).map { schema.entities[$0] }.contains { kind in
      kind.attributes.contains { $0.paths.contains { $0.keyText == key } }
        || kind.relationships.contains { schema.relationships[$0].paths.contains { $0.keyText == key } }
    }
  }

  // MARK: Options

  private mutating func findOptionsWithoutEffect() {
    let hasDates = trees { $0.attributes.contains { $0.type == .date } }
    let hasKey = trees { $0.key != .none }
    for (entity, description) in zip(schema.entities, model.entities) {
      let name = entity.name.rawValue
      if description.dateFormat != nil, !hasDates.contains(entity.index) {
        warn(
          .noEffect, [name, "dateFormat"], of: name,
          "'dateFormat' has no effect, because '\(name)' has no date attribute", advice: "remove it")
      }
      if description.merge != nil, !hasKey.contains(entity.index) {
        warn(
          .noEffect, [name, "merge"], of: name,
          "'merge' has no effect, because '\(name)' has no key, so two items are never one record",
          advice: "remove it, or declare 'primaryKey'")
      }
      for relationship in description.relationships where relationship.stubs == .never {
        guard let destination = schema.entity(relationship.destination), !hasKey.contains(destination.index)
        else { continue }
        warn(
          .noEffect, [name, "relationships", relationship.name.rawValue, "stubs"],
          of: "\(name).\(relationship.name)",
          "'stubs' has no effect, because '\(destination.name)' has no key", advice: "remove it")
      }
    }
  }

  /// Returns the entities that fulfill a condition, and the ancestors of these entities.
  private func trees(_ isIncluded: (SchemaEntity) -> Bool) -> Set<EntityIndex> {
    var found: Set<EntityIndex> = []
    for index in schema.depthFirst.reversed() {
      let entity = schema.entities[index]
      guard found.contains(index) || isIncluded(entity) else { continue }
      found.insert(index)
      if let parent = entity.parent { found.insert(parent) }
    }
    return found
  }
}
