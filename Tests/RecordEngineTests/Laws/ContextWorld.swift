import Foundation
import JSONTree
import Testing

@testable import RecordEngine

/// Two contexts on one store, a child and a grandchild of the first one, and the expected contents of each.
struct ContextWorld {
  private struct Level {
    var context: ManagedObjectContext
    var parent: Int?
    /// The graph of the store or the parent, as last merged.
    var base = ObviousGraph()
    /// The graph of the context, with deleted records.
    var graph = ObviousGraph()
    /// Records that are retained, by key.
    var held: [String: Record] = [:]
  }

  private let container: PersistentContainer
  private let server: NextResponse
  private var saves: AsyncStream<SavedChanges>.Iterator
  private var random = RandomNumbers(seed: 0)
  private var levels: [Level]
  private var store = ObviousGraph()
  private var made = 0
  /// The errors of the steps themselves.
  private var wrongSteps: [String] = []

  init(_ container: PersistentContainer, _ server: NextResponse) {
    self.container = container
    self.server = server
    saves = container.saves.makeAsyncIterator()
    let (first, second) = (container.makeContext(), container.makeContext())
    let child = first.makeChild()
    levels = [
      Level(context: first), Level(context: second), Level(context: child, parent: 0),
      Level(context: child.makeChild(), parent: 2),
    ]
  }

  /// Returns the expected contents of a context, or of the store.
  private func shown(_ level: Int?) -> ObviousGraph { level.map { levels[$0].graph.visible } ?? store }

  /// Merges the current graph of the store or the parent into a context and its children.
  private mutating func merge(into index: Int) {
    let base = shown(levels[index].parent)
    levels[index].graph = base.merging(from: levels[index].base, to: levels[index].graph, base: base)
    levels[index].base = base
    refreshChildren(of: index)
  }

  mutating func mistakes() throws -> [String] {
    var mistakes = wrongSteps
    for index in levels.indices {
      let (context, expected) = (levels[index].context, shown(index))
      let actual = try ObviousGraph(context)
      for key in Set(actual.nodes.keys).union(expected.nodes.keys).sorted()
      where actual.nodes[key] != expected.nodes[key] {
        mistakes.append(
          "context \(index): \(key) is \(text(actual.nodes[key])), expected \(text(expected.nodes[key]))"
        )
      }
      mistakes += try context.graph.brokenInvariants().map { "context \(index): \($0)" }
      for (key, record) in levels[index].held.sorted(by: { $0.key < $1.key }) {
        if record.isDeleted != (expected.nodes[key] == nil) {
          mistakes.append("context \(index): \(key) has the wrong value of isDeleted")
        }
        if record.isDeleted {
          // Another record with this key can follow.
          levels[index].held[key] = nil
        } else if context.record(with: record.recordID) !== record {
          mistakes.append("context \(index): \(key) has two objects")
        }
      }
    }
    return mistakes
  }

  private func text(_ node: ObviousGraph.Node?) -> String {
    guard let node else { return "missing" }
    let links = node.links.sorted { $0.key < $1.key }.map { "\($0): \($1.sorted())" }
    return ([node.entity, "name: \(node.name ?? "none")"] + links).joined(separator: " ")
  }

  private mutating func expect(_ isRight: Bool, _ mistake: @autoclosure () -> String) {
    if !isRight { wrongSteps.append(mistake()) }
  }

  // MARK: Steps

  /// Runs one step, and returns its description.
  mutating func step(_ random: RandomNumbers) async throws -> String {
    self.random = random
    let index = self.random.number(0...3)
    let level = levels[index]
    switch self.random.number(0...99) {
    case ..<62: return try change(index)
    case ..<74: return try await save(index)
    case ..<79:
      level.context.rollback()
      forget(index)
      return "roll back \(index)"
    case ..<81:
      level.context.reset()
      forget(index)
      return "reset \(index)"
    case ..<84:
      level.context.refreshAllObjects()
      return "refresh \(index)"
    case ..<92: return try await request(index, isPersisted: true)
    default: return try await request(index, isPersisted: false)
    }
  }

  private mutating func forget(_ index: Int) {
    levels[index].graph = levels[index].base
    refreshChildren(of: index)
  }

  /// Refreshes the children of a context, because they keep the values that they have read.
  private mutating func refreshChildren(of index: Int) {
    for child in levels.indices where levels[child].parent == index {
      levels[child].context.refreshAllObjects()
      merge(into: child)
    }
  }

