public import RecordModel

/// The changes that lead from one result of a fetch to a later one.
///
/// To change a list step by step, remove the records at the offsets of ``deleted`` and at the sources of ``moved``, the
/// last one first. Then insert the records of ``inserted`` and ``moved`` at their offsets in the new result, the first
/// one first. List views that update in batches expect the same offsets.
public struct FetchChanges: Sendable, Equatable {
  /// A record at an offset of a result.
  public struct Position: Sendable, Equatable {
    /// The identifier of the record.
    public var id: RecordID
    /// The offset of the record.
    public var offset: Int
  }

  /// A record at another position relative to the other records.
  public struct Move: Sendable, Equatable {
    /// The identifier of the moved record.
    public var id: RecordID
    /// The offset in the former result.
    public var source: Int
    /// The offset in the new result.
    public var destination: Int
  }

  /// A record with changed properties.
  public struct Update: Sendable, Equatable {
    /// The identifier of the updated record.
    public var id: RecordID
    /// The offset in the new result.
    public var offset: Int
    /// The names of the changed properties, in the order of the model, attributes first. It is empty if only the entity
    /// of the record has changed.
    public var properties: [PropertyName]
  }

  /// The records that are only in the new result, with their offsets in it, in ascending order.
  public var inserted: [Position] = []
  /// The records that are only in the former result, with their offsets in it, in ascending order.
  public var deleted: [Position] = []
  /// The records whose relative order has changed, by their offsets in the new result. There are as few as possible.
  public var moved: [Move] = []
  /// The records of both results with changed properties, by their offsets in the new result. An updated record can
  /// also have moved.
  public var updated: [Update] = []

  /// A Boolean value that indicates whether the two results are the same.
  public var isEmpty: Bool { inserted.isEmpty && deleted.isEmpty && moved.isEmpty && updated.isEmpty }
}

extension FetchChanges {
  /// Creates the changes between two lists without duplicates, except for the updates.
  ///
  /// - Complexity: O(n log n) in the number of records.
  init(from former: [RecordID], to ids: [RecordID]) {
    let formerOffsets = Dictionary(uniqueKeysWithValues: zip(former, former.indices))
    let present = Set(ids)
    deleted = former.enumerated().filter { !present.contains($0.element) }
      .map { Position(id: $0.element, offset: $0.offset) }
    var kept: [Move] = []
    for (offset, id) in ids.enumerated() {
      if let source = formerOffsets[id] {
        kept.append(Move(id: id, source: source, destination: offset))
      } else {
        inserted.append(Position(id: id, offset: offset))
      }
    }
    // The records that keep their relative order are a longest increasing subsequence.
    let inOrder = Set(positionsOfLongestIncrease(in: kept.map(\.source)))
    moved = kept.indices.lazy.filter { !inOrder.contains($0) }.map { kept[$0] }
  }
}

/// Returns the positions of a longest strictly increasing subsequence of different numbers.
private func positionsOfLongestIncrease(in numbers: [Int]) -> [Int] {
  // For each length, the position of the least number that ends an increasing subsequence of this length.
  var ends: [Int] = []
  // For each position, the position before it in the subsequence that it ends.
  var predecessors: [Int?] = []
  predecessors.reserveCapacity(numbers.count)
  for (position, number) in numbers.enumerated() {
    var (low, high) = (0, ends.count)
    // Most numbers are in order already.
    if let last = ends.last, numbers[last] < number { low = high }
    while low < high {
      let middle = (low + high) / 2
      if numbers[ends[middle]] < number { low = middle + 1 } else { high = middle }
    }
    predecessors.append(low == 0 ? nil : ends[low - 1])
    if low == ends.count { ends.append(position) } else { ends[low] = position }
  }
  var result: [Int] = []
  var next = ends.last
  while let position = next {
    result.append(position)
    next = predecessors[position]
  }
  return result
}
