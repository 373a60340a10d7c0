/// What one save of a context, or of a request for one, has done to the store.
///
/// ```swift
/// let saves = container.saves
/// Task { [weak context] in
///   for await save in saves { context?.merge(save) }
/// }
/// ```
public struct SavedChanges: Sendable {
  /// The context that was saved, or for which the request was made.
  public let contextID: ContextID
  /// What was inserted, updated and deleted.
  public let changes: ImportChanges

  let containerID: ObjectIdentifier
  let records: TouchedRecords
}
