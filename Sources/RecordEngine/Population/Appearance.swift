import JSONTree
import RecordModel

/// An item of a response that belongs to a certain record.
// A class, because it is passed on very often and hardly ever changed.
final class Appearance {
  /// The position in the order in which items are read: enclosing items come before the items nested in them.
  let order: Int
  let item: Item
  let entity: EntityIndex
  var findings: ItemFindings
  var isFull: Bool
  /// A Boolean value that indicates whether the item may create a stub. Rule: `relationships.weak`.
  var mayMakeStub: Bool
  var children: [Children] = []
  /// The items that were merged into this one property by property.
  var mergedItems: [Item] = []
  /// A Boolean value that indicates whether the pre-population hook has been called for the item.
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

  /// A Boolean value that indicates whether the item may create a record. Only such items affect the entity of the
  /// record.
  var makesRecord: Bool { isFull || mayMakeStub }

  /// Sets the content of a relationship.
  func set(_ children: Children) {
    if let index = self.children.firstIndex(where: { $0.relationship == children.relationship }) {
      self.children[index] = children
    } else {
      self.children.append(children)
    }
  }

  /// The content of a relationship of an item.
  struct Children {
    var relationship: RelationshipIndex
    /// A Boolean value that indicates whether the item has a null for a to-one.
    var isNull = false
    /// The linked records, at most one for a to-one.
    var links: [Reference] = []
    /// The records that are populated, but not linked. Rule: `relationships.many-for-one`.
    var unlinked: [ProtoIndex] = []
    var position: PopulationReport.Position?
    /// A Boolean value that indicates whether an element of a list was left out, so that its record is unknown.
    /// Rule: `relationships.replace`.
    var isPartial = false
    /// A Boolean value that indicates whether a marshaler has returned the complete content.
    /// Rule: `customize.relationship`.
    var replaces = false

    var protos: [ProtoIndex] { links.map(\.proto) }
  }

  /// A record that an item links to, with the position of the link in the response.
  struct Reference {
    var proto: ProtoIndex
    var position: PopulationReport.Position?
  }
}
