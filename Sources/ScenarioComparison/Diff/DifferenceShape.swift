package import RecordModel
import ScenarioFormat

/// The properties that equal changes of many records have in common. Differences with the same shape are reported
/// together, within a golden file and across several of them.
///
/// A shape contains no labels, no values and no step, so that it also identifies the same change in another golden file.
package struct DifferenceShape: Hashable, Sendable {
  /// The kind of change of a value.
  package enum Change: Hashable, Sendable {
    /// A value where none was expected.
    case added
    /// No value where one was expected.
    case removed
    /// A value of another type.
    case type(Difference.Types)
    /// Anything else.
    case other
  }

  /// The kind of the differences.
  package var kind: Difference.Kind
  /// The entity of the records that differ; nil for differences that are not about records.
  package var entity: EntityName?
  /// The property of the records, or the field of the steps.
  package var property: String?
  /// The change of the value.
  package var change: Change
  /// A Boolean value that indicates whether the differences are in the results of steps.
  package var isInSteps: Bool
  /// The location of the author's expectation, because differences from two expectations are never the same change. Nil
  /// for golden files and for contradictions of the graph.
  package var expectation: Expectation?

  /// A Boolean value that indicates whether the differences are about the drift of an entity as a whole.
  package var isAboutDrift: Bool

  /// The location of an expectation in its file.
  package struct Expectation: Hashable, Sendable {
    package var path: String
    package var offset: Int
  }

  /// Creates the shape of a difference.
  package init(_ difference: Difference) {
    kind = difference.kind
    entity = difference.entity
    property = difference.property
    isAboutDrift = difference.isAboutDrift
    isInSteps = difference.step != nil
    change =
      if let types = difference.types {
        .type(types)
      } else if difference.kind != .changed {
        .other
      } else if difference.expected == ValueText.nothing {
        .added
      } else if difference.actual == ValueText.nothing {
        .removed
      } else {
        .other
      }
    if case .expectation(let span) = difference.location {
      expectation = Expectation(path: span.file.path, offset: span.start.offset)
    }
  }
}

/// Differences with the same shape.
package struct DifferenceGroup: Sendable {
  /// The shape of all differences in the group.
  package let shape: DifferenceShape
  /// The number of differences in the group.
  package let count: Int
  /// The number of records of the entity that were compared; nil if it is unknown.
  package let total: Int?
  /// The first differences of the group, at least three if there are so many.
  package let first: [Difference]

  package init(shape: DifferenceShape, count: Int, total: Int?, first: [Difference]) {
    (self.shape, self.count, self.total, self.first) = (shape, count, total, first)
  }

  /// The number of differences that are shown of a group that is folded.
  package static let examples = 3

  /// A Boolean value that indicates whether the differences are shown together. Unexpected diagnostics are shown one by
  /// one, because each of them already stands for all of its kind.
  package var isFolded: Bool { count >= Self.examples && !(isExpectation && shape.property == "diagnostics") }

  private var isExpectation: Bool { shape.expectation != nil }
}
