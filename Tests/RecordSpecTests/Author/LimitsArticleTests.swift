import JSONTree
import RecordEngine
import RecordModel
import Testing

@testable import RecordSpec

/// The article on limits states those that the code has.
@Suite struct LimitsArticleTests {
  private static let rows: [(limit: String, value: String)] = [
    ("cached responses", "\(RecordCache.Limits().maximumSize >> 20) MiB, 30 days"),
    ("pages of a run", grouped(RequestOptions().maxPages)),
    ("columns of an entity and its sub-entities", grouped(Schema.maximumColumns)),
    ("properties that sub-entities inherit, in all", grouped(Schema.maximumInheritedProperties)),
    ("nesting of a YAML file", "\(YAMLParser.maximumDepth) levels"),
    ("values that the aliases of a YAML file stand for", grouped(YAMLParser.maximumAliasedNodes)),
    ("differences listed per scenario", "\(Differences.limit)"),
  ]

  private static func grouped(_ number: Int) -> String {
    let digits = String(number)
    var text = ""
    for (index, digit) in digits.enumerated() {
      if index > 0, (digits.count - index).isMultiple(of: 3) { text += "," }
      text.append(digit)
    }
    return text
  }

  @Test func limitsAreThoseOfTheCode() throws {
    let text = try Article("RecordSpec/Limits").text
    for (limit, value) in Self.rows {
      #expect(text.contains("| \(limit) | \(value) |"), "\(limit) is \(value)")
    }
    #expect(RecordCache.Limits().maximumAge == .seconds(30 * 24 * 60 * 60))
  }

  @Test(arguments: [(512, true), (513, false)]) func jsonNestsOnlySoDeep(depth: Int, isAccepted: Bool) throws
  {
    let bytes = Array((String(repeating: "[", count: depth) + String(repeating: "]", count: depth)).utf8)
    #expect(((try? JSONDocument(parsing: bytes)) != nil) == isAccepted)
    #expect(try Article("RecordSpec/Limits").text.contains("| nesting of a JSON document | 512 levels |"))
  }
}
