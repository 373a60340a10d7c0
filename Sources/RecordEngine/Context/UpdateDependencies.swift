import RecordModel

/// The records that a sequence of updates depends on.
struct UpdateDependencies {
  /// The inheritance tree of the records that the sequence shows.
  let tree: TreeIndex
  /// The inheritance trees of the records that relationships lead to: those of the predicate and the order, and the
  /// observed to-many relationships. A change of one of these records can affect any record of the sequence.
  let relatedTrees: Set<TreeIndex>

  var trees: Set<TreeIndex> { relatedTrees.union([tree]) }

  /// The part of some changes that can affect a sequence.
  enum Effect {
    case none
    /// Only these records of the sequence's own tree have changed.
    case records([RecordID])
    case any
  }

  func effect(of changes: ChangedRecords) -> Effect {
    if changes.trees.contains(tree) || !changes.allTrees.isDisjoint(with: relatedTrees) { return .any }
    let ids = changes.ids.filter { $0.tree == tree }
    return ids.isEmpty ? .none : .records(ids.sorted())
  }
}
