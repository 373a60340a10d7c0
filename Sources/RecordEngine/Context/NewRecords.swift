import Foundation

/// The records of one inheritance tree that have come into the store since somebody began to look, whoever has saved them.
// Unchecked: `known` is read and written under `lock` alone.
final class NewRecords: @unchecked Sendable {
  let tree: TreeIndex
  private let lock = NSLock()
  private var known: Set<RecordID> = []

  init(tree: TreeIndex) { self.tree = tree }

  /// Complete for whoever holds the turn to write.
  var ids: Set<RecordID> { lock.withLock { known } }

  func note(_ changes: ChangeSet) {
    let new = changes.inserted.lazy.map(\.id).filter { $0.tree == self.tree }
    lock.withLock { known.formUnion(new) }
  }
}
