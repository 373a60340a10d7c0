public import RecordEngine
public import RecordModel
import ScenarioComparison

/// The Swift code that a test target registers for its scenarios. YAML can only name this code.
///
/// ```swift
/// let app = ScenarioRegistrations(
///   recordTypes: [Post.self],
///   transformers: ["TagList": TagList()],
///   hooks: ["keyFromLink": { options in options.keyInjection = keyFromLink }])
/// ```
public struct ScenarioRegistrations: Sendable {
  /// A function that changes the options of a request. The options from YAML are already set.
  public typealias Hook = @Sendable (inout RequestOptions) -> Void

  /// The record types. Each type is bound to the entities that name it as `class`. Records of other entities are plain
  /// ones.
  public var recordTypes: [Record.Type]
  /// The marshalers by entity. If a scenario's `customize:` changes the population of an entity, it replaces the
  /// marshaler.
  public var marshalers: [EntityName: any Marshaler]
  /// The value transformers, by the names in `transformer` of attributes.
  public var transformers: [String: any RecordValueTransformer]
  /// The hooks, by the names in `options: {hooks: […]}` of scenarios.
  public var hooks: [String: Hook]
  /// The models, by the names in `model: {registered: …}` of scenarios.
  public var models: [String: ManagedObjectModel]

  /// Creates registrations, which are empty by default.
  public init(
    recordTypes: [Record.Type] = [], marshalers: [EntityName: any Marshaler] = [:],
    transformers: [String: any RecordValueTransformer] = [:],
    hooks: [String: Hook] = [:], models: [String: ManagedObjectModel] = [:]
  ) {
    self.recordTypes = recordTypes
    self.marshalers = marshalers
    self.transformers = transformers
    self.hooks = hooks
    self.models = models
  }

  /// A Boolean value that indicates whether nothing is registered.
  package var isEmpty: Bool {
    recordTypes.isEmpty && marshalers.isEmpty && transformers.isEmpty && hooks.isEmpty && models.isEmpty
  }

  /// Returns the record types that a model uses. Registrations may serve several models.
  package func recordTypes(of model: ManagedObjectModel) -> [Record.Type] {
    recordTypes.filter(model.hasEntity)
  }
}
