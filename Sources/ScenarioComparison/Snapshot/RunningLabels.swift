import RecordModel
package import ScenarioFormat

/// The labels of a graph whose records are inserted, changed and removed one by one.
///
/// They equal those of ``UnlabeledGraph/labeled()`` as long as the label of each record depends only on its own
/// attributes. This requires that a record has a key of attributes that no other record has, or neither a key nor
/// relationships.
package struct RunningLabels<ID: Hashable & Comparable & Sendable>: Sendable {
  private enum Identity {
    case key(RecordLabel)
    case content(EntityName, KeylessRecord)
  }

  private struct KeylessRecord: Comparable {
    var signature: Signature
    /// The identifier, which determines the order of equal records.
    var id: ID

    static func < (left: Self, right: Self) -> Bool {
      if left.signature != right.signature { return left.signature < right.signature }
      return left.id < right.id
    }
  }

  private var identities: [ID: Identity] = [:]
  private var keys: Set<RecordLabel> = []
  /// The records without a key, in the order of their numbers.
  private var keyless: [EntityName: [KeylessRecord]] = [:]

  package init() {}

  /// Returns the label of a record; nil if the graph does not contain it.
  package func label(of id: ID) -> RecordLabel? {
    switch identities[id] {
    case nil: nil
    case .key(let label): label
    case .content(let entity, let record):
      RecordLabel(rawValue: entity.rawValue).numbered(keyless[entity, default: []].position(of: record) + 1)
    }
  }

  /// Adds a record, or replaces the record with the same identifier.
  ///
  /// - Parameter isRelated: a Boolean value that indicates whether records of its kind may have relationships.
  /// - Returns: false if labels depend on more than the attributes of each record. The labels are then invalid.
  package mutating func update(_ record: UnlabeledRecord<ID>, isRelated: Bool) -> Bool {
    remove(record.id)
    if let label = record.keyLabel {
      identities[record.id] = .key(label)
      return keys.insert(label).inserted
    }
    if isRelated { return false }
    let member = KeylessRecord(signature: Signature(record), id: record.id)
    let position = keyless[record.entity, default: []].position(of: member)
    keyless[record.entity, default: []].insert(member, at: position)
    identities[record.id] = .content(record.entity, member)
    return true
  }

  /// Removes a record if the graph contains it.
  package mutating func remove(_ id: ID) {
    switch identities.removeValue(forKey: id) {
    case nil: break
    case .key(let label): keys.remove(label)
    case .content(let entity, let record):
      let position = keyless[entity, default: []].position(of: record)
      keyless[entity]?.remove(at: position)
    }
  }
}

extension Array where Element: Comparable {
  /// Returns the number of smaller elements in a sorted array.
  fileprivate func position(of element: Element) -> Int {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if self[middle] < element { low = middle + 1 } else { high = middle }
    }
    return low
  }
}

extension Signature {
  /// Creates the signature of a record without links in either direction.
  fileprivate init(_ record: UnlabeledRecord<some Hashable & Sendable>) {
    self.init(CanonicalOrder.Node(name: record.entity.rawValue, content: record.content))
  }
}
