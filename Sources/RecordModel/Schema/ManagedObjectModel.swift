/// A checked model: entities that fit together.
///
/// ```swift
/// let model = try ManagedObjectModel(entities: [
///   EntityDescription(
///     "User", primaryKey: "id",
///     attributes: [AttributeDescription("id", .string), AttributeDescription("name", .string)])
/// ])
/// ```
public struct ManagedObjectModel: Sendable {
  /// The entities as declared, in order; where they have representations, as these say.
  public let entities: [EntityDescription]

  /// What is doubtful, but no error: a relationship without inverse, an abstract entity without sub-entities.
  public let warnings: [ModelProblem]

  package let schema: Schema

  /// What holds where neither property nor entity says.
  package let (dateFormat, nulls): (String?, NullPolicy)

  /// The entities before representations have said what is otherwise.
  private let declaredEntities: [EntityDescription]
  let representations: [EntityName: any Representation]

  /// Checks the entities against each other.
  ///
  /// - Parameters:
  ///   - dateFormat: how strings of dates are read where neither attribute nor entity says.
  ///   - nulls: what a JSON null does where neither property nor entity says.
  ///   - representations: names, paths and keys that entities have in items, in place of what their descriptions say.
  /// - Throws: everything that is wrong, in the order of the model.
  /// - Complexity: linear in the entities and their properties. A sub-entity with properties of its own counts with the
  ///   inherited ones.
  public init(
    entities: [EntityDescription], dateFormat: String? = nil, nulls: NullPolicy = .clear,
    representations: [EntityName: any Representation] = [:]
  ) throws(ModelError) {
    self.entities = entities.described(by: representations)
    var builder = SchemaBuilder(
      entities: self.entities, dateFormat: dateFormat, nulls: nulls, representations: representations)
    schema = try builder.build()
    warnings = builder.problems
    (self.dateFormat, self.nulls) = (dateFormat, nulls)
    (declaredEntities, self.representations) = (entities, representations)
  }

  /// The same model with representations for entities that have none yet.
  package func represented(
    by representations: [EntityName: any Representation]
  ) throws(ModelError) -> ManagedObjectModel {
    guard !representations.isEmpty else { return self }
    return try ManagedObjectModel(
      entities: declaredEntities, dateFormat: dateFormat, nulls: nulls,
      representations: self.representations.merging(representations) { own, _ in own })
  }
}
