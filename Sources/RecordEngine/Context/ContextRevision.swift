/// The revision of the records that a context shows, including the unsaved changes of the context and its parents.
///
/// It detects changes of the context while a response is populated over it. The ``StoreGeneration`` cannot detect them:
/// it does not count unsaved changes, and it advances with saves that the context has not merged.
struct ContextRevision: Hashable, Sendable {
  /// The number of times that the visible records may have changed.
  var changes = 0
  /// The number of times that unsaved changes were saved, handed to the parent, or discarded.
  var clears = 0

  static func + (upper: ContextRevision, lower: ContextRevision) -> ContextRevision {
    ContextRevision(changes: upper.changes + lower.changes, clears: upper.clears + lower.clears)
  }
}
