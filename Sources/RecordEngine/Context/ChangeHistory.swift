import RecordModel

/// The records that a change may have affected.
struct ChangedRecords: Sendable {
  /// The inheritance trees of which every record may have changed.
  private(set) var trees: Set<TreeIndex> = []
  /// The changed records of other trees, and possibly of these.
  private(set) var ids: [RecordID] = []
  /// The positions in ``ids``, by record.
  private var index = HashIndex()
  /// The inheritance trees of ``ids``.
  private var treesOfIDs: Set<TreeIndex> = []

  /// The number of records above which only their trees are kept.
  static let limit = 100

  init() {}
  init(_ id: RecordID) { insert(CollectionOfOne(id)) }
  init(trees: some Sequence<TreeIndex>) { self.trees = Set(trees) }

  /// Creates the records whose rows, links or orders a save of changes affects.
  ///
  /// - Parameter known: further records whose rows may have changed.
  init(_ changes: ChangeSet, known: [RecordID] = [], _ schema: Schema) {
    insert(changes.rowIDs)
    insert(known)
    insert(changes.orderings.lazy.map(\.owner))
    for links in [changes.linked, changes.unlinked] {
      insert(links.lazy.map(\.owner))
      insert(links.lazy.map(\.member))
    }
    // A store removes all links to deleted records, including those that the change set does not contain.
    let deleted = Set(changes.deleted.lazy.map(\.id.tree))
    for relationship in schema.relationships
    where deleted.contains(schema.entities[relationship.destination].tree) {
      trees.insert(schema.entities[relationship.entity].tree)
    }
  }

  var isEmpty: Bool { trees.isEmpty && ids.isEmpty }

  /// The inheritance trees of all changed records.
  var allTrees: Set<TreeIndex> { trees.union(treesOfIDs) }

  mutating func formUnion(_ other: ChangedRecords) {
    trees.formUnion(other.trees)
    insert(other.ids)
  }

  private mutating func insert(_ new: some Sequence<RecordID>) {
    // Most records are of the same tree as the previous one.
    var tree: TreeIndex?
    var isTreeChanged = false
    for id in new {
      if id.tree != tree {
        tree = id.tree
        isTreeChanged = trees.contains(id.tree)
        if !isTreeChanged { treesOfIDs.insert(id.tree) }
      }
      if isTreeChanged { continue }
      let hash = HashIndex.hash(UInt64(bitPattern: id.rawValue))
      guard index.position(hash: hash, where: { ids[$0] == id }) == nil else { continue }
      index.insert(ids.count, hash: hash)
      ids.append(id)
      if ids.count > Self.limit {
        trees = allTrees
        (ids, index, treesOfIDs) = ([], HashIndex(), [])
        isTreeChanged = true
      }
    }
  }
}

/// The latest changes of some records, and the number of all changes.
struct ChangeHistory: Sendable {
  /// The number of changes so far.
  private(set) var count = 0
  /// For each inheritance tree, the number of changes up to the last one that affected its records.
  private var lastChanges: [Int]
  /// The latest changes, the oldest first.
  private var latest: [ChangedRecords] = []

  /// The number of changes that are kept at least. Twice as many are kept at most, so that each is moved once.
  static let keptChanges = ChangedRecords.limit

  init(_ schema: Schema) { lastChanges = Array(repeating: 0, count: schema.trees.count) }

  mutating func append(_ changes: ChangedRecords) {
    guard !changes.isEmpty else { return }
    count += 1
    for tree in changes.allTrees { lastChanges[for: tree] = count }
    if latest.count == 2 * Self.keptChanges { latest.removeFirst(Self.keptChanges) }
    latest.append(changes)
  }

  /// Returns the records that were affected by the changes after the first `count` ones. If these changes are no longer
  /// kept, the result is the inheritance trees that they affected.
  func changes(since count: Int) -> ChangedRecords {
    let new = self.count - count
    guard new <= latest.count else {
      return ChangedRecords(
        trees: lastChanges.indices.lazy.filter { lastChanges[$0] > count }.map { TreeIndex($0) })
    }
    var changes = ChangedRecords()
    for change in latest.suffix(new) { changes.formUnion(change) }
    return changes
  }
}
