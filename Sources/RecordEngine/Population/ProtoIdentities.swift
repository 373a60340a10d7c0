import RecordModel

/// A dictionary of protos by identity.
struct ProtoIdentities {
  private var index = HashIndex()
  private var elements: [(identity: ProtoIdentity, proto: ProtoIndex)] = []

  subscript(identity: ProtoIdentity) -> ProtoIndex? {
    index.position(hash: Self.hash(identity)) { elements[$0].identity == identity }
      .map { elements[$0].proto }
  }

  /// Adds a proto with an identity that no other proto has.
  mutating func insert(_ proto: ProtoIndex, _ identity: ProtoIdentity) {
    index.insert(elements.count, hash: Self.hash(identity))
    elements.append((identity, proto))
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
