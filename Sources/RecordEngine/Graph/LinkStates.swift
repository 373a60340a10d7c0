/// The states of links. Each link has a position.
struct LinkStates {
  struct State {
    var isStored: Bool
    var isThere: Bool
    /// A Boolean value that indicates whether the link is in the list of links that may differ from the store.
    var isNoted = false
  }

  private var index = HashIndex()
  private(set) var links: [Link] = []
  private(set) var states: [State] = []

  mutating func reserveCapacity(_ capacity: Int) {
    index.reserveCapacity(capacity)
    links.reserveCapacity(capacity)
    states.reserveCapacity(capacity)
  }

  func position(of link: Link) -> Int? {
    index.position(hash: Self.hash(link)) { links[$0] == link }
  }

  /// Adds a link that is not known. Returns its position.
  mutating func append(_ link: Link, _ state: State) -> Int {
    index.insert(links.count, hash: Self.hash(link))
    links.append(link)
    states.append(state)
    return links.count - 1
  }

  mutating func set(_ position: Int, isThere: Bool) {
    states[position].isThere = isThere
    states[position].isNoted = true
  }

  static func hash(_ link: Link) -> UInt64 {
    let owner =
      UInt64(bitPattern: link.owner.rawValue) ^ UInt64(truncatingIfNeeded: link.relationship.rawValue) << 32
    return HashIndex.hash(owner, UInt64(bitPattern: link.member.rawValue))
  }
}
