import RecordModel
import Testing

@testable import ScenarioComparison
@testable import ScenarioFormat

/// Tests for the records that a label of another entity means.
struct NamesakesTests {
  private let schema: Schema

  init() throws {
    func keyed(_ name: EntityName) -> EntityDescription {
      EntityDescription(name, primaryKey: "id", attributes: [AttributeDescription("id", .int64)])
    }
    schema = try ManagedObjectModel(entities: [
      keyed("Vehicle"), EntityDescription("Car", parent: "Vehicle"), keyed("Part"),
      EntityDescription("SubPart", parent: "Part"), EntityDescription("Tag"),
      EntityDescription("SubTag", parent: "Tag"),
    ]).schema
  }

  private struct Case {
    let label: RecordLabel
    let existing: Set<RecordLabel>
    /// The labels whose records must not exist if `label` is absent.
    let covered: [RecordLabel]
    let namesakes: [RecordLabel]

    init(
      _ label: RecordLabel, _ existing: Set<RecordLabel>, covered: [RecordLabel] = [],
      namesakes: [RecordLabel] = []
    ) {
      (self.label, self.existing, self.covered, self.namesakes) = (label, existing, covered, namesakes)
    }
  }

  private static let cases = [
    Case("Vehicle/9", ["Car/9"], covered: ["Car/9"], namesakes: ["Car/9"]),
    Case("Vehicle/9", ["Vehicle/9"], covered: ["Vehicle/9"]),
    Case(
      "Vehicle/9", ["Vehicle/9~1", "Car/9"], covered: ["Vehicle/9~1", "Car/9"],
      namesakes: ["Vehicle/9~1", "Car/9"]),
    Case("Car/9", ["Vehicle/9"], namesakes: ["Vehicle/9"]),
    // Records are numbered by entity.
    Case("Vehicle/9~1", ["Vehicle/9~1", "Car/9~1"], covered: ["Vehicle/9~1"], namesakes: ["Car/9~1"]),
    Case("Tag~1", ["Tag~1", "SubTag~1"], covered: ["Tag~1"]),
    Case("Tag~2", ["Tag~1", "SubTag~2"]),
    Case(
      "Part@Vehicle/9~3", ["Car/9", "Part@Car/9~3"], covered: ["Part@Car/9~3"], namesakes: ["Part@Car/9~3"]),
    Case("Part@Car/9~3", ["Car/9", "SubPart@Car/9~3"], namesakes: ["SubPart@Car/9~3"]),
    Case("Part@Car/9", ["Car/9", "SubPart@Car/9"], covered: ["SubPart@Car/9"], namesakes: ["SubPart@Car/9"]),
    Case("Part@Car/9", ["Car/9", "Part@Car/9~1"], covered: ["Part@Car/9~1"], namesakes: ["Part@Car/9~1"]),
    // The only child is also the first one.
    Case("Part@Car/9~1", ["Car/9", "Part@Car/9"], covered: ["Part@Car/9"], namesakes: ["Part@Car/9"]),
    Case("Part@Car/9~1", ["Car/9", "SubPart@Car/9"], namesakes: ["SubPart@Car/9"]),
    Case("Part@Car/9~2", ["Car/9", "Part@Car/9"]),
    // The first of several owners.
    Case("Part@Car/9", ["Car/9~1", "Part@Car/9~1"], covered: ["Part@Car/9~1"], namesakes: ["Part@Car/9~1"]),
    Case(
      "Part@Vehicle/9~2~3", ["Vehicle/9~2", "Part@Vehicle/9~2~3", "Car/9~2", "SubPart@Car/9~2~3"],
      covered: ["Part@Vehicle/9~2~3"], namesakes: ["SubPart@Car/9~2~3"]),
    Case("Part@Tag~1", ["SubTag~1", "Part@SubTag~1"]),
    Case("Part@Car/9", ["Part@Car/9"]),
    Case("Bus/9", ["Bus/9", "Car/9"]),
    Case("Part@Bus/9", ["Bus/9", "Part@Bus/9"]),
    Case("", ["Car/9"]),
    Case("@~", ["Car/9"]),
  ]

  @Test(arguments: cases.indices) func theRecordsOfALabel(index: Int) {
    let test = Self.cases[index]
    #expect(schema.covered(by: test.label, where: test.existing.contains) == test.covered, "\(test.label)")
    #expect(
      schema.namesakes(of: test.label, where: test.existing.contains) == test.namesakes, "\(test.label)")
  }

  private func label(_ entity: EntityName, levels: Int) -> RecordLabel {
    (0..<levels).reduce(RecordLabel("\(entity)/9")) { owner, _ in .owned(entity, by: owner) }
  }

  /// Without owners that exist, each level would double the labels.
  @Test(arguments: [true, false]) func manyLevelsTakeLinearTime(exist: Bool) {
    let existing = exist ? Set((0...40).map { label("Car", levels: $0) }) : []
    let expected = exist ? [label("Car", levels: 40)] : []
    var lookups = 0
    func exists(_ label: RecordLabel) -> Bool {
      lookups += 1
      return existing.contains(label)
    }
    #expect(schema.covered(by: label("Vehicle", levels: 40), where: exists) == expected)
    #expect(schema.namesakes(of: label("Vehicle", levels: 40), where: exists) == expected)
    #expect(lookups <= 2 * 41 * 4)
  }
}
