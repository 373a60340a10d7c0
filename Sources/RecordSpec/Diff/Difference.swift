/// One point in which what came out is not what was expected, by an author or by a golden file.
public struct Difference: Sendable {
  /// The raw value is the word for it in reports.
  public enum Kind: String, Hashable, Sendable, CaseIterable {
    /// A record, an entry of a list, or a line of an expectation, that nothing came out for.
    case missing
    /// A record, or an entry of a list, that nobody expected.
    case extra
    /// A value that is another one.
    case changed
    /// Another number of records or entries.
    case count
    /// Several records where one was expected.
    case duplicated
    /// A label that names no record.
    case dangling
    /// The right members in the wrong order.
    case order
    /// A relationship whose other side does not agree.
    case inverse
  }

  /// Who expected something else.
  public enum Location: Sendable {
    /// An author, in this line.
    case expectation(SourceSpan)
    /// A golden file, by its path.
    case golden(String)
    /// Nobody in particular: the graph contradicts itself.
    case graph
  }

  /// The record that comes closest to what was expected, and how it differs.
  public struct Nearest: Sendable {
    public var record: RecordLabel
    public var differences: [Difference]
  }

  public var kind: Kind
  public var location: Location
  /// The step, from 1; nil for the graph after the last step.
  public var step: Int?
  /// The request of a batch, from 1; nil for a step as a whole.
  public var request: Int?
  public var record: RecordLabel?
  /// A property of the record, or a field of the step: `records`, `diagnostics`.
  public var property: String?
  /// The expected value with its type, `string "22"`.
  public var expected: String?
  /// The value that came out with its type, `integer 22`.
  public var actual: String?
  /// The entries of a list that were expected and did not come out.
  public var missing: [String]
  /// The entries of a list that came out and were not expected.
  public var extra: [String]
  /// What else helps, in one line.
  public var note: String?
  /// What was noticed beside it and may be why.
  public var also: [String]
  public var nearest: Nearest?

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

/// The differences that were found: the first few as they are, all of them counted.
public struct Differences: Sendable {
  /// How many are kept: nobody reads on.
  public static let limit = 50

  public private(set) var first: [Difference] = []
  public private(set) var count = 0

  package init() {}

  package init(_ differences: some Sequence<Difference>) {
    for difference in differences { append(difference) }
  }

  public var isEmpty: Bool { count == 0 }

  package mutating func append(_ difference: Difference) {
    if first.count < Self.limit { first.append(difference) }
    count += 1
  }

  /// In the order of the author's lines, as one reads on; what is at no line of the author comes last.
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

  /// The same, as those of one request of a batch.
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
