public import JSONTree

/// A checked model: entities that fit together.
public struct ManagedObjectModel: Sendable {
  /// The entities as declared, in order.
  public let entities: [EntityDescription]

  /// What is doubtful, but no error.
  public let warnings: [ModelProblem]

  /// Checks the entities against each other. Throws everything that is wrong, in one go.
  ///
  /// - Parameters:
  ///   - dateFormat: how strings of dates are read where neither attribute nor entity says.
  ///   - nulls: what a JSON null does where neither property nor entity says.
  public init(
    entities: [EntityDescription], dateFormat: String? = nil, nulls: NullPolicy = .clear
  ) throws(ModelError) {
    self.entities = entities
    self.warnings = []
  }
}
