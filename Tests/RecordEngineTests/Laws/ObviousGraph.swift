import RecordEngine

/// A graph of records by key, with both sides of every link. It computes the expected contents of a context in the
/// simplest way.
struct ObviousGraph: Equatable {
  struct Node: Equatable {
    var entity: String
    var name: String?
    /// The linked keys by property. A to-one relationship has at most one element, and empty relationships are omitted.
    var links: [String: Set<String>] = [:]
  }

  struct Property {
    var entity: String
    var isToOne: Bool
    var destination: String
    var inverse: String
    var rule: DeleteRule = .nullify
  }

  enum Change {
    case insert(String, entity: String)
    case name(String, String?)
    case link(String, String, String?)
    case add(String, String, String)
    case remove(String, String, String)
    case delete(String)
  }

  var nodes: [String: Node] = [:]

  static let properties: [String: Property] = [
    "boss": Property(entity: "Person", isToOne: true, destination: "Person", inverse: "staff"),
    "staff": Property(entity: "Person", isToOne: false, destination: "Person", inverse: "boss"),
    "partner": Property(entity: "Person", isToOne: true, destination: "Person", inverse: "partner"),
    "friends": Property(entity: "Person", isToOne: false, destination: "Person", inverse: "friends"),
    "tasks": Property(
      entity: "Person", isToOne: false, destination: "Task", inverse: "owner", rule: .cascade),
    "tags": Property(entity: "Person", isToOne: false, destination: "Tag", inverse: "people"),
    "owner": Property(entity: "Task", isToOne: true, destination: "Person", inverse: "tasks"),
    "next": Property(entity: "Task", isToOne: true, destination: "Task", inverse: "previous", rule: .cascade),
    "previous": Property(entity: "Task", isToOne: true, destination: "Task", inverse: "next"),
    "people": Property(entity: "Tag", isToOne: false, destination: "Person", inverse: "tags", rule: .deny),
  ]

  static func model() throws -> ManagedObjectModel {
    try ManagedObjectModel(
      entities: ["Person", "Task", "Tag"].map { entity in
        EntityDescription(
          EntityName(entity), primaryKey: "id",
          attributes: [AttributeDescription("id", .string), AttributeDescription("name", .string)],
          relationships: properties.sorted { $0.key < $1.key }.filter { $0.value.entity == entity }.map {
            name, property in
            let (to, inverse) = (EntityName(property.destination), PropertyName(property.inverse))
            return property.isToOne
              ? RelationshipDescription(
                PropertyName(name), to: to, inverse: inverse, deleteRule: property.rule)
              : RelationshipDescription(
                PropertyName(name), toMany: to, inverse: inverse, isOrdered: name == "tasks",
                deleteRule: property.rule)
          })
      })
  }

  // MARK: Changes

  /// Applies the changes in order, deletions last. Returns the number of deletions that a `deny` rule forbids.
  @discardableResult
  mutating func apply(_ changes: [Change]) -> Int {
    let saved = Set(nodes.keys)
    var deleted: Set<String> = []
    for change in changes {
      if case .delete(let key) = change { deleted.insert(key) } else { apply(change) }
    }
    return delete(deleted, askingOf: saved)
  }

  private mutating func apply(_ change: Change) {
    switch change {
    case .insert(let key, let entity): nodes[key] = Node(entity: entity)
    case .name(let key, let name): nodes[key]?.name = name
    case .link(let key, let property, let other):
      guard nodes[key] != nil else { return }
      for former in members(key, property) { cut(key, property, former) }
      if let other, nodes[other] != nil { connect(key, property, other) }
    case .add(let key, let property, let other):
      guard nodes[key] != nil, nodes[other] != nil else { return }
      connect(key, property, other)
    case .remove(let key, let property, let other): cut(key, property, other)
    case .delete: break
    }
  }

  func members(_ key: String, _ property: String) -> Set<String> { nodes[key]?.links[property] ?? [] }

  private mutating func connect(_ key: String, _ property: String, _ other: String) {
    guard let value = Self.properties[property], let inverse = Self.properties[value.inverse] else { return }
    if inverse.isToOne {
      for rival in members(other, value.inverse) where rival != key { cut(other, value.inverse, rival) }
    }
    nodes[key]?.links[property, default: []].insert(other)
    nodes[other]?.links[value.inverse, default: []].insert(key)
  }

  private mutating func cut(_ key: String, _ property: String, _ other: String) {
    guard members(key, property).contains(other), let inverse = Self.properties[property]?.inverse else {
      return
    }
    for (owner, name, member) in [(key, property, other), (other, inverse, key)] {
      nodes[owner]?.links[name]?.remove(member)
      if members(owner, name).isEmpty { nodes[owner]?.links[name] = nil }
    }
  }

  private mutating func delete(_ keys: Set<String>, askingOf saved: Set<String>) -> Int {
    var doomed = keys.filter { nodes[$0] != nil }
    var isGrowing = true
    while isGrowing {
      let count = doomed.count
      for key in doomed {
        for (property, members) in nodes[key]?.links ?? [:]
        where Self.properties[property]?.rule == .cascade { doomed.formUnion(members) }
      }
      isGrowing = doomed.count > count
    }
    var denials = 0
    for key in doomed where saved.contains(key) {
      for (property, members) in nodes[key]?.links ?? [:]
      where Self.properties[property]?.rule == .deny && !members.isSubset(of: doomed) { denials += 1 }
    }
    for key in doomed {
      for (property, members) in nodes[key]?.links ?? [:] {
        for member in members { cut(key, property, member) }
      }
      nodes[key] = nil
    }
    return denials
  }

  // MARK: Contents of a context

  init() {}

  init(_ context: ManagedObjectContext) throws {
    for entity in ["Person", "Task", "Tag"] {
      for record in try context.fetch(RecordFetchRequest(EntityName(entity))) {
        var node = Node(entity: entity, name: record["name"])
        for (property, value) in Self.properties where value.entity == entity {
          let others: [Record]
          if value.isToOne {
            others = [record[PropertyName(property)] as Record?].compactMap(\.self)
          } else {
            others = record[PropertyName(property)]
          }
          if !others.isEmpty { node.links[property] = Set(others.map { $0["id"] ?? "?" }) }
        }
        nodes[record["id"] ?? "?"] = node
      }
    }
  }
}
