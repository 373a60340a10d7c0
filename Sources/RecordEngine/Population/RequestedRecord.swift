import RecordModel

/// The record whose details were requested, as its items identify it. Rule: `request.detail`.
struct RequestedRecord {
  /// A Boolean value that indicates whether the record receives the key of its item.
  let receivesKey: Bool
  /// The identity that the item of the record gives it; nil if it keeps its own.
  var newIdentity: ProtoIdentity?
  /// The identity of the record; nil if its key does not lead to it.
  private(set) var identity: ProtoIdentity?
  /// The key of the parent that identifies the record; nil if there is none.
  private(set) var parentKey: RecordKey?

  /// Reads the record; nil if no details were requested, or if the record does not exist.
  init?(_ population: Population) throws(StoreError) {
    let schema = population.schema
    receivesKey = population.options.detailRecordReceivesKey
    guard let record = population.options.detailRecord,
      let row = try population.reader.rows([record]).first ?? nil
    else { return nil }
    if let key = row.key(in: schema) {
      let scope = schema.entities[row.entity].keyScope
      let found = try population.storedRows(scope: scope, keys: [key]).first ?? nil
      if found?.id == record { identity = .key(scope: scope, key) }
    } else if let parent = schema.identifyingParent(of: row) {
      parentKey = (try population.reader.rows([parent]).first ?? nil)?.key(in: schema)
    }
  }

  /// Returns a Boolean value that indicates whether the key of a parent cannot be converted, but no part of it is known to
  /// be that of another parent.
  func mayBeChild(of parent: ProtoRecord, _ population: Population) -> Bool {
    guard parent.missingKey == .unconvertible, let key = parentKey,
      case .attributes(let positions) = population.schema.entities[parent.entity].key
    else { return false }
    return !AttributeKey.contradicts(key, in: parent.effective, positions, population)
  }
}
