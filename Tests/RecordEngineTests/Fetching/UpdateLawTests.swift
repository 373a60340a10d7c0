import RecordModel
import Testing

@testable import RecordEngine

/// Random tests for updates: the changes between two results, and the updates of contexts.
@Suite("Fetching: laws of updates")
struct UpdateLawTests {
  private static let post = TreeIndex(0)

  /// The changes lead from one list to the other, and move as few records as possible.
  @Test(arguments: randomSeeds(300))
  func changesLeadToTheNewList(seed: UInt64) throws {
    var random = RandomNumbers(seed: seed)
    let all = (0..<random.number(0...12)).map { RecordID(tree: Self.post, serial: Int64($0)) }
    var former = all.filter { _ in random.chance(80) }
    var new = all.filter { _ in random.chance(80) }
    if random.chance(70) { former = random.shuffled(former) }
    if random.chance(70) { new = random.shuffled(new) }
    let changes = FetchChanges(from: former, to: new)
    #expect(try changes.applied(to: former) == new)
    #expect(changes.deleted.map(\.id) == former.filter { !new.contains($0) })
    #expect(changes.inserted.map(\.id) == new.filter { !former.contains($0) })
    let common = former.count - changes.deleted.count
    #expect(changes.moved.count == common - Self.longestCommonSubsequence(former, new))
    #expect(changes.updated.isEmpty && changes.isEmpty == (former == new))
    #expect(FetchChanges(from: former, to: new) == changes)
  }

  private static func longestCommonSubsequence(_ left: [RecordID], _ right: [RecordID]) -> Int {
    var lengths = Array(repeating: 0, count: right.count + 1)
    for element in left {
      var diagonal = 0
      for (index, other) in right.enumerated() {
        let above = lengths[index + 1]
        lengths[index + 1] = element == other ? diagonal + 1 : max(above, lengths[index])
        diagonal = above
      }
    }
    return lengths[right.count]
  }

  /// The values of all properties of the records in a result, as the records show them.
  private typealias Values = [RecordID: [PropertyName: String]]

  private static func values(_ records: [Record]) -> Values {
    var result: Values = [:]
    for record in records {
      var values: [PropertyName: String] = [:]
      let schema = record.context.schema
      guard let entity = record.entityName.flatMap(schema.entity) else { continue }
      for attribute in entity.attributes {
        values[attribute.name] = record.value(of: attribute.name).map { "\($0)" } ?? "nil"
      }
      for relationship in entity.relationships.map({ schema.relationships[$0] }) {
        if relationship.isToMany {
          let members: [Record] = record[relationship.name]
          values[relationship.name] = "\(members.map(\.recordID.rawValue))"
        } else {
          let target: Record? = record[relationship.name]
          values[relationship.name] = "\(target?.recordID.rawValue ?? -1)"
        }
      }
      result[record.recordID] = values
    }
    return result
  }

  /// A reader of updates, which compares each one with the fetch and with the former values.
  private struct Reader {
    let name: String
    let context: ManagedObjectContext
    let request: RecordFetchRequest
    let loop: UpdateLoop<FetchUpdate<Record>>
    /// The last element retains its records, as a screen would.
    var records: [Record] = []
    var ids: [RecordID] = []
    var values: Values = [:]

    mutating func mistakes() throws -> [String] {
      var mistakes: [String] = []
      let update = try loop.ready()
      let records = try context.fetch(request)
      let (ids, values) = (records.map(\.recordID), UpdateLawTests.values(records))
      if let update {
        if update.records.map(\.recordID) != ids { mistakes.append("\(name): wrong records") }
        if try update.changes.applied(to: self.ids) != ids { mistakes.append("\(name): wrong changes") }
        if update.changes.isEmpty, !self.ids.isEmpty { mistakes.append("\(name): needless element") }
        var expected: [String] = []
        for (offset, id) in ids.enumerated() {
          guard let former = self.values[id], let current = values[id] else { continue }
          let names = current.keys.filter { current[$0] != former[$0] }.map(\.rawValue).sorted()
          if !names.isEmpty { expected.append("\(id.serial)@\(offset) \(names)") }
        }
        let updated = update.changes.updated.map {
          "\($0.id.serial)@\($0.offset) \($0.properties.map(\.rawValue).sorted())"
        }
        if updated != expected { mistakes.append("\(name): updated \(updated), expected \(expected)") }
      } else if ids != self.ids || values != self.values {
        let changed = ids.filter { values[$0] != self.values[$0] }
        mistakes.append(
          "\(name): a missing element, \(self.ids.map(\.serial)) became \(ids.map(\.serial)): "
            + changed.map { "\(self.values[$0] ?? [:]) became \(values[$0] ?? [:])" }.joined(separator: ", "))
      }
      (self.records, self.ids, self.values) = (records, ids, values)
      return mistakes
    }
  }

