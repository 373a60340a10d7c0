import JSONTree
import RecordModel

/// The index of a proto, from the moment its first item is met.
typealias ProtoIndex = ElementIndex<ProtoRecord>

/// The placeholder for one record-to-be: every item of the response that is this record.
struct ProtoRecord {
  var entity: EntityIndex
  /// Nil: nothing identifies it, so it is a record of its own.
  var identity: ProtoIdentity?
  /// Why it has no identity.
  var missingKey: MissingKey?
  /// The item that counts for the record, or several merged into one; until duplicates are settled, the first item met.
  var effective: Appearance
  var isReachable = false
  /// Whether one of its items says that the record is gone. Rule: `orphans.tombstone`.
  var isTombstone = false
  /// Whether one of its items makes a record. Rule: `relationships.weak`.
  var mayBeCreated: Bool
  /// The proto whose child it is, where its key is a relationship.
  var parent: ProtoIndex?
  private(set) var record: RecordID?
  /// Where the graph has the record.
  private(set) var recordIndex: WorkingRecordIndex?

  init(first appearance: Appearance) {
    entity = appearance.entity
    effective = appearance
    mayBeCreated = appearance.makesRecord
  }

  /// Settles which record it is.
  mutating func tie(to record: RecordID, at recordIndex: WorkingRecordIndex?) {
    self.record = record
    self.recordIndex = recordIndex
  }
}

/// Why nothing identifies an item.
enum MissingKey: Error {
  /// Not there, or null.
  case absent
  /// There, but no value of the key's type.
  case unconvertible
  /// Keyed by a parent, and there is none. Rule: `identity.relationship-key.root`.
  case noParent
}

extension ProtoRecord {
  /// The dictionary that attributes are read from: the item's, or what a hook has made of it.
  func dictionary(_ schema: Schema) -> JSONNode {
    let item = effective.item
    // A hook's dictionary stands in a document of its own.
    let isItem = effective.findings.document === item.node.document
    return isItem ? item.dictionary(of: schema.entities[entity]) : effective.findings.node
  }

  /// What counts for the record, without its relationships. Rules: `dynamic.store`, `dynamic.relationships`.
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
