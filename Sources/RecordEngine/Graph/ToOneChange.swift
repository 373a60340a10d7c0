import RecordModel

/// A change of a to-one relationship.
enum ToOneChange: Hashable, Sendable {
  /// The relationship leads to this record, or is empty if nil. If the record no longer exists, nothing changes.
  case target(RecordID?)
  /// The relationship no longer leads to this record. If it has another target by now, it keeps that.
  case without(RecordID)
}

extension ToOneChange {
  /// The new target; nil if the relationship is emptied.
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
