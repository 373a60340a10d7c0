/// The changes that one save of a context, or of a request for a context, made in the store.
///
/// ```swift
/// let saves = container.saves
/// Task { [weak context] in
///   for await save in saves {
///     guard let context else { break }
///     context.merge(save)
///   }
/// }
/// ```
public struct SavedChanges: Sendable {
  /// The identifier of the context that was saved, or for which the request was made.
  public let contextID: ContextID
  /// The records that were inserted, updated and deleted.
  public let changes: ImportChanges

  let containerID: ObjectIdentifier
  let records: TouchedRecords
}
