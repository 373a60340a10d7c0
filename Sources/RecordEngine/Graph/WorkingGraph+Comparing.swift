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
    let (links, formerLinks) = (unsavedLinks, former.unsavedLinks)
    for (link, isThere) in links where formerLinks[link] != isThere {
      trees.formUnion([link.owner.tree, link.member.tree])
    }
    for link in formerLinks.keys where links[link] == nil {
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

  /// The links that differ from the store, each with a Boolean value that indicates whether it exists.
  private var unsavedLinks: [Link: Bool] {
    var result: [Link: Bool] = [:]
    for position in changedLinks where links.states[position].isThere != links.states[position].isStored {
      result[links.links[position]] = links.states[position].isThere
    }
    return result
  }

  private static func isSameOrder(_ change: MemberChange?, _ former: MemberChange?) -> Bool {
    func list(_ members: MemberList?) -> [RecordID]? { members.map(Array.init) }
    return list(change?.added) ?? [] == list(former?.added) ?? []
      && list(change?.order) == list(former?.order)
  }
}
