import RecordModel

@testable import RecordEngine

extension ImportChanges {
  /// Returns the changes with each record replaced by another one.
  func replacing(_ other: (RecordID) -> RecordID) -> ImportChanges {
    var changes = self
    changes.inserted = inserted.map(other)
    changes.updated = updated.map { update in
      Update(id: other(update.id), changes: update.changes.map { $0.replacing(other) })
    }
    changes.deleted = deleted.map(other)
    changes.unchanged = unchanged.map(other)
    return changes
  }
}

extension PropertyChange {
  fileprivate func replacing(_ other: (RecordID) -> RecordID) -> PropertyChange {
    switch values {
    case .attribute: self
    case .toOne(let from, let to):
      PropertyChange(name: name, values: .toOne(from: from.map(other), to: to.map(other)))
    case .toMany(let added, let removed):
      PropertyChange(name: name, values: .toMany(added: added.map(other), removed: removed.map(other)))
    }
  }
}
