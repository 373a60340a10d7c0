public import JSONTree

/// A validated model of entities.
///
/// ```swift
/// let model = try ManagedObjectModel(entities: [
///   EntityDescription(
///     "User", primaryKey: "id",
///     attributes: [AttributeDescription("id", .string), AttributeDescription("name", .string)])
/// ])
/// ```
public struct ManagedObjectModel: Sendable {
  /// The entities as declared, in order. Representations replace the declarations of their entities.
  public let entities: [EntityDescription]

  /// The warnings of the validation, for example about a relationship without inverse or an abstract entity without
  /// sub-entities.
  public private(set) var warnings: [ModelProblem]

  package let schema: Schema

  /// The defaults for properties if neither the property nor its entity specifies a value.
  package let (dateFormat, nulls): (String?, NullPolicy)

  /// The entities before representations were applied.
  private let declaredEntities: [EntityDescription]
  let representations: [EntityName: any Representation]

  /// Creates a model and validates its entities against each other.
  ///
  /// - Parameters:
  ///   - entities: the entities, in the order in which they are validated and listed.
  ///   - dateFormat: the format of strings for dates if neither the attribute nor its entity specifies one.
  ///   - nulls: the effect of a JSON null if neither the property nor its entity specifies one.
  ///   - names: the convention of the keys if neither the entity nor an ancestor specifies one.
  ///   - nullValues: the values that mean null if neither the property, nor its entity, nor an ancestor specifies them.
  ///   - representations: the representations by entity. They replace names, paths and keys in the descriptions.
  /// - Throws: ``ModelError`` with all errors, in the order of the model.
  /// - Complexity: linear in the number of entities and their properties. A sub-entity with properties of its own also
  ///   counts its inherited properties.
  public init(
    entities: [EntityDescription], dateFormat: String? = nil, nulls: NullPolicy = .clear,
    names: NamingConvention? = nil, nullValues: [JSONValue]? = nil,
    representations: [EntityName: any Representation] = [:]
  ) throws(ModelError) {
    let entities = entities.map { entity in
      // Sub-entities inherit the defaults.
      guard entity.parent == nil else { return entity }
      var entity = entity
      entity.names = entity.names ?? names
      entity.nullValues = entity.nullValues ?? nullValues
      return entity
    }
    self.entities = entities.described(by: representations)
    var builder = SchemaBuilder(
      entities: self.entities, dateFormat: dateFormat, nulls: nulls, representations: representations)
    schema = try builder.build()
    warnings = builder.problems
    (self.dateFormat, self.nulls) = (dateFormat, nulls)
    (declaredEntities, self.representations) = (entities, representations)
  }

  /// Creates a model of the tables of an app's own store, whose names and columns can be any text.
  package init(tables: [EntityDescription]) throws(ModelError) {
    entities = tables
    var builder = SchemaBuilder(entities: tables, dateFormat: nil, nulls: .clear, representations: [:])
    builder.requiresIdentifiers = false
    schema = try builder.build()
    (warnings, declaredEntities, representations) = ([], tables, [:])
    (dateFormat, nulls) = (nil, .clear)
  }

  /// Creates a model without entities.
  package init() {
    (entities, warnings, schema) = ([], [], Schema())
    (dateFormat, nulls) = (nil, .clear)
    (declaredEntities, representations) = ([], [:])
  }

  /// Returns a Boolean value that indicates whether the representation of an entity computes its primary key.
  package func computesPrimaryKey(of entity: EntityName) -> Bool {
    representations[entity]?.computesPrimaryKey ?? false
  }

  /// Returns the model with representations for some of its entities.
  ///
  /// - Parameter replacesOwn: a Boolean value that indicates whether the representations replace those that the model
  ///   already has. If false, an entity with a representation keeps it.
  package func represented(
    by representations: [EntityName: any Representation], replacingOwn replacesOwn: Bool = false
  ) throws(ModelError) -> ManagedObjectModel {
    guard !representations.isEmpty else { return self }
    return try ManagedObjectModel(
      entities: declaredEntities, dateFormat: dateFormat, nulls: nulls,
      representations: self.representations.merging(representations) { replacesOwn ? $1 : $0 })
  }

  /// Returns the model with other warnings.
  package func adding(warnings: [ModelProblem]) -> ManagedObjectModel {
    var model = self
    model.warnings += warnings
    return model
  }
}
