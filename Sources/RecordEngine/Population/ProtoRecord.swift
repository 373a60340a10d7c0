import JSONTree
import RecordModel

/// The index of a proto. It is assigned when the first item of the proto is read.
typealias ProtoIndex = ElementIndex<ProtoRecord>

/// A placeholder for a record. It combines all items of the response that are this record.
struct ProtoRecord {
  var entity: EntityIndex
  /// The identity; nil if nothing identifies the item, which then is a record by itself.
  var identity: ProtoIdentity?
  /// The reason why the proto has no identity.
  var missingKey: MissingKey?
  /// A Boolean value that indicates whether the first item has no key and is the requested record. Rule: `request.detail`.
  var isDetail = false
  /// The effective appearance: the item that counts, or several items merged into one. Until duplicates are settled, it
  /// is the first item.
  var effective: Appearance
  var isReachable = false
  /// A Boolean value that indicates whether an item of the record marks it as deleted. Rule: `orphans.tombstone`.
  var isTombstone: Bool
  /// A Boolean value that indicates whether an item of the record may create it. Rule: `relationships.weak`.
  var mayBeCreated: Bool
  /// The proto of the parent, if the key is a relationship.
  var parent: ProtoIndex?
  private(set) var record: RecordID?
  /// The index of the record in the graph.
  private(set) var recordIndex: WorkingRecordIndex?

  init(first appearance: Appearance, isTombstone: Bool) {
    entity = appearance.entity
    effective = appearance
    self.isTombstone = isTombstone
    mayBeCreated = appearance.makesRecord
  }

  /// Sets the record of the proto.
  mutating func tie(to record: RecordID, at recordIndex: WorkingRecordIndex?) {
    self.record = record
    self.recordIndex = recordIndex
  }
}

/// The reason why nothing identifies an item.
enum MissingKey: Error {
  /// The key is missing or null.
  case absent
  /// The key cannot be converted to its type.
  case unconvertible
  /// The key is a parent, and there is none. Rule: `identity.relationship-key.root`.
  case noParent
}

extension ProtoRecord {
  /// Returns the dictionary from which attributes are read: the one of the item, or the one that a hook has returned.
  func dictionary(_ schema: Schema) -> JSONNode {
    let item = effective.item
    // The dictionary of a hook has a separate document.
    let isItem = effective.findings.document === item.node.document
    return isItem ? item.dictionary(of: schema.entities[entity]) : effective.findings.node
  }

  /// Returns the effective dictionary without its relationships. Rules: `dynamic.store`, `dynamic.relationships`.
  func keptDictionary(_ schema: Schema) -> JSONValue {
    let entity = schema.entities[entity]
    var dictionary = dictionary(schema).value
    for merged in effective.mergedItems { dictionary.fill(from: merged.dictionary(of: entity).value) }
    for relationship in entity.relationships {
      for path in schema.relationships[relationship].paths { dictionary.remove(path) }
    }
    return dictionary
  }
}
