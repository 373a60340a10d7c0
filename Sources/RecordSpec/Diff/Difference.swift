/// A difference between the actual result and the result that an author or a golden file expects.
package struct Difference: Sendable {
  /// The kind of a difference. The raw value is its name in reports.
  package enum Kind: String, Hashable, Sendable, CaseIterable {
    /// An expected record, list entry or line of an expectation without an actual counterpart.
    case missing
    /// An unexpected record or list entry.
    case extra
    /// A different value.
    case changed
    /// A different number of records or entries.
    case count
    /// Several records instead of one.
    case duplicated
    /// A label without a record.
    case dangling
    /// The expected members in a different order.
    case order
    /// A relationship whose inverse does not match.
    case inverse
  }

  /// The source of the expectation.
  package enum Location: Sendable {
    /// An expectation that an author wrote at this location.
    case expectation(SourceSpan)
    /// A golden file, by its path.
    case golden(String)
    /// The graph, which contradicts itself.
    case graph
  }

  /// The record that is most similar to the expected one, with its differences.
  package struct Nearest: Sendable {
    /// The label of the record.
    package var record: RecordLabel
    /// The differences between the record and the expected one.
    package var differences: [Difference]
  }

  /// The kind of the difference.
  package var kind: Kind
  /// The source of the expectation.
  package var location: Location
  /// The step, from 1; nil for the graph after the last step.
  package var step: Int?
  /// The request of a batch, from 1; nil for a step as a whole.
  package var request: Int?
  /// The record that differs; nil for a difference that is not about one record.
  package var record: RecordLabel?
  /// A property of the record or a field of the step, such as `records` or `diagnostics`.
  package var property: String?
  /// The expected value with its type, such as `string "22"`.
  package var expected: String?
  /// The actual value with its type, such as `integer 22`.
  package var actual: String?
  /// The expected list entries that are missing.
  package var missing: [String]
  /// The actual list entries that were not expected.
  package var extra: [String]
  /// A further remark in one line.
  package var note: String?
  /// Other diagnostics that may explain the difference.
  package var also: [String]
  /// The record that is most similar to the expected one, for an expectation without a matching record.
  package var nearest: Nearest?

  package init(
    _ kind: Kind, at location: Location, step: Int? = nil, record: RecordLabel? = nil,
    property: String? = nil,
    expected: String? = nil, actual: String? = nil, missing: [String] = [], extra: [String] = [],
    note: String? = nil, also: [String] = [], nearest: Nearest? = nil
  ) {
    self.kind = kind
    self.location = location
    self.step = step
    self.record = record
    self.property = property
    self.expected = expected
    self.actual = actual
    self.missing = missing
    self.extra = extra
    self.note = note
    self.also = also
    self.nearest = nearest
  }
}

/// A collection that keeps the first differences and counts all of them.
package struct Differences: Sendable {
  /// The maximum number of differences that are kept.
  package static let limit = 50

  package private(set) var first: [Difference] = []
  package private(set) var count = 0

  package init() {}

  package init(_ differences: some Sequence<Difference>) {
    for difference in differences { append(difference) }
  }

  package var isEmpty: Bool { count == 0 }

  package mutating func append(_ difference: Difference) {
    if first.count < Self.limit { first.append(difference) }
    count += 1
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

  /// Adds possible causes to the first difference, if there is one.
  package mutating func alsoMention(_ causes: [String]) {
    guard !first.isEmpty else { return }
    self = sortedByLine()
    let known = first[0].also + [first[0].note].compactMap(\.self)
    first[0].also += causes.filter { !known.contains($0) }
  }

  /// Returns the differences as those of one request in a batch, from 1.
  package func ofRequest(_ number: Int) -> Differences {
    var differences = self
    for index in first.indices { differences.first[index].request = number }
    return differences
  }

  package mutating func append(contentsOf other: Differences) {
    first += other.first.prefix(Self.limit - first.count)
    count += other.count
  }
}
