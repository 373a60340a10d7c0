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

  /// What the model was made of.
  private let source: Source

  private struct Source {
    var entities: [EntityDescription]
    var dateFormat: String?
    var nulls: NullPolicy
    var representations: [EntityName: any Representation]
  }

  /// Checks the entities against each other.
  ///
  /// - Parameters:
  ///   - dateFormat: how strings of dates are read where neither attribute nor entity says.
  ///   - nulls: what a JSON null does where neither property nor entity says.
  ///   - representations: names, paths and keys that entities have in items, in place of what their descriptions say.
  /// - Throws: everything that is wrong, in the order of the model.
  /// - Complexity: linear in the properties, times the depth of inheritance.
  public init(
    entities: [EntityDescription], dateFormat: String? = nil, nulls: NullPolicy = .clear,
    representations: [EntityName: any Representation] = [:]
  ) throws(ModelError) {
    try self.init(
      Source(entities: entities, dateFormat: dateFormat, nulls: nulls, representations: representations))
  }

  private init(_ source: Source) throws(ModelError) {
    var builder = SchemaBuilder(
      entities: source.entities, dateFormat: source.dateFormat, nulls: source.nulls,
      representations: source.representations)
    schema = try builder.build()
    warnings = builder.problems
    entities = builder.descriptions
    self.source = source
  }

  /// The same model with representations for entities that have none yet.
  package func represented(
    by representations: [EntityName: any Representation]
  ) throws(ModelError) -> ManagedObjectModel {
    guard !representations.isEmpty else { return self }
    var source = source
    source.representations.merge(representations) { own, _ in own }
    return try ManagedObjectModel(source)
  }
}
