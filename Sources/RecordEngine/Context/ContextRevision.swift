/// The revision of what can be read in a context, with all that is unsaved in it and in the contexts above.
///
/// It tells whether the context has changed while a response was populated over it. The ``StoreGeneration`` cannot tell: it
/// knows nothing of unsaved changes, and moves on with saves of others that the context has not merged.
struct ContextRevision: Hashable, Sendable {
  /// How often what can be read may have changed.
  var changes = 0
  /// How often unsaved changes were saved, handed to the parent, or discarded.
  var clears = 0

  static func + (upper: ContextRevision, lower: ContextRevision) -> ContextRevision {
    ContextRevision(changes: upper.changes + lower.changes, clears: upper.clears + lower.clears)
  }
}
