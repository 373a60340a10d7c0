/// The records that unsaved records of a context have become, because another record has their key: a saved record, a record
/// of the parent, or a record that the context had deleted.
///
/// A context shares this map with its parents and children. The identifier of a record that has become another one is never
/// used again.
final class RecordSuccessors {
  private var successors: [RecordID: RecordID] = [:]

  var isEmpty: Bool { successors.isEmpty }

  func add(_ new: [RecordID: RecordID]) { successors.merge(new) { _, last in last } }

  /// Returns the record that a record has become; the record itself if it has become no other.
  func current(_ id: RecordID) -> RecordID {
    var id = id
    while let next = successors[id] { id = next }
    return id
  }

  func copy() -> RecordSuccessors {
    let copy = RecordSuccessors()
    copy.successors = successors
    return copy
  }
}
