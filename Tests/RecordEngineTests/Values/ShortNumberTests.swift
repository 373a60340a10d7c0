import JSONTree
import RecordModel
import Testing

@testable import RecordEngine

/// Tests that compare the fast conversion of short numbers with Swift's `Double` initializer.
struct ShortNumberTests {
  @Test(arguments: 1...8 as ClosedRange<UInt64>)
  func theNearestDouble(seed: UInt64) throws {
    var numbers = RandomNumbers(seed: seed)
    for _ in 0..<3000 {
      let digits = (0..<numbers.number(1...19)).map { _ in String(numbers.number(0...9)) }.joined()
      let point = numbers.number(0...digits.count)
      let text =
        (numbers.chance(30) ? "-" : "") + digits.prefix(point) + (numbers.chance(80) ? "." : "")
        + digits.dropFirst(point)
      let node = JSONDocument(.string(text)).root
      let expected = try #require(Double(text.hasSuffix(".") ? String(text.dropLast()) : text), "\(text)")
      let value = AttributeValue(converting: node, to: .double, dateFormat: nil)
      #expect(value == .double(expected), "\(text)")
    }
  }

  @Test(arguments: ["", "-", ".", "-.", "1.2.3", "1-2", "--1", "1e", "0x1", " 1", "1 "])
  func noNumbers(text: String) {
    let value = AttributeValue(
      converting: JSONDocument(.string(text)).root, to: .double, dateFormat: nil)
    #expect(value == nil)
  }
}
