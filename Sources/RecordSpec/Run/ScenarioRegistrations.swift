public import RecordEngine
public import RecordModel

/// What a test target brings to its scenarios: Swift code that YAML can only name.
///
/// ```swift
/// let app = ScenarioRegistrations(
///   recordTypes: [Post.self],
///   transformers: ["TagList": TagList()],
///   hooks: ["keyFromLink": { options in options.keyInjection = keyFromLink }])
/// ```
public struct ScenarioRegistrations: Sendable {
  /// Sets what it wants of the options of a request; what stands beside it in YAML is set already.
  public typealias Hook = @Sendable (inout RequestOptions) -> Void

  /// Record types, bound to the entities that name them as `class`; records of others are plain ones.
  public var recordTypes: [Record.Type]
  /// Marshalers by entity; what a scenario's `customise:` says of the population of an entity stands in their place.
  public var marshalers: [EntityName: any Marshaler]
  /// Value transformers by the name that attributes give as `transformer`.
  public var transformers: [String: any RecordValueTransformer]
  /// Hooks by the name that scenarios give in `options: {hooks: […]}`.
  public var hooks: [String: Hook]

  public init(
    recordTypes: [Record.Type] = [], marshalers: [EntityName: any Marshaler] = [:],
    transformers: [String: any RecordValueTransformer] = [:],
    hooks: [String: Hook] = [:]
  ) {
    self.recordTypes = recordTypes
    self.marshalers = marshalers
    self.transformers = transformers
    self.hooks = hooks
  }

  /// The record types that a scenario's model has: what is registered is for several models.
  func recordTypes(of model: ManagedObjectModel) -> [Record.Type] {
    recordTypes.filter(model.hasEntity)
  }
}
