import OrderedCollections
import RecordModel

extension ChangeSet {
  /// Returns the relationships that the changes affect, each by the end that stores it.
  func namedEnds(_ schema: Schema) -> OrderedSet<RelationshipEnd> {
    func end(_ link: Link) -> RelationshipEnd {
      RelationshipEnd(relationship: link.relationship, owner: link.owner)
    }
    func toOnes(from before: Row?, to after: Row) -> [RelationshipEnd] {
      schema.trees[after.id.tree].toOnes.enumerated().compactMap { slot, relationship in
        before?.toOnes[slot] == after.toOnes[slot]
          ? nil : RelationshipEnd(relationship: relationship, owner: after.id)
      }
    }
    var ends = OrderedSet(unlinked.map(end))
    for row in inserted { ends.append(contentsOf: toOnes(from: nil, to: row)) }
    for update in updated { ends.append(contentsOf: toOnes(from: update.before, to: update.after)) }
    ends.append(contentsOf: linked.map(end))
    ends.append(contentsOf: orderings.lazy.map(\.end))
    return ends
  }
}
