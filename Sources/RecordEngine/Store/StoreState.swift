/// How far the content of a store has come: what was kept beside the store with one state is of no use with another, unless
/// who keeps it has followed every step from the one to the other.
package struct StoreState: Hashable, Sendable {
  /// Another one for every store, and for every time a store was opened and then written to.
  package var session: UInt64
  /// How many saves the store has seen.
  package var saves: Int64

  package init(session: UInt64, saves: Int64) {
    self.session = session
    self.saves = saves
  }
}