  private func record(_ key: String, _ context: ManagedObjectContext) throws -> Record {
    for entity in ["Person", "Task", "Tag"] {
      let records = try context.fetch(RecordFetchRequest(EntityName(entity)))
      if let record = records.first(where: { $0["id"] == key }) { return record }
    }
    throw CocoaError(.coderValueNotFound)
  }

  private mutating func newKey() -> String {
    made += 1
    return "\(made)"
  }

  /// Returns the key of a record that only other contexts have.
  private func keyOfOtherContext(_ entity: String, _ index: Int) -> String? {
    levels.flatMap(\.graph.nodes).filter { key, node in
      node.entity == entity && levels[index].graph.nodes[key] == nil && levels[index].base.nodes[key] == nil
        && levels[index].held[key] == nil
    }.map(\.key).min()
  }

  // MARK: Edits

  private mutating func change(_ index: Int) throws -> String {
    let (context, graph) = (levels[index].context, shown(index))
    let keys = graph.nodes.keys.sorted { (Int($0) ?? 0) < (Int($1) ?? 0) }
    guard let key = random.pick(keys), let node = graph.nodes[key], random.chance(80) else {
      let entity = random.pick(["Person", "Person", "Task", "Tag"]) ?? "Tag"
      let key = random.chance(20) ? keyOfOtherContext(entity, index) ?? newKey() : newKey()
      let record = try context.insert(EntityName(entity))
      record["id"] = key
      if random.chance(50) { levels[index].held[key] = record }
      return note([.insert(key, entity: entity)], index)
    }
    let record = try record(key, context)
    if random.chance(30) { levels[index].held[key] = record }
    if random.chance(15) {
      context.delete(record)
      return note([.delete(key)], index)
    }
    if random.chance(25) {
      let name = random.chance(80) ? "name \(random.number(1...9))" : nil
      record["name"] = name
      return note([.name(key, name)], index)
    }
    let properties = ObviousGraph.properties.filter { $0.value.entity == node.entity }.keys.sorted()
    guard let property = random.pick(properties), let value = ObviousGraph.properties[property] else {
      return "nothing"
    }
    let name = PropertyName(property)
    let others = keys.filter { graph.nodes[$0]?.entity == value.destination }
    let present = graph.members(key, property).sorted()
    if value.isToOne {
      let other = random.chance(80) ? random.pick(others) : nil
      record[name] = try other.map { try self.record($0, context) }
      return note([.link(key, property, other)], index)
    }
    if random.chance(30) {
      let wanted = random.shuffled(others).prefix(random.number(0...3))
      record[name] = try wanted.map { try self.record($0, context) }
      return note(
        present.filter { !wanted.contains($0) }.map { .remove(key, property, $0) }
          + wanted.filter { !present.contains($0) }.map { .add(key, property, $0) }, index)
    }
    guard let other = random.pick(random.chance(40) && !present.isEmpty ? present : others) else {
      return "nothing"
    }
    if present.contains(other) {
      record.remove(try self.record(other, context), from: name)
      return note([.remove(key, property, other)], index)
    }
    record.add(try self.record(other, context), to: name)
    return note([.add(key, property, other)], index)
  }

  private mutating func note(_ changes: [ObviousGraph.Change], _ index: Int) -> String {
    for change in changes { levels[index].graph.apply(change, base: levels[index].base) }
    refreshChildren(of: index)
    return "context \(index): \(changes)"
  }

  // MARK: Saving

  private mutating func save(_ index: Int) async throws -> String {
    let (context, level) = (levels[index].context, levels[index])
    if let parent = level.parent {
      try context.save()
      levels[parent].graph = levels[parent].graph.merging(
        from: level.base, to: level.graph, base: levels[parent].base)
      expect(shown(parent) == level.graph.visible, "the parent differs from the saved child")
      levels[index].graph = shown(parent)
      levels[index].base = shown(parent)
      refreshChildren(of: parent)
      return "save \(index) to \(parent)"
    }
    guard level.graph.denials == 0 else {
      do {
        try context.save()
        wrongSteps.append("the save is not denied")
      } catch {}
      if random.chance(70) {
        context.rollback()
        forget(index)
      }
      return "save \(index), which is denied"
    }
    let saved = level.graph.visible
    expect(context.hasChanges == (saved != store), "hasChanges is \(context.hasChanges)")
    let changes = try context.save()
    expect(changes.isEmpty == (saved == store), "the save reports \(changes)")
    store = saved
    (levels[index].base, levels[index].graph) = (saved, saved)
    try await merge(changes, savedBy: index)
    expect(try ObviousGraph(container.makeContext()) == saved, "the stored graph differs")
    return "save \(index)"
  }

