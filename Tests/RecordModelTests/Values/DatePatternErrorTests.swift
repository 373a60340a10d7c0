import RecordModel
import Testing

/// Invalid patterns with the range, the message and the advice of the error.
@Suite struct DatePatternErrorTests {
  struct Row: CustomTestStringConvertible, Sendable {
    let pattern: String
    let range: Range<Int>
    let message: String
    let advice: String
    var testDescription: String { "'\(pattern)'" }

    init(_ pattern: String, _ range: Range<Int>, _ message: String, _ advice: String) {
      self.pattern = pattern
      self.range = range
      self.message = message
      self.advice = advice
    }
  }

  private static let letters = "letters that can be read: y u M L d D E c a h H K k m s S Z X x O z"

  static let rows: [Row] = [
    Row(
      "", 0..<0, "the pattern names no part of a date",
      "write a pattern like yyyy-MM-dd'T'HH:mm:ssZ, or iso8601"),
    Row(
      "'T'", 0..<3, "the pattern names no part of a date",
      "write a pattern like yyyy-MM-dd'T'HH:mm:ssZ, or iso8601"),
    Row(
      "YYYY-MM-dd", 0..<4, "'YYYY' is no field that can be read",
      "write 'yyyy': 'Y' is the year that the week belongs to"),
    Row(
      "yyyy-MM-ddTHH:mm", 10..<11, "'T' is no field that can be read", "text stands in quotes: write ''T''"),
    Row("yyyy QQ", 5..<7, "'QQ' is no field that can be read", "\(letters); text stands in quotes: 'QQ'"),
    Row("yyyy w", 5..<6, "'w' is no field that can be read", "\(letters); text stands in quotes: 'w'"),
    Row("yyyy G", 5..<6, "'G' is no field that can be read", "\(letters); text stands in quotes: 'G'"),
    Row(
      "yyyy-MMMMM", 5..<10, "'MMMMM' is no field that can be read",
      "write 'M' or 'MM' for the number, 'MMM' or 'MMMM' for the name"),
    Row("EEEEE yyyy", 0..<5, "'EEEEE' is no field that can be read", "write 'EEE' or 'EEEE'"),
    Row("yyyy HHH", 5..<8, "'HHH' is no field that can be read", "write fewer letters"),
    Row("yyyyyyyyyy", 0..<10, "'yyyyyyyyyy' is no field that can be read", "write fewer letters"),
    Row("é yyyy 'at", 7..<10, "the quote is not closed", "close it with '"),
    Row("yyyy-MM-dd yyyy", 11..<15, "'yyyy' says the year again, after 'yyyy'", "name every part once"),
    Row("yyyy-MM-dd u", 11..<12, "'u' says the year again, after 'yyyy'", "name every part once"),
    Row("yyyy-MM D", 8..<9, "'D' says the month again, after 'MM'", "name every part once"),
    Row("yyyy-D dd", 7..<9, "'dd' says the day again, after 'D'", "name every part once"),
    Row("HH h", 3..<4, "'h' says the hour again, after 'HH'", "name every part once"),
    Row(
      "yMMdd", 0..<1, "'y' has no fixed number of digits, so it cannot be told from the number beside it",
      "write 'yyyy'"),
    Row(
      "yyyyMdd", 4..<5, "'M' has no fixed number of digits, so it cannot be told from the number beside it",
      "write 'MM', or put something between them"),
    Row(
      "HH:mm Zyyyy", 7..<11, "the number 'yyyy' directly after the time zone cannot be told from it",
      "put a space between them"),
    Row("ISO8601", 0..<7, "'ISO8601' is no date format", "did you mean 'iso8601'?"),
    Row("iso-8601", 0..<8, "'iso-8601' is no date format", "did you mean 'iso8601'?"),
    Row("RFC 3339", 0..<8, "'RFC 3339' is no date format", "write iso8601: it reads RFC 3339 too"),
  ]

  @Test(arguments: rows) func explains(row: Row) {
    let error = #expect(throws: DateFormatError.self) { try DateFormat(row.pattern) }
    #expect(error?.range == row.range)
    #expect(error?.message == row.message)
    #expect(error?.advice == row.advice)
  }

  @Test func formatsAreEqualByTheirPattern() throws {
    #expect(try DateFormat("yyyy") == DateFormat("yyyy"))
    #expect(try DateFormat("yyyy") != DateFormat("yy"))
    #expect(try DateFormat("iso8601") == .iso8601)
    #expect(try Set([DateFormat("yyyy"), DateFormat("yyyy"), .iso8601]).count == 2)
  }
}
