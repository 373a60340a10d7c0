import RecordModel

/// A change of a to-one relationship.
enum ToOneChange: Hashable, Sendable {
  /// It leads to this record, or to none. If the record is gone by now, nothing has changed.
  case target(RecordID?)
  /// It no longer leads to this record; where it leads elsewhere by now, it stays.
  case without(RecordID)
}

extension ToOneChange {
  /// The record that it leads to.
  var partner: RecordID? {
    switch self {
    case .target(let target): target
    case .without: nil
    }
  }

  func replacing(_ successors: [RecordID: RecordID]) -> ToOneChange {
    switch self {
    case .target(let target): .target(target.map { successors[$0] ?? $0 })
    case .without(let target): .without(successors[target] ?? target)
    }
  }
}
