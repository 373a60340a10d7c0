/// The objects of a context, by record. The references are weak: an object exists only while other code holds it.
struct RecordObjects {
  private struct Weak {
    weak var record: Record?
  }

  private var indices = RecordIndexMap<Weak>()
  /// The objects by the positions in `indices`.
  private var objects: [Weak] = []

  /// The number of objects, including deallocated ones whose entries still exist.
  var count: Int { indices.count }

  /// The records with an entry, in the order of their insertion.
  var ids: [RecordID] { indices.known }

  subscript(id: RecordID) -> Record? {
    guard let index = indices[id] else { return nil }
    return objects[index].record
  }

  /// Adds an object, in place of one that is deallocated or of another class.
  mutating func insert(_ record: Record, for id: RecordID) {
    if let index = indices[id] {
      objects[index].record = record
    } else {
      indices.insert(id, at: objects.nextIndex)
      objects.append(Weak(record: record))
    }
  }

  mutating func remove(_ id: RecordID) -> Record? {
    defer { indices.remove(id) }
    return self[id]
  }

  /// Removes the entries of deallocated objects.
  mutating func forgetGone() {
    let former = self
    self = RecordObjects()
    for id in former.indices.known {
      if let record = former[id] { insert(record, for: id) }
    }
  }

  mutating func reserveCapacity(_ capacity: Int) {
    indices.reserveCapacity(capacity)
    objects.reserveCapacity(capacity)
  }
}
