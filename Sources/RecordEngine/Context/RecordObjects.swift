/// The objects of a context by the records they stand for. Nobody is held here: an object is there as long as somebody
/// else holds it.
struct RecordObjects {
  private struct Weak {
    weak var record: Record?
  }

  private var indices = RecordIndexMap<Weak>()
  /// By place.
  private var objects: [Weak] = []

  /// How many there are, with those that have gone and are not forgotten yet.
  var count: Int { indices.count }

  subscript(id: RecordID) -> Record? {
    guard let index = indices[id] else { return nil }
    return objects[index].record
  }

  /// Notes an object, in the place of one that has gone or is of another class.
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

  /// Forgets those that have gone.
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
