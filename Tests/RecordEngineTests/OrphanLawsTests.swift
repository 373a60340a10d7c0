import JSONTree
import RecordModel
import Testing

@testable import RecordEngine

/// Tests that import random pages with orphan deletion into both stores, and compare them with plain sets of nodes.
/// Rules: `orphans.scope`, `orphans.decide`, `orphans.pages`, `orphans.partial`, `orphans.guard`, `orphans.tombstone`.
@Suite struct OrphanLawsTests {
  private static func model(_ rule: DeleteRule) throws -> ManagedObjectModel {
    var node = EntityDescription("Node", primaryKey: "id", deletedWhen: "gone == true")
    node.attributes = [AttributeDescription("id", .int32), AttributeDescription("mark", .int32)]
    node.relationships = [
      RelationshipDescription("parent", to: "Node", inverse: "children"),
      RelationshipDescription("children", toMany: "Node", inverse: "parent"),
      RelationshipDescription("friends", toMany: "Node", inverse: "friends"),
    ]
    node.relationships[1].deleteRule = rule
    return try ManagedObjectModel(entities: [
      node, EntityDescription("Leaf", parent: "Node", usedWhen: "kind == 'leaf'"),
    ])
  }

  @Test(arguments: randomSeeds(200)) func whatIsLeftIsWhatWasBrought(seed: UInt64) throws {
    var random = RandomNumbers(seed: seed &* 104_729)
    let rule = random.pick([DeleteRule.nullify, .cascade, .deny]) ?? .nullify
    let schema = try Self.model(rule).schema
    let store = try StorePair(schema)
    var expected = ObviousOrphans(rule: rule)
    for round in 1...6 {
      let pages = (0..<random.number(1...3)).map { _ in Self.page(&random) }
      let (deletion, options) = Self.deletion(&random)
      let told = "seed \(seed), round \(round), \(rule): \(pages.map { Self.json($0).compactText() })"
      expected.run(pages, deletion)

      var mentioned: MentionedRecords? = MentionedRecords()
      var deleted = 0
      var timesTold = 0
      let before = try store.rows(of: 0).count
      var inserted = 0
      for (number, page) in pages.enumerated() {
        var pageOptions = options
        if pages.count > 1 {
          let isLast = number == pages.count - 1
          pageOptions.orphanPage = OrphanPage(
            isLast: isLast, canContinue: !isLast, isBeginning: number == 0, earlier: mentioned)
        }
        let entity = schema.indices[deletion.isLeafRequest ? "Leaf" : "Node"] ?? 0
        let population = Population(
          schema: schema, reader: store, entity: entity, response: "test", options: pageOptions)
        let result = try population.populateAndSave(JSONDocument(Self.json(page)), to: store)
        mentioned = result.mentioned
        timesTold += result.diagnostics.count { $0.code == .orphansNotEvaluated }
        deleted += result.summary.deleted.count
        inserted += result.summary.inserted.count
      }
      let found = try Self.nodes(store, schema)
      try #require(Self.sorted(found) == Self.sorted(expected.nodes), "\(told)")
      #expect(timesTold == (expected.hasLooked ? 0 : 1), "\(told)")
      // A record that one page inserts and a later page deletes counts as both.
      #expect(before + inserted - deleted == found.count, "\(told)")
    }
    #expect(store.disagreements == [])
  }

  // MARK: Random cases

  private static func page(_ random: inout RandomNumbers) -> ObviousOrphans.Page {
    var page = ObviousOrphans.Page()
    if random.chance(3) {
      page.isMissing = true
      return page
    }
    page.hasNull = random.chance(4)
    for id in random.shuffled(Array(1...12)).prefix(random.number(0...6)) {
      var node = ObviousOrphans.Node(id: id)
      node.mark = random.number(0...3)
      node.isLeaf = random.chance(40)
      // The parent has a smaller id, so that there are no cycles.
      if id > 1, random.chance(50) { node.parent = random.number(1...(id - 1)) }
      if random.chance(4) {
        node.id = nil
        node.parent = nil
      }
      let friends = (0..<random.number(0...2)).map { _ in random.number(1...12) }
      let isGone = node.id != nil && random.chance(10)
      page.items.append(
        ObviousOrphans.Item(node: node, isGone: isGone, friends: node.id == nil || isGone ? [] : friends))
    }
    return page
  }

  private static func json(_ page: ObviousOrphans.Page) -> JSONValue {
    if page.isMissing { return ["other": 1] }
    var items = page.items.map { item -> JSONValue in
      var members: JSONObject = [:]
      members["id"] = item.node.id.map(number)
      if item.isGone {
        members["gone"] = true
        members["parent"] = item.node.parent.map(number)
        return .object(members)
      }
      members["mark"] = item.node.mark.map(number)
      if item.node.isLeaf { members["kind"] = "leaf" }
      members["parent"] = item.node.parent.map(number) ?? .null
      members["friends"] = .array(item.friends.map(number))
      return .object(members)
    }
    if page.hasNull { items.append(.null) }
    return ["nodes": .array(items)]
  }

  private static func number(_ value: Int) -> JSONValue { .number(JSONNumber(Int64(value))) }

  private static func deletion(
    _ random: inout RandomNumbers
  ) -> (ObviousOrphans.Deletion, PopulationOptions) {
    var obvious = ObviousOrphans.Deletion(isLeafRequest: random.chance(25))
    var deletion = OrphanDeletion()
    switch random.number(0...3) {
    case 0:
      obvious.scope = { node, _ in node.mark.map { $0 < 2 } ?? false }
      deletion.scope = .records("mark < 2")
    case 1:
      obvious.scope = { _, parent in parent?.mark == 1 }
      deletion.scope = .records("parent.mark == 1")
    default: break
    }
    if random.chance(30) {
      obvious.limit = random.number(0...4)
      deletion.limit = obvious.limit.map { .count($0) }
    }
    if random.chance(40) { obvious.keptMark = random.number(0...3) }
    if random.chance(30) { obvious.stopAfter = random.number(1...4) }
    if obvious.keptMark != nil || obvious.stopAfter != nil {
      let (mark, last) = (obvious.keptMark, obvious.stopAfter)
      deletion.decide = { item in
        let isKept = mark != nil && item.orphan["mark"] == mark
        let isLast = item.index + 1 == last
        return isKept ? (isLast ? .keepAndStop : .keep) : (isLast ? .deleteAndStop : .delete)
      }
    }
    var options = PopulationOptions()
    options.responseKeyPath = "nodes"
    options.orphans = deletion
    return (obvious, options)
  }

  // MARK: Stored nodes

  private static func nodes(_ store: some Store, _ schema: Schema) throws -> [ObviousOrphans.Node] {
    let rows = try store.rows(of: 0)
    func integer(_ row: Row, _ column: ColumnIndex) -> Int? {
      if case .integer(let value)? = row.values[column] { Int(value) } else { nil }
    }
    return rows.map { row in
      let parent = row.toOnes[0].flatMap { id in rows.first { $0.id == id } }
      return ObviousOrphans.Node(
        id: integer(row, 0), mark: integer(row, 1), isLeaf: row.entity == 1,
        parent: parent.flatMap { integer($0, 0) })
    }
  }

  private static func sorted(_ nodes: [ObviousOrphans.Node]) -> [String] {
    nodes.map { "\($0.id ?? -1) mark \($0.mark ?? -1) leaf \($0.isLeaf) parent \($0.parent ?? -1)" }.sorted()
  }
}
