/// The objects of a context by the records they stand for. Nobody is held here: an object is there as long as somebody
/// else holds it.
struct RecordObjects {
  private struct Weak {
    weak var record: Record?
  }

  private var places = RecordPlaces<Weak>()
  /// By place.
  private var objects: [Weak] = []

  /// How many there are, with those that have gone and are not forgotten yet.
  var count: Int { places.count }

  subscript(id: RecordID) -> Record? {
    guard let place = places[id] else { return nil }
    return objects[place].record
  }

  /// Notes an object, in the place of one that has gone or is of another class.
  mutating func insert(_ record: Record, for id: RecordID) {
    if let place = places[id] {
      objects[place].record = record
    } else {
      places.insert(id, at: objects.nextIndex)
      objects.append(Weak(record: record))
    }
  }

  mutating func remove(_ id: RecordID) -> Record? {
    defer { places.remove(id) }
    return self[id]
  }

  /// Forgets those that have gone.
  mutating func forgetGone() {
    let former = self
    self = RecordObjects()
    for id in former.places.known {
      if let record = former[id] { insert(record, for: id) }
    }
  }

  mutating func reserveCapacity(_ capacity: Int) {
    places.reserveCapacity(capacity)
    objects.reserveCapacity(capacity)
  }
}
