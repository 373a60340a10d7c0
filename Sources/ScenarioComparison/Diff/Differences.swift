import OrderedCollections
package import RecordModel
import ScenarioFormat

/// A collection that keeps the first differences, counts all of them, and groups them by their shape.
package struct Differences: Sendable {
  /// The maximum number of differences that are kept, besides the first of each shape.
  package static let limit = 10_000

  /// The differences that are kept, in order. They include the first of each shape.
  package private(set) var first: [Difference] = []
  /// The number of differences.
  package private(set) var count = 0
  /// The number of expected and of actual records of each entity, where all of them were compared.
  package var recordCounts: (expected: [EntityName: Int], actual: [EntityName: Int]) = ([:], [:])
  private var counts: OrderedDictionary<DifferenceShape, Int> = [:]

  package init() {}

  package init(_ differences: some Sequence<Difference>) {
    for difference in differences { append(difference) }
  }

  package var isEmpty: Bool { count == 0 }

  package mutating func append(_ difference: Difference) {
    let shape = DifferenceShape(difference)
    counts[shape, default: 0] += 1
    count += 1
    if first.count < Self.limit || counts[shape, default: 0] <= DifferenceGroup.examples {
      first.append(difference)
    }
  }

  package mutating func append(contentsOf other: Differences) {
    for difference in other.first { append(difference) }
    // The differences that the other collection has only counted.
    var kept: [DifferenceShape: Int] = [:]
    for difference in other.first { kept[DifferenceShape(difference), default: 0] += 1 }
    for (shape, all) in other.counts {
      let rest = all - kept[shape, default: 0]
      counts[shape, default: 0] += rest
      count += rest
    }
  }

  /// The differences by shape, in the order of the first difference of each shape.
  ///
  /// - Complexity: linear in the number of differences that are kept.
  package var groups: [DifferenceGroup] {
    OrderedDictionary(grouping: first, by: DifferenceShape.init).map { shape, members in
      DifferenceGroup(
        shape: shape, count: counts[shape] ?? members.count, total: total(of: shape), first: members)
    }
  }

  private func total(of shape: DifferenceShape) -> Int? {
    guard let entity = shape.entity, !shape.isInSteps, shape.expectation == nil else { return nil }
    return shape.kind == .missing && shape.property == nil
      ? recordCounts.expected[entity] : recordCounts.actual[entity]
  }

  /// Returns the differences of the groups that satisfy a condition.
  package func filter(_ isIncluded: (DifferenceGroup) -> Bool) -> Differences {
    let shapes = Set(groups.filter(isIncluded).map(\.shape))
    var result = self
    result.counts = counts.filter { shapes.contains($0.key) }
    result.first = first.filter { shapes.contains(DifferenceShape($0)) }
    result.count = result.counts.values.reduce(0, +)
    return result
  }

  /// Returns the differences in the order of the author's lines, followed by differences without a line.
  package func sortedByLine() -> Differences {
    func line(_ difference: Difference) -> Int {
      if case .expectation(let span) = difference.location { span.start.line } else { .max }
    }
    var sorted = self
    sorted.first = first.enumerated().sorted {
      (line($0.element), $0.offset) < (line($1.element), $1.offset)
    }.map(\.element)
    return sorted
  }

  /// Returns the differences with the examples of each shape replaced by a function.
  package func mapExamples(_ transform: (Difference) -> Difference) -> Differences {
    var differences = self
    var known: [DifferenceShape: Int] = [:]
    for index in first.indices {
      let number = known[DifferenceShape(first[index]), default: 0]
      known[DifferenceShape(first[index])] = number + 1
      if number < DifferenceGroup.examples { differences.first[index] = transform(first[index]) }
    }
    return differences
  }

  /// Returns the differences as those of one request in a batch, from 1.
  package func ofRequest(_ number: Int) -> Differences {
    var differences = self
    for index in first.indices { differences.first[index].request = number }
    return differences
  }
}
