package import RecordModel
package import ScenarioFormat

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
    /// An entity whose records all have other labels.
    case relabeled
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

  /// The types of two values of different types, such as `string` and `integer`.
  package struct Types: Hashable, Sendable {
    package var expected: String
    package var actual: String
  }

  /// The reason why an actual value is missing.
  package enum Reason: Hashable, Sendable {
    /// The reason in one line.
    case text(String)
    /// A diagnostic that is reported with the difference states the reason.
    case reported

    package var text: String? { if case .text(let text) = self { text } else { nil } }
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
  /// The entity of the record, or the entity whose records all differ; nil for any other difference.
  package var entity: EntityName?
  /// A property of the record or a field of the step, such as `records` or `diagnostics`.
  package var property: String?
  /// A Boolean value that indicates whether the difference is about the drift of an entity as a whole.
  package var isAboutDrift: Bool
  /// The expected value with its type, such as `string "22"`.
  package var expected: String?
  /// The actual value with its type, such as `integer 22`.
  package var actual: String?
  /// The types of the values, if the types of two attribute values differ.
  package var types: Types?
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
  /// The labels of expected records that existed before, for a difference that says that they are missing.
  package var lost: [RecordLabel]
  /// The reason why the actual value is missing; nil if it is unknown. It is not shown together with an explanation, which
  /// contains it.
  package var reason: Reason?
  /// The lines that explain the actual value; empty unless an explanation was asked for.
  package var explanation: [String] = []

  package init(
    _ kind: Kind, at location: Location, step: Int? = nil, record: RecordLabel? = nil,
    entity: EntityName? = nil, property: String? = nil, isAboutDrift: Bool = false, expected: String? = nil,
    actual: String? = nil,
    types: Types? = nil, missing: [String] = [], extra: [String] = [],
    note: String? = nil, also: [String] = [], nearest: Nearest? = nil, lost: [RecordLabel] = []
  ) {
    self.kind = kind
    self.location = location
    self.step = step
    self.record = record
    self.entity = entity ?? record?.entity
    self.property = property
    self.isAboutDrift = isAboutDrift
    self.expected = expected
    self.actual = actual
    self.types = types
    self.missing = missing
    self.extra = extra
    self.note = note
    self.also = also
    self.nearest = nearest
    self.lost = lost
  }
}

extension Difference {
  /// A Boolean value that indicates whether a record or its nearest one differs, or is missing, so that its values or its
  /// deletion can be explained.
  package var isAboutRecords: Bool { record != nil || nearest != nil || !lost.isEmpty }
}
