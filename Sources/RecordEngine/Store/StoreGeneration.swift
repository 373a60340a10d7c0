/// The generation of a store's content, as Core Data counts query generations: another one after every save.
///
/// What is read from a store and kept outside of it is right for the generation that it was read from. For a later one it is
/// right only if its keeper has followed every save in between. A cache compares the generation of its entries with that of
/// the store; a context, that of the rows it holds.
///
/// Three things that change without the store have words of their own:
///
/// - A context has a *revision* (``ContextRevision``): unsaved changes are no part of the store.
/// - A cache counts its *removals* (``RecordCache/removals``): its owner empties it, whatever the store has.
/// - A request is *outdated* (`CoalescedRequests`) if its address has changed on the server since it was sent.
///
/// *Fresh* and *stale* are HTTP's words, for what a server says of its response (``CachedResponse``).
///
/// A copy of a store that is put back in its place is told by its session, or where nobody has written to the store since
/// it was opened, by its saves; so is a store that has lost its last saves with the power.
package struct StoreGeneration: Hashable, Sendable {
  /// Another one for every store, and for every time a store was opened and then written to.
  package var session: UInt64
  /// How many saves the store has seen.
  package var saves: Int64
  /// Which of them deleted records last; 0 if none has. Records that were there after a later one are there still.
  package var lastDeletion: Int64

  package init(session: UInt64, saves: Int64, lastDeletion: Int64 = 0) {
    self.session = session
    self.saves = saves
    self.lastDeletion = lastDeletion
  }
}

extension StoreGeneration {
  /// The generation of a store that nobody has saved to.
  static func new() -> StoreGeneration { StoreGeneration(session: newSession(), saves: 0) }

  /// Random, the one thing here that is: two copies of one store go on from the same content, perhaps at the same time of
  /// two machines, and nothing that either has tells it from the other. No result depends on the number, only on whether
  /// it is another one.
  private static func newSession() -> UInt64 { .random(in: .min ... .max) }

  /// The generation after one more save.
  ///
  /// - Parameters:
  ///   - deletes: whether it may have deleted records.
  ///   - isFirst: whether it is the first since the store was opened.
  func saved(deletes: Bool, isFirst: Bool) -> StoreGeneration {
    StoreGeneration(
      session: isFirst ? Self.newSession() : session, saves: saves + 1,
      lastDeletion: deletes ? saves + 1 : lastDeletion)
  }
}

// MARK: - In a file

extension StoreGeneration {
  /// What a file says of itself; nil where it was made before files did, or says what nobody can read. Its records are none
  /// the worse for it: only what was kept beside them is of no use then.
  static func read(_ connection: SQLiteConnection) throws(SQLiteError) -> StoreGeneration? {
    var generation: StoreGeneration?
    try connection.query(#"SELECT value FROM "$metadata" WHERE name = 'state'"#) {
      generation = StoreGeneration(text: $0.text(0))
    }
    return generation
  }

  /// Others than the engine of this version do not look at the row.
  func write(_ connection: SQLiteConnection) throws(SQLiteError) {
    try connection.run(
      #"INSERT INTO "$metadata" VALUES ('state', ?1) ON CONFLICT (name) DO UPDATE SET value = excluded.value"#,
      .text(text))
  }

  /// `51a3f0… 12 3`
  private var text: String { "\(String(session, radix: 16)) \(saves) \(lastDeletion)" }

  private init?(text: String) {
    let parts = text.split(separator: " ", omittingEmptySubsequences: false)
    guard parts.count == 3, let session = UInt64(parts[0], radix: 16), let saves = Int64(parts[1]),
      0..<1 << 60 ~= saves, let lastDeletion = Int64(parts[2]), 0...saves ~= lastDeletion
    else { return nil }
    self.init(session: session, saves: saves, lastDeletion: lastDeletion)
  }
}
