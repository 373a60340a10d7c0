import JSONTree
import RecordModel

/// Finds the record of an item that repeats another one byte by byte: feeds say all about a user in every post of his,
/// and nothing of that has to be read again.
///
/// Items are found by the bytes of their keys, as they stand; whether these identify, and how, has been settled for the
/// first of them.
struct RepeatedItems {
  /// Where an item stands, and how it is found.
  struct Mark {
    fileprivate var entity: Int32
    fileprivate var item: JSONExtent
    fileprivate var hash: UInt64
  }

  private var index = HashIndex()
  private var firsts: [(mark: Mark, proto: ProtoIndex)] = []
  private var found: [Int32] = []
  private let seed = HashIndex.seed

  mutating func reserveCapacity(_ capacity: Int) {
    index.reserveCapacity(capacity)
    firsts.reserveCapacity(capacity)
  }

  /// The mark of an item of a document; nil for one that is not found by the bytes of one key.
  mutating func mark(
    of item: Item, in document: JSONDocument, _ lookup: PropertyLookup, declared: EntityIndex
  )
    -> Mark?
  {
    guard item.collectionKey == nil, item.node.document === document else { return nil }
    var key = item.node.index
    if item.isDictionary {
      guard let keys = lookup.identifyingKeys else { return nil }
      document.find(keys, inObjectAt: key, into: &found, isFirstEnough: true)
      guard let first = found.first(where: { $0 >= 0 }) else { return nil }
      key = first
      // What is no scalar is no key, and may be long.
      if document.isNull(at: key) || document.isObject(at: key) || document.isArray(at: key) { return nil }
    }
    let hash = document.textHash(at: key, seed: seed ^ UInt64(declared.rawValue))
    return Mark(entity: Int32(declared.rawValue), item: document.extent(at: item.node.index), hash: hash)
  }

  /// The proto whose first item the marked one repeats.
  func proto(of mark: Mark, in document: JSONDocument) -> ProtoIndex? {
    index.position(hash: mark.hash) {
      firsts[$0].mark.entity == mark.entity && document.haveSameBytes(firsts[$0].mark.item, mark.item)
    }.map { firsts[$0].proto }
  }

  /// Notes the first item of a proto.
  mutating func insert(_ mark: Mark, proto: ProtoIndex) {
    index.insert(firsts.count, hash: mark.hash)
    firsts.append((mark, proto))
  }
}
