import HeapModule
import RecordModel
import ScenarioFormat

/// One of several parts into which the scenarios of a run are divided, such as `2/5`.
package struct Shard: Hashable, Sendable, CustomStringConvertible {
  /// The number of the part, from 1.
  package let number: Int
  /// The number of parts.
  package let count: Int

  /// The maximum number of parts.
  package static let maximumCount = 10_000

  /// Creates a shard; nil unless the number is between 1 and the number of parts.
  package init?(number: Int, of count: Int) {
    guard (1...Self.maximumCount).contains(count), (1...count).contains(number) else { return nil }
    self.number = number
    self.count = count
  }

  /// Creates a shard from a text such as `2/5`; nil for other texts.
  package init?(_ text: String) {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count == 2, let number = Int(parts[0]), let count = Int(parts[1]) else { return nil }
    self.init(number: number, of: count)
  }

  /// The reason why a text is not a shard.
  package struct Problem: Error, CustomStringConvertible {
    package let description: String
  }

  /// Creates a shard from a text such as `2/5`.
  package init(parsing text: String) throws(Problem) {
    if let shard = Shard(text) {
      self = shard
      return
    }
    let numbers = text.split(omittingEmptySubsequences: false) { !$0.isASCII || !$0.isNumber }.map { Int($0) }
    guard numbers.count == 2, let number = numbers[0], let count = numbers[1], count > 0 else {
      throw Problem(description: "write the part and the number of parts, such as 2/3")
    }
    if count > Self.maximumCount {
      throw Problem(description: "at most \(Self.maximumCount) parts are possible")
    }
    if let shard = Shard(number: number, of: count) { throw Problem(description: "write \(shard)") }
    throw Problem(
      description: "there \(count == 1 ? "is" : "are") \(counted(count, "part")); "
        + (count == 1 ? "write 1/1" : "write 1/\(count) for the first and \(count)/\(count) for the last"))
  }

  package var description: String { "\(number)/\(count)" }
}

extension Shard {
  /// Returns the indices of the elements in this shard, in ascending order. Each index is in exactly one shard.
  ///
  /// The longest elements are assigned first, each to the shard with the least work so far, so that all shards take
  /// about the same time. An element whose duration is unknown counts like the average of the known ones. Without any
  /// known duration, the shards take turns.
  ///
  /// - Parameter durations: the duration of each element; nil if it is unknown.
  /// - Complexity: O(*n* log *n* + *n* · log *shards*) for *n* elements.
  package func indices(of durations: [Duration?]) -> [Int] {
    let known = durations.compactMap(\.self)
    let average = known.isEmpty ? .seconds(1) : known.reduce(.zero, +) / known.count
    let work = durations.map { $0 ?? average }
    let order = work.indices.sorted { (work[$1], $0) < (work[$0], $1) }
    var loads = Heap((1...count).map { Load(work: .zero, shard: $0) })
    var indices: [Int] = []
    for index in order {
      guard var load = loads.popMin() else { break }
      if load.shard == number { indices.append(index) }
      load.work += work[index]
      loads.insert(load)
    }
    return indices.sorted()
  }

  private struct Load: Comparable {
    var work: Duration
    let shard: Int

    static func < (left: Load, right: Load) -> Bool {
      (left.work, left.shard) < (right.work, right.shard)
    }
  }
}
