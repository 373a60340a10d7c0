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
  /// The entities as declared, in order.
  public let entities: [EntityDescription]

  /// What is doubtful, but no error: a relationship without inverse, an abstract entity without sub-entities.
  public let warnings: [ModelProblem]

  package let schema: Schema

  /// What holds where neither property nor entity says.
  let (dateFormat, nulls): (String?, NullPolicy)

  /// Checks the entities against each other.
  ///
  /// - Parameters:
  ///   - dateFormat: how strings of dates are read where neither attribute nor entity says.
  ///   - nulls: what a JSON null does where neither property nor entity says.
  /// - Throws: everything that is wrong, in the order of the model.
  /// - Complexity: linear in the properties, times the depth of inheritance.
  public init(
    entities: [EntityDescription], dateFormat: String? = nil, nulls: NullPolicy = .clear
  ) throws(ModelError) {
    var builder = SchemaBuilder(entities: entities, dateFormat: dateFormat, nulls: nulls)
    schema = try builder.build()
    warnings = builder.problems
    self.entities = entities
    (self.dateFormat, self.nulls) = (dateFormat, nulls)
  }
}
