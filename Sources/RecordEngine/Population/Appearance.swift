import JSONTree
import RecordModel

/// One item that is a certain record.
// A class, because it is handed on a great deal, and hardly ever changed.
final class Appearance {
  /// When the item was met: items around others before those inside them.
  let order: Int
  let item: Item
  let entity: EntityIndex
  var findings: ItemFindings
  var isFull: Bool
  /// Whether the reference that the item is may make a stub. Rule: `relationships.weak`.
  var mayMakeStub: Bool
  var children: [Children] = []
  /// The items that were merged into this one property by property.
  var mergedItems: [Item] = []
  /// Whether the pre-population hook has been asked about the item.
  var isPrepopulated = false

  init(
    order: Int, item: Item, entity: EntityIndex, findings: ItemFindings, isFull: Bool,
    mayMakeStub: Bool = true
  ) {
    self.order = order
    self.item = item
    self.entity = entity
    self.findings = findings
    self.isFull = isFull
    self.mayMakeStub = mayMakeStub
  }

  /// Whether the item may make a record, and so has a say in its entity.
  var makesRecord: Bool { isFull || mayMakeStub }

  /// Sets what counts for a relationship.
  func set(_ children: Children) {
    if let index = self.children.firstIndex(where: { $0.relationship == children.relationship }) {
      self.children[index] = children
    } else {
      self.children.append(children)
    }
  }

  /// What an item has for one relationship.
  struct Children {
    var relationship: RelationshipIndex
    /// A null for a to-one.
    var isNull = false
    /// The records it links to: one at most for a to-one.
    var links: [Reference] = []
    /// Records that are populated, but not linked. Rule: `relationships.many-for-one`.
    var unlinked: [ProtoIndex] = []
    var position: PopulationReport.Position?
    /// Whether something in a list was left out, so that its record is unknown. Rule: `relationships.replace`.
    var isPartial = false
    /// Whether a marshaler has said that this is all there is. Rule: `customise.relationship`.
    var replaces = false

    var protos: [ProtoIndex] { links.map(\.proto) }
  }

  /// A record that an item links to, and where it says so.
  struct Reference {
    var proto: ProtoIndex
    var position: PopulationReport.Position?
  }
}
