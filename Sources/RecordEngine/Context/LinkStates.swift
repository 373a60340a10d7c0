/// What is known of links.
struct LinkStates {
  struct State {
    var isStored: Bool
    var isThere: Bool
    /// Whether it stands among the links that may be other than the store has them.
    var isNoted = false
  }

  private var index = HashIndex()
  private var states: [(link: Link, state: State)] = []

  subscript(link: Link) -> State? { position(of: link).map { states[$0].state } }

  mutating func set(_ link: Link, _ state: State) {
    if let position = position(of: link) {
      states[position].state = state
    } else {
      index.insert(states.count, hash: Self.hash(link))
      states.append((link, state))
    }
  }

  private func position(of link: Link) -> Int? {
    index.position(hash: Self.hash(link)) { states[$0].link == link }
  }

  private static func hash(_ link: Link) -> UInt64 {
    let owner = UInt64(bitPattern: link.owner.rawValue) ^ UInt64(truncatingIfNeeded: link.relationship) << 32
    return HashIndex.hash(owner, UInt64(bitPattern: link.member.rawValue))
  }
}
