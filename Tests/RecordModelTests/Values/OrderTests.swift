import Foundation
import JSONTree
import RecordModel
import Testing

@Suite struct OrderTests {
  /// Values of an attribute, in their order.
  static let rows: [[AttributeValue?]] = [
    [nil, .integer(.min), .integer(-1), .integer(0), .integer(.max)],
    [
      nil, .double(-.infinity), .double(-0.5), .double(0), .double(0.1), .double(1e300), .double(.infinity),
      .double(.nan),
    ],
    [
      nil, decimal("-1e127"), decimal("-0.5"), .decimal(0), decimal("1e-128"), decimal("1e127"),
      .decimal(.nan),
    ],
    [nil, .boolean(false), .boolean(true)],
    // The last two are canonically equivalent, and equal by `String.==`.
    [
      nil, .string(""), .string("10"), .string("9"), .string("B"), .string("a"), .string("e\u{301}"),
      .string("\u{E9}"),
    ],
    // By scalars, not by UTF-16 units, which would sort the emoji first.
    [.string("\u{FF21}"), .string("\u{1F600}")],
    [nil, date(-1.5), date(0), date(0.001), date(1e12)],
    [
      nil, .binary(Data()), .binary(Data([0])), .binary(Data([0, 0])), .binary(Data([1])),
      .binary(Data([255])),
    ],
    [nil, uuid("00000000-0000-0000-0000-000000000001"), uuid("A0000000-0000-0000-0000-000000000000")],
    [nil, uri("https://a.example"), uri("https://a.example/b"), uri("https://b.example")],
    [nil, .json(1), .json([1]), .json(["a": 1])],
    // Values of different kinds: by kind
    [.integer(9), .double(0), .decimal(0), .boolean(false), .string("")],
  ]

  @Test(arguments: rows) func isTotal(values: [AttributeValue?]) {
    for (leftIndex, left) in values.enumerated() {
      for (rightIndex, right) in values.enumerated() {
        let expected: ComparisonResult =
          leftIndex < rightIndex
          ? .orderedAscending : leftIndex > rightIndex ? .orderedDescending : .orderedSame
        #expect(AttributeValue.compare(left, right) == expected, "\(left as Any), \(right as Any)")
        #expect(AttributeValue.areInIncreasingOrder(left, right) == (leftIndex < rightIndex))
      }
    }
  }

  @Test func equalValuesAreTheSame() {
    #expect(AttributeValue.compare(.double(0), .double(-0.0)) == .orderedSame)
    #expect(AttributeValue.compare(decimal("1.0"), decimal("1")) == .orderedSame)
    #expect(AttributeValue.compare(.json(["a": 1, "b": 2]), .json(["b": 2, "a": 1])) == .orderedSame)
  }
}

private func decimal(_ text: String) -> AttributeValue { .decimal(Decimal(string: text) ?? .nan) }
private func date(_ seconds: Double) -> AttributeValue {
  .date(Date(timeIntervalSinceReferenceDate: seconds))
}
private func uuid(_ text: String) -> AttributeValue? { UUID(uuidString: text).map(AttributeValue.uuid) }
private func uri(_ text: String) -> AttributeValue? { URL(string: text).map(AttributeValue.uri) }