  /// Merges the saved changes into all contexts.
  private mutating func merge(_ changes: ImportChanges, savedBy index: Int) async throws {
    if !changes.isEmpty {
      let save = try #require(await saves.next())
      expect(save.changes == changes, "the save is announced as \(save.changes)")
      expect(
        save.contextID == levels[index].context.contextID,
        "the save is announced with the id of another context")
      for level in levels { level.context.merge(save) }
    }
    for root in 0...1 { merge(into: root) }
  }

  // MARK: Requests

  /// Requests a response with one new or known person and links to existing records.
  private mutating func request(_ index: Int, isPersisted: Bool) async throws -> String {
    let base = isPersisted ? store : shown(index)
    func pick(_ entity: String) -> String? {
      random.pick(
        base.nodes.filter { $0.value.entity == entity }.keys.sorted { (Int($0) ?? 0) < (Int($1) ?? 0) })
    }
    var item: JSONObject = [:]
    var said: [ObviousGraph.Change] = []
    var known = random.chance(70) ? pick("Person") : nil
    // An unsaved deletion, which an unsaved response cancels.
    let deleted = levels[index].graph.nodes.filter { $0.value.isDeleted && $0.value.entity == "Person" }
    if !isPersisted, random.chance(30) { known = deleted.keys.min() ?? known }
    let key = known ?? newKey()
    if base.nodes[key] == nil { said.append(.insert(key, entity: "Person")) }
    item["id"] = .string(key)
    let name = "response \(random.number(1...4))"
    item["name"] = .string(name)
    said.append(.name(key, name))
    for (property, entity) in [("tags", "Tag"), ("tasks", "Task")] {
      guard let other = pick(entity), random.chance(60) else { continue }
      item[property] = .array([.string(other)])
      said.append(.add(key, property, other))
      // The task's own end of the relationship is set too. It becomes nil if the person is deleted.
      if property == "tasks" { said.append(.link(other, "owner", key)) }
    }
    if random.chance(20) {
      item["boss"] = .null
      said.append(.link(key, "boss", nil))
    } else if let other = pick("Person"), random.chance(60) {
      item["boss"] = .string(other)
      said.append(.link(key, "boss", other))
    }
    if let other = pick("Person"), random.chance(30) {
      item["partner"] = .string(other)
      said.append(.link(key, "partner", other))
    }
    server.set(.array([.object(item)]))
    var options = RequestOptions()
    options.automaticallyPersistsRecords = isPersisted
    let dry = try await dryRun(index, options)
    let result = try await container.request(
      "Person", urn: "next", options: options, context: levels[index].context)
    try expect(dry, toShow: result, index)
    if isPersisted {
      for change in said { store.apply(change, base: store) }
      try await merge(result.changes, savedBy: index)
    } else {
      _ = note(said, index)
    }
    return "context \(index), \(isPersisted ? "saved" : "unsaved"): \(JSONValue.object(item).compactText())"
  }

  private struct DryRun {
    var changes: ImportChanges
    /// The graph of the context that shows the records, or nil without records.
    var graph: ObviousGraph?
  }

  private func dryRun(
    _ index: Int, _ options: RequestOptions, isolation: isolated (any Actor)? = #isolation
  ) async throws -> DryRun {
    var options = options
    options.isDryRun = true
    let result = try await container.request(
      "Person", urn: "next", options: options, context: levels[index].context)
    return DryRun(
      changes: result.changes, graph: try result.records.first.map { try ObviousGraph($0.context) })
  }

  private mutating func expect(
    _ dry: DryRun, toShow result: RequestResult<Record>, _ index: Int
  ) throws {
    let inserted = (dry.changes.inserted, result.changes.inserted)
    expect(inserted.0.count == inserted.1.count, "the dry run inserts \(inserted.0)")
    let numbers = Dictionary(zip(inserted.0, inserted.1)) { first, _ in first }
    expect(
      dry.changes.replacing { numbers[$0] ?? $0 } == result.changes,
      "the dry run changes \(dry.changes), the run \(result.changes)")
    guard let actual = dry.graph else {
      expect(result.records.isEmpty, "the dry run has no records")
      return
    }
    let expected = try ObviousGraph(levels[index].context)
    expect(actual == expected, "the dry run shows \(actual), the run \(expected)")
  }
}