  /// Contexts insert, change, delete, save, merge and discard at random. Each element is the result of the fetch, and
  /// there is one whenever the result or its values differ.
  @Test(arguments: StoreKind.chosen, randomSeeds(40))
  func updatesAgreeWithTheFetch(kind: StoreKind, seed: UInt64) async throws {
    let world = try UpdateWorld(kind)
    var random = RandomNumbers(seed: seed)
    var saves = world.container.saves.makeAsyncIterator()
    let (first, second) = (world.container.makeContext(), world.container.makeContext())
    let child = first.makeChild()
    let contexts = [first, second, child]
    let requests = [
      UpdateWorld.byLikes, RecordFetchRequest("Post", predicate: "likes > 3", limit: 3),
      RecordFetchRequest("Post", predicate: "ANY tags.id BEGINSWITH '2.'"),
      RecordFetchRequest("Post", sortDescriptors: [RecordSortDescriptor("user.name")], offset: 1, limit: 4),
      RecordFetchRequest("User", predicate: "posts.@count > 0"), RecordFetchRequest("Tag"),
    ]
    var readers: [Reader] = []
    for (position, context) in contexts.enumerated() {
      for request in requests {
        let loop = try context.updates(of: request).makeAsyncIterator().loop
        readers.append(
          Reader(
            name: "context \(position), \(request)", context: context, request: request, loop: loop))
      }
    }
    for index in readers.indices { _ = try readers[index].mistakes() }
    var made = 0
    var trace: [String] = []
    for _ in 1...40 {
      let position = random.number(0...2)
      let context = contexts[position]
      let step = random.number(0...12)
      trace.append("\(position):\(step)")
      let entity: EntityName = random.pick(["Post", "Post", "User", "Tag", "Note"]) ?? "Post"
      let posts = try context.fetch(RecordFetchRequest("Post"))
      let users = try context.fetch(RecordFetchRequest("User"))
      let tags = try context.fetch(RecordFetchRequest("Tag"))
      switch step {
      case 0, 1:
        made += 1
        try world.insert(entity, entity == "Tag" ? "\(made % 4).\(made)" : "\(made)", context)
      case 2: random.pick(posts)?["likes"] = Double(random.number(0...6))
      case 3: random.pick(posts)?["text"] = random.pick(["a", "b"])
      case 4: random.pick(users)?["name"] = random.pick(["a", "b", "c"])
      case 5: random.pick(posts)?["user"] = random.chance(80) ? random.pick(users) : nil
      case 6: if let tag = random.pick(tags) { random.pick(posts)?.add(tag, to: "tags") }
      case 7: if let tag = random.pick(tags) { random.pick(posts)?.remove(tag, from: "tags") }
      case 8: random.pick(posts)?["likers"] = random.shuffled(users.filter { _ in random.chance(60) })
      case 9: if let record = random.pick(random.pick([posts, users, tags]) ?? []) { context.delete(record) }
      case 10:
        let before = context.coordinator.saveCount
        do {
          try context.save()
          let isWritten = context.coordinator.saveCount != before
          // The other contexts merge each save at once.
          if isWritten, let save = await saves.next() {
            (context === first ? second : child).merge(save)
          }
        } catch {
          context.rollback()
        }
      case 11: if random.chance(50) { context.rollback() } else { context.reset() }
      default:
        if random.chance(50) {
          context.refreshAllObjects()
        } else if let post = random.pick(posts) {
          context.refresh(post, mergeChanges: random.chance(50))
        }
      }
      for index in readers.indices where random.chance(50) {
        let mistakes = try readers[index].mistakes()
        try #require(mistakes == [], "seed \(seed) after \(trace)")
      }
    }
  }
}
