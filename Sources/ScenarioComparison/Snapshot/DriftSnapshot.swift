package import JSONTree
package import RecordModel

/// The drift of a step: differences between its response and the model. Rule: `diagnostics.drift`.
package struct DriftSnapshot: Hashable, Sendable {
  /// The drift by entity. Entities without drift are omitted.
  package var entities: [EntityName: EntityDriftSnapshot]

  /// Creates a drift snapshot, which is empty by default.
  package init(_ entities: [EntityName: EntityDriftSnapshot] = [:]) { self.entities = entities }
}

/// The drift of one entity's items.
package struct EntityDriftSnapshot: Hashable, Sendable {
  /// The number of items.
  package var items: Int
  /// The keys that nothing reads, by path.
  package var unused: [MappingPath: DriftCount]
  /// The properties that no item has, in the model's order.
  package var missing: [PropertyName]
  /// The properties with unexpected or several kinds of values, with the count of each kind. `tags[]` stands for the
  /// elements of the array `tags`.
  package var types: [String: [String: DriftCount]]

  /// Creates a drift snapshot of one entity, which only has items by default.
  package init(
    items: Int, unused: [MappingPath: DriftCount] = [:], missing: [PropertyName] = [],
    types: [String: [String: DriftCount]] = [:]
  ) {
    self.items = items
    self.unused = unused
    self.missing = missing
    self.types = types
  }
}

/// The number of occurrences and the location of the first one.
package struct DriftCount: Hashable, Sendable {
  /// The number of occurrences.
  package var count: Int
  /// The JSON pointer of the first occurrence.
  package var pointer: String
  /// The address of the response with the first occurrence.
  package var response: String
  /// The index of this response among all canned responses; nil if it is unknown. Golden files omit it.
  package var answer: Int?

  /// Creates a count with the location of the first occurrence.
  package init(count: Int, pointer: String, response: String, answer: Int? = nil) {
    self.count = count
    self.pointer = pointer
    self.response = response
    self.answer = answer
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
  package var goldenForm: JSONValue { form(of: \.goldenForm) }

  /// The form of a golden file, in which the counts also have the index of the canned response, as `answer`.
  var answeredForm: JSONValue { form(of: \.answeredForm) }

  private func form(of count: (DriftCount) -> JSONValue) -> JSONValue {
    var members: JSONObject = ["items": .number(JSONNumber(Int64(items)))]
    if !missing.isEmpty { members["missing"] = .array(missing.map { .string($0.rawValue) }) }
    if !types.isEmpty {
      members["types"] = .object(
        sorted: types.map { type, kinds in
          (type, .object(sorted: kinds.map { ($0, count($1)) }))
        })
    }
    if !unused.isEmpty {
      members["unused"] = .object(sorted: unused.map { ($0.description, count($1)) })
    }
    return .object(members)
  }
}

extension DriftCount {
  fileprivate var goldenForm: JSONValue { .object(members) }

  fileprivate var answeredForm: JSONValue {
    var members = members
    if let answer { members["answer"] = .number(JSONNumber(Int64(answer))) }
    return .object(members)
  }

  private var members: JSONObject {
    ["count": .number(JSONNumber(Int64(count))), "pointer": .string(pointer), "response": .string(response)]
  }
}

extension JSONValue {
  fileprivate static func object(sorted members: [(String, JSONValue)]) -> JSONValue {
    .object(JSONObject(members.sorted { scalarsPrecede($0.0, $1.0) }))
  }
}
