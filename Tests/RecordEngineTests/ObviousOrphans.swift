import RecordEngine

/// A slow and obvious implementation of the rules on orphans: a forest of plain nodes, and the effect of several pages
/// on them.
struct ObviousOrphans {
  struct Node: Hashable {
    /// The key, or nil for a node without one.
    var id: Int?
    var mark: Int?
    var isLeaf = false
    /// The id of the parent.
    var parent: Int?
  }

  /// A page with its items in order, and the keys that they mention.
  struct Page {
    var items: [Item] = []
    /// A Boolean value that indicates whether the page contains a null.
    var hasNull = false
    var isMissing = false
  }

  struct Item {
    var node: Node
    var isGone = false
    /// The ids of the friends that the item mentions.
    var friends: [Int] = []
  }

  struct Deletion {
    var isLeafRequest = false
    var scope: (@Sendable (Node, _ parent: Node?) -> Bool)?
    var keptMark: Int?
    var limit: Int?
    var stopAfter: Int?
  }

  let rule: DeleteRule
  private(set) var nodes: [Node] = []
  /// A Boolean value that indicates whether the last run has evaluated orphans.
  private(set) var hasLooked = false

  init(rule: DeleteRule) { self.rule = rule }

  private func index(_ id: Int) -> Int? { nodes.firstIndex { $0.id == id } }

  /// Imports the pages one after another. The last page deletes orphans.
  mutating func run(_ pages: [Page], _ deletion: Deletion) {
    var brought: Set<Int> = []
    var isPartial = false
    hasLooked = false
    for (number, page) in pages.enumerated() {
      let before = nodes
      let gone = Set(page.items.filter(\.isGone).compactMap(\.node.id))
      importItems(page, gone, isLeaf: deletion.isLeafRequest)
      let mentioned = Self.mentioned(page.items)
      // A record that only a tombstone mentions can be deleted by the cascade of another tombstone.
      let spared = Self.mentioned(page.items.filter { !$0.isGone }).subtracting(gone)
      delete(gone.sorted().compactMap { id in nodes.first { $0.id == id } }, sparing: spared)
      brought.formUnion(mentioned)
      if page.isMissing || page.hasNull || page.items.contains(where: { $0.node.id == nil }) {
        isPartial = true
      }
      guard number == pages.count - 1, !isPartial else { continue }
      hasLooked = true
      deleteOrphans(deletion, before, brought)
    }
  }

  private static func mentioned(_ items: [Item]) -> Set<Int> {
    Set(items.flatMap { [$0.node.id, $0.node.parent].compactMap(\.self) + $0.friends })
  }

  private mutating func importItems(_ page: Page, _ gone: Set<Int>, isLeaf: Bool) {
    let told = page.items.filter { !$0.isGone && $0.node.id.map(gone.contains) != true }
    for id in told.flatMap({ [$0.node.parent].compactMap(\.self) + $0.friends })
    where index(id) == nil && !gone.contains(id) {
      nodes.append(Node(id: id))
    }
    for item in told {
      guard let id = item.node.id else { continue }
      if index(id) == nil { nodes.append(Node(id: id)) }
      guard let index = index(id) else { continue }
      nodes[index].mark = item.node.mark
      nodes[index].isLeaf = nodes[index].isLeaf || item.node.isLeaf || isLeaf
      // Only a tombstone of a record that does not exist leads nowhere. Others are deleted later, unless a node stays.
      nodes[index].parent = item.node.parent.flatMap { self.index($0) == nil ? nil : $0 }
    }
    for item in told where item.node.id == nil {
      nodes.append(Node(mark: item.node.mark, isLeaf: item.node.isLeaf || isLeaf))
    }
  }

  private mutating func deleteOrphans(_ deletion: Deletion, _ before: [Node], _ brought: Set<Int>) {
    let orphans = before.filter { node in
      if deletion.isLeafRequest, !node.isLeaf { return false }
      if let id = node.id, brought.contains(id) || index(id) == nil { return false }
      return deletion.scope?(node, before.first { $0.id != nil && $0.id == node.parent }) ?? true
    }.sorted { ($0.id ?? -1) < ($1.id ?? -1) }
    let asked = orphans.prefix(deletion.stopAfter ?? orphans.count)
    let approved = asked.filter { deletion.keptMark == nil || $0.mark != deletion.keptMark }
    if let limit = deletion.limit, approved.count > limit { return }
    delete(Array(approved), sparing: brought)
  }

  /// Deletes as many nodes as possible: those whose deletion is not denied by a node that stays.
  private mutating func delete(_ wanted: [Node], sparing spared: Set<Int>) {
    var roots = wanted
    while true {
      let closures = roots.map { closure(of: [$0], sparing: spared) }
      let all = closures.reduce(into: Set<Int>()) { $0.formUnion($1) }
      guard rule == .deny else {
        remove(roots, all)
        return
      }
      let denied = all.filter { id in
        nodes.contains { $0.parent == id && $0.id.map(all.contains) != true }
      }
      if denied.isEmpty {
        remove(roots, all)
        return
      }
      roots = zip(roots, closures).filter { $1.isDisjoint(with: denied) }.map(\.0)
    }
  }

  private func closure(of roots: [Node], sparing spared: Set<Int>) -> Set<Int> {
    var found = Set(roots.compactMap(\.id))
    guard rule == .cascade else { return found }
    var grows = true
    while grows {
      grows = false
      for node in nodes {
        guard let id = node.id, let parent = node.parent, found.contains(parent), !spared.contains(id) else {
          continue
        }
        if found.insert(id).inserted { grows = true }
      }
    }
    return found
  }

  private mutating func remove(_ roots: [Node], _ ids: Set<Int>) {
    for root in roots where root.id == nil {
      if let index = nodes.firstIndex(of: root) { nodes.remove(at: index) }
    }
    nodes.removeAll { $0.id.map(ids.contains) ?? false }
    for index in nodes.indices where nodes[index].parent.map(ids.contains) ?? false {
      nodes[index].parent = nil
    }
  }
}
