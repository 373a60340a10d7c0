/// The generation of a store's content, similar to Core Data's query generations. It changes with every save.
///
/// Data that is read from a store and kept outside it is valid for the generation in which it was read. It is valid for
/// a later generation only if its owner has followed all saves in between. A cache compares the generation of its
/// entries with that of the store. A context compares the generation of its rows.
///
/// Other changes that do not affect the store have their own terms:
///
/// - A context has a *revision* (``ContextRevision``), because unsaved changes are not part of the store.
/// - A cache counts its *removals* (``RecordCache/removals``), because its owner can empty it at any time.
/// - A request is *outdated* (`CoalescedRequests`) if its address has changed on the server since it was sent.
///
/// *Fresh* and *stale* are the terms of HTTP for the information of a server about its response (``CachedResponse``).
///
/// If an older copy of the store has replaced it, the session differs. If the store has not been written to since it
/// was opened, the number of saves differs instead. The same applies if a power failure has undone the last saves.
package struct StoreGeneration: Hashable, Sendable {
  /// A random number for each store, and for each time that a store was opened and then written to.
  package var session: UInt64
  /// The number of saves.
  package var saves: Int64
  /// The number of the last save that deleted records; 0 if none has. Records that existed after this save or a later
  /// one still exist.
  package var lastDeletion: Int64

  package init(session: UInt64, saves: Int64, lastDeletion: Int64 = 0) {
    self.session = session
    self.saves = saves
    self.lastDeletion = lastDeletion
  }
}

extension StoreGeneration {
  /// Creates the generation of a store without saves.
  static func new() -> StoreGeneration { StoreGeneration(session: newSession(), saves: 0) }

  /// Returns a random number. Two copies of one store can continue from the same content, even at the same time on two
  /// computers, and nothing else distinguishes them. Results depend only on whether the numbers differ, not on their
  /// values.
  private static func newSession() -> UInt64 { .random(in: .min ... .max) }

  /// Returns the generation after one more save.
  ///
  /// - Parameters:
  ///   - deletes: a Boolean value that indicates whether the save may have deleted records.
  ///   - isFirst: a Boolean value that indicates whether the save is the first one since the store was opened.
  func saved(deletes: Bool, isFirst: Bool) -> StoreGeneration {
    StoreGeneration(
      session: isFirst ? Self.newSession() : session, saves: saves + 1,
      lastDeletion: deletes ? saves + 1 : lastDeletion)
  }
}

// MARK: - Persistence

extension StoreGeneration {
  /// Returns the generation in a file; nil if the file was created by a version without generations, or if the value is
  /// invalid. The records are not affected: only data that was kept outside the store becomes invalid.
  static func read(_ connection: SQLiteConnection) throws(SQLiteError) -> StoreGeneration? {
    var generation: StoreGeneration?
    try connection.query(#"SELECT value FROM "$metadata" WHERE name = 'state'"#) {
      generation = StoreGeneration(text: $0.text(0))
    }
    return generation
  }

  /// Writes the generation to a file. Versions of the engine without generations ignore it.
  func write(_ connection: SQLiteConnection) throws(SQLiteError) {
    try connection.run(
      #"INSERT INTO "$metadata" VALUES ('state', ?1) ON CONFLICT (name) DO UPDATE SET value = excluded.value"#,
      .text(text))
  }

  /// The textual form, such as `51a3f0… 12 3`.
  private var text: String { "\(String(session, radix: 16)) \(saves) \(lastDeletion)" }

  private init?(text: String) {
    let parts = text.split(separator: " ", omittingEmptySubsequences: false)
    guard parts.count == 3, let session = UInt64(parts[0], radix: 16), let saves = Int64(parts[1]),
      0..<1 << 60 ~= saves, let lastDeletion = Int64(parts[2]), 0...saves ~= lastDeletion
    else { return nil }
    self.init(session: session, saves: saves, lastDeletion: lastDeletion)
  }
}
