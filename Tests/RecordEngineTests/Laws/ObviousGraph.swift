import RecordEngine

/// A graph of records by key, with both sides of every link. It computes the expected contents of a context in the
/// simplest way.
struct ObviousGraph: Equatable {
  struct Node: Equatable {
    var entity: String
    var name: String?
    /// The linked keys by property. A to-one relationship has at most one element, and empty relationships are omitted.
    var links: [String: Set<String>] = [:]
    /// A Boolean value that indicates whether a stored record is deleted. It then has only links that a `deny` rule protects.
    var isDeleted = false
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

  /// Applies a change.
  ///
  /// - Parameter base: The graph of the store or the parent.
  mutating func apply(_ change: Change, base: ObviousGraph) {
    switch change {
    case .insert(let key, let entity):
      if nodes[key]?.isDeleted ?? false { cutAll(key) }
      nodes[key] = Node(entity: entity)
    case .name(let key, let name): nodes[key]?.name = name
    case .link(let key, let property, let other):
      guard nodes[key] != nil else { return }
      for former in members(key, property) { cut(key, property, former) }
      if let other, exists(other) { connect(key, property, other) }
    case .add(let key, let property, let other):
      if exists(key), exists(other) { connect(key, property, other) }
    case .remove(let key, let property, let other): cut(key, property, other)
    case .delete(let key): delete(key, base: base)
    }
  }

  private func exists(_ key: String) -> Bool { nodes[key].map { !$0.isDeleted } ?? false }

  /// The graph without deleted records, as a context shows it.
  var visible: ObviousGraph {
    var graph = self
    for key in nodes.keys where !exists(key) {
      graph.cutAll(key)
      graph.nodes[key] = nil
    }
    return graph
  }

  /// The number of `deny` rules that the deletions violate.
  var denials: Int {
    nodes.values.filter(\.isDeleted).flatMap(\.links.values).filter { $0.contains(where: exists) }.count
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

  private mutating func cutAll(_ key: String) {
    for (property, members) in nodes[key]?.links ?? [:] {
      for member in members { cut(key, property, member) }
    }
  }

  private mutating func delete(_ key: String, base: ObviousGraph) {
    var doomed: Set<String> = [key]
    var isGrowing = true
    while isGrowing {
      let count = doomed.count
      for key in doomed {
        for (property, members) in nodes[key]?.links ?? [:]
        where Self.properties[property]?.rule == .cascade { doomed.formUnion(members) }
      }
      isGrowing = doomed.count > count
    }
    for key in doomed.sorted() {
      markDeleted(key, isStored: base.nodes[key] != nil)
    }
  }

  private mutating func markDeleted(_ key: String, isStored: Bool) {
    for (property, members) in nodes[key]?.links ?? [:]
    where !isStored || Self.properties[property]?.rule != .deny {
      for member in members { cut(key, property, member) }
    }
    if isStored { nodes[key]?.isDeleted = true } else { nodes[key] = nil }
  }

  // MARK: Merging

  /// Returns this graph with the changes that lead from one graph to another one, property by property. The changes win.
  ///
  /// - Parameters:
  ///   - former: The graph before the changes.
  ///   - changed: The graph after the changes.
  ///   - base: The graph of the store or the parent that this graph belongs to.
  func merging(from former: ObviousGraph, to changed: ObviousGraph, base: ObviousGraph) -> ObviousGraph {
    var merged = self
    let keys = changed.nodes.keys.sorted()
    for key in keys where former.nodes[key] == nil && !exists(key) {
      merged.apply(.insert(key, entity: changed.nodes[key]?.entity ?? ""), base: base)
    }
    var (emptied, linked): ([Change], [Change]) = ([], [])
    for key in keys where merged.exists(key) {
      guard let node = changed.nodes[key] else { continue }
      if node.name != former.nodes[key]?.name { merged.nodes[key]?.name = node.name }
      for (property, value) in Self.properties.sorted(by: { $0.key < $1.key })
      where value.entity == node.entity {
        let (before, after) = (former.members(key, property), node.links[property] ?? [])
        if value.isToOne {
          if before == after { continue }
          if after.isEmpty { emptied.append(.link(key, property, nil)) }
          linked += after.filter(merged.exists).map { .link(key, property, $0) }
        } else if Self.properties[value.inverse]?.isToOne == false {
          emptied += before.subtracting(after).sorted().map { .remove(key, property, $0) }
          linked += after.subtracting(before).sorted().map { .add(key, property, $0) }
        }
      }
    }
    for change in emptied + linked { merged.apply(change, base: base) }
    for key in keys where changed.nodes[key]?.isDeleted == true && merged.exists(key) {
      merged.markDeleted(key, isStored: base.nodes[key] != nil)
    }
    return merged
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
