import RecordModel

/// A dictionary of protos by identity.
struct ProtoIdentities {
  private var index = HashIndex()
  private var elements: [(identity: ProtoIdentity, proto: ProtoIndex)] = []

  /// Returns the proto with an identity. If there is none, adds a new proto with this identity and returns nil.
  mutating func proto(with identity: ProtoIdentity, orInsert new: ProtoIndex) -> ProtoIndex? {
    let hash = Self.hash(identity)
    let position = index.position(hash: hash) { elements[$0].identity == identity }
    if let position { return elements[position].proto }
    index.insert(elements.count, hash: hash)
    elements.append((identity, new))
    return nil
  }

  mutating func reserveCapacity(_ capacity: Int) {
    index.reserveCapacity(capacity)
    elements.reserveCapacity(capacity)
  }

  /// Returns the hash of an identity. Nearly all keys are an integer or a parent, for which mixing the bits suffices.
  private static func hash(_ identity: ProtoIdentity) -> UInt64 {
    switch identity {
    case .key(let scope, .single(.integer(let value))):
      HashIndex.hash(UInt64(bitPattern: value) ^ HashIndex.seed, UInt64(truncatingIfNeeded: scope.rawValue))
    case .onlyChild(let parent, let relationship):
      HashIndex.hash(
        UInt64(truncatingIfNeeded: parent.rawValue) ^ HashIndex.seed,
        ~UInt64(truncatingIfNeeded: relationship.rawValue))
    case .key, .child:
      HashIndex.hash(UInt64(truncatingIfNeeded: identity.hashValue))
    }
  }
}
