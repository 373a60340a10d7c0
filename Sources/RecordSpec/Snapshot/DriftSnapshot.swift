package import JSONTree
public import RecordModel

/// Where the response of a step and the model do not fit each other. Rule: `diagnostics.drift`.
public struct DriftSnapshot: Hashable, Sendable {
  /// What drifted; entities that fit are left out.
  public var entities: [EntityName: EntityDriftSnapshot]

  public init(_ entities: [EntityName: EntityDriftSnapshot] = [:]) { self.entities = entities }
}

/// Where the items of one entity do not fit the model.
public struct EntityDriftSnapshot: Hashable, Sendable {
  /// How many items there were.
  public var items: Int
  /// The keys that nothing reads, by path.
  public var unused: [MappingPath: DriftCount]
  /// The properties that never came, in the model's order.
  public var missing: [PropertyName]
  /// The kinds of values that came, by property; `tags[]` is what the array of `tags` holds.
  public var types: [String: [String: DriftCount]]

  public init(
    items: Int, unused: [MappingPath: DriftCount] = [:], missing: [PropertyName] = [],
    types: [String: [String: DriftCount]] = [:]
  ) {
    self.items = items
    self.unused = unused
    self.missing = missing
    self.types = types
  }
}

/// How often something came, and where first.
public struct DriftCount: Hashable, Sendable {
  public var count: Int
  /// A JSON pointer into the response.
  public var pointer: String
  /// The address of the response.
  public var response: String

  public init(count: Int, pointer: String, response: String) {
    self.count = count
    self.pointer = pointer
    self.response = response
  }
}

// MARK: - The form of a golden file

extension DriftSnapshot {
  package var goldenForm: JSONValue {
    var members: JSONObject = [:]
    for (name, entity) in entities.sorted(by: { $0.key < $1.key }) {
      members[name.rawValue] = entity.goldenForm
    }
    return .object(members)
  }
}

extension EntityDriftSnapshot {
  fileprivate var goldenForm: JSONValue {
    var members: JSONObject = ["items": .number(JSONNumber(Int64(items)))]
    if !missing.isEmpty { members["missing"] = .array(missing.map { .string($0.rawValue) }) }
    if !types.isEmpty {
      members["types"] = .object(
        sorted: types.map { type, kinds in
          (type, .object(sorted: kinds.map { ($0, $1.goldenForm) }))
        })
    }
    if !unused.isEmpty {
      members["unused"] = .object(sorted: unused.map { ($0.description, $1.goldenForm) })
    }
    return .object(members)
  }
}

extension DriftCount {
  fileprivate var goldenForm: JSONValue {
    [
      "count": .number(JSONNumber(Int64(count))), "pointer": .string(pointer), "response": .string(response),
    ]
  }
}

extension JSONValue {
  fileprivate static func object(sorted members: [(String, JSONValue)]) -> JSONValue {
    .object(JSONObject(members.sorted { scalarsPrecede($0.0, $1.0) }))
  }
}
