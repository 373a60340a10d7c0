import OrderedCollections
import RecordModel

extension WorkingGraph {
  /// Returns the inheritance trees of the records that have other unsaved changes than in a former graph. A record whose
  /// row only one of the graphs has read counts as changed, and so does a record at either end of a changed link.
  ///
  /// - Complexity: linear in the number of unsaved changes.
  func treesOfChanges(since former: WorkingGraph) -> Set<TreeIndex> {
    var trees: Set<TreeIndex> = []
    for id in former.changedIDs + changedIDs where !trees.contains(id.tree) {
      let isSame = isKnown(id) && former.isKnown(id) && knownRow(id) == former.knownRow(id)
      if !isSame { trees.insert(id.tree) }
    }
    for link in unsavedLinks.symmetricDifference(former.unsavedLinks) {
      trees.formUnion([link.owner.tree, link.member.tree])
    }
    for end in OrderedSet(former.memberChanges.keys).union(memberChanges.keys)
    where schema.relationships[end.relationship].isOrdered && !trees.contains(end.owner.tree) {
      let (change, formerChange) = (memberChanges[end], former.memberChanges[end])
      if !Self.isSameOrder(change, formerChange) { trees.insert(end.owner.tree) }
    }
    return trees
  }

  /// The inheritance trees of the records with unsaved changes.
  var treesOfChanges: Set<TreeIndex> {
    treesOfChanges(since: WorkingGraph(schema: schema, reader: reader))
  }

  /// The links that differ from the store.
  private var unsavedLinks: Set<Link> {
    Set(
      changedLinks.lazy.filter { links.states[$0].isThere != links.states[$0].isStored }.map {
        links.links[$0]
      })
  }

  private static func isSameOrder(_ change: MemberChange?, _ former: MemberChange?) -> Bool {
    func list(_ change: MemberChange?) -> [RecordID] {
      (change?.order ?? change?.added).map(Array.init) ?? []
    }
    return list(change) == list(former)
  }
}
