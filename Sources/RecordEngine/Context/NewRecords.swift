import Foundation

/// The records of one inheritance tree that any context or request has saved since this object was created.
// Unchecked: `known` is accessed only while `lock` is held.
final class NewRecords: @unchecked Sendable {
  let tree: TreeIndex
  private let lock = NSLock()
  private var known: Set<RecordID> = []

  init(tree: TreeIndex) { self.tree = tree }

  /// The identifiers of the records. They are complete if the caller holds the write lock.
  var ids: Set<RecordID> { lock.withLock { known } }

  func note(_ changes: ChangeSet) {
    let new = changes.inserted.lazy.map(\.id).filter { $0.tree == self.tree }
    lock.withLock { known.formUnion(new) }
  }
}
