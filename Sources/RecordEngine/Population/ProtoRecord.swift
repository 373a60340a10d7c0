import JSONTree
import RecordModel

/// The placeholder for one record-to-be: every item of the response that is this record.
struct ProtoRecord {
  var entity: EntityIndex
  /// Nil: nothing identifies it, so it is a record of its own.
  var identity: ProtoIdentity?
  /// Why it has no identity.
  var missingKey: MissingKey?
  /// Whether the injection hook gave the key.
  var hasInjectedKey = false
  /// What counts for the record, once duplicates are settled: an appearance, or several merged into one. Until then
  /// the one that was met first.
  var effective: Appearance
  /// The appearances after the first, but for those that repeat it.
  var others: [Appearance] = []
  var isReachable = false
  /// Whether one of its items says that the record is gone. Rule: `orphans.tombstone`.
  var isTombstone = false
  /// Whether one of its items makes a record. Rule: `relationships.weak`.
  var mayBeCreated: Bool
  /// The proto whose child it is, where its key is a relationship.
  var parent: Int?
  private(set) var record: RecordID?
  /// Where the graph has the record.
  private(set) var place = -1

  /// Settles which record it is.
  mutating func tie(to record: RecordID, at place: Int?) {
    self.record = record
    self.place = place ?? -1
  }

  init(first appearance: Appearance) {
    entity = appearance.entity
    effective = appearance
    mayBeCreated = appearance.makesRecord
  }

  /// One item that is this record. A class, because it is handed on a great deal, and hardly ever changed.
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
    /// The items that were merged into this one property by property, if somebody asks for them.
    var mergedItems: [Item] = []

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
  }

  /// What an item has for one relationship.
  struct Children {
    var relationship: RelationshipIndex
    /// A null for a to-one.
    var isNull = false
    /// The records it links to: one at most for a to-one.
    var links: [Link] = []
    /// Records that are populated, but not linked. Rule: `relationships.many-for-one`.
    var unlinked: [Int] = []
    var node: Population.NodePlace?
    /// Whether something in a list was left out, so that nobody knows whom it means. Rule: `relationships.replace`.
    var isPartial = false
    /// Whether a marshaler has said that this is all there is. Rule: `customise.relationship`.
    var replaces = false

    var protos: [Int] { links.map(\.proto) }
  }

  /// A record that an item links to, and where it says so.
  struct Link {
    var proto: Int
    var node: Population.NodePlace?
  }

  enum MissingKey {
    /// Not there, or null.
    case absent
    /// There, but no value of the key's type.
    case unconvertible
    /// Keyed by a parent, and there is none. Rule: `identity.relationship-key.root`.
    case noParent
  }
}

/// What makes two items one record.
enum ProtoIdentity: Hashable {
  /// Rule: `identity.attribute-key`.
  case key(scope: EntityIndex, RecordKey)
  /// The one child of a parent. Rule: `identity.relationship-key`.
  case onlyChild(parent: Int, relationship: RelationshipIndex)
  /// One of several children of a parent, by content. Rule: `identity.relationship-key.to-many`.
  case child(parent: Int, relationship: RelationshipIndex, content: ChildContent)
}

/// The part of an item by which the children that a response has for one parent are told apart.
struct ChildContent: Hashable {
  var entity: EntityIndex
  /// By position; nil where the item has no such attribute.
  var attributes: [AttributeValue??]
  /// The values that are none of the attribute's type, by position.
  var unconvertible: [AttributeIndex: JSONValue]
  /// The keys that the model does not map, where a hook may read them or the record keeps them.
  var unmapped: JSONValue?
}
