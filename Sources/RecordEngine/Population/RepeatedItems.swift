import JSONTree
import RecordModel

/// An index of items that finds the record of an item repeated byte by byte. Feeds often repeat the whole user in each
/// of the user's posts, and the repetitions need not be read again.
///
/// Items are indexed by the bytes of their keys, without conversion. The first of them has determined the record.
struct RepeatedItems {
  /// The position of an item, with the data that finds it.
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

  /// Returns the mark of an item of a document; nil if the item cannot be found by the bytes of a single key.
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
      // Only scalars are keys, and other values may be long.
      if document.isNull(at: key) || document.isObject(at: key) || document.isArray(at: key) { return nil }
    }
    let hash = document.textHash(at: key, seed: seed ^ UInt64(declared.rawValue))
    return Mark(entity: Int32(declared.rawValue), item: document.extent(at: item.node.index), hash: hash)
  }

  /// Returns the proto whose first item the marked item repeats.
  func proto(of mark: Mark, in document: JSONDocument) -> ProtoIndex? {
    index.position(hash: mark.hash) {
      firsts[$0].mark.entity == mark.entity && document.haveSameBytes(firsts[$0].mark.item, mark.item)
    }.map { firsts[$0].proto }
  }

  /// Adds the first item of a proto.
  mutating func insert(_ mark: Mark, proto: ProtoIndex) {
    index.insert(firsts.count, hash: mark.hash)
    firsts.append((mark, proto))
  }
}
