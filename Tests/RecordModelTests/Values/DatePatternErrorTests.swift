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

  private static let letters = "supported letters: y u M L d D E c a h H K k m s S Z X x O z"

  static let rows: [Row] = [
    Row(
      "", 0..<0, "the pattern has no date fields",
      "write a pattern like yyyy-MM-dd'T'HH:mm:ssZ, or iso8601"),
    Row(
      "'T'", 0..<3, "the pattern has no date fields",
      "write a pattern like yyyy-MM-dd'T'HH:mm:ssZ, or iso8601"),
    Row(
      "YYYY-MM-dd", 0..<4, "unsupported date field 'YYYY'",
      "write 'yyyy'; 'Y' is the week-based year"),
    Row(
      "yyyy-MM-ddTHH:mm", 10..<11, "unsupported date field 'T'", "write literal text in quotes: ''T''"),
    Row("yyyy QQ", 5..<7, "unsupported date field 'QQ'", "\(letters); write literal text in quotes: 'QQ'"),
    Row("yyyy w", 5..<6, "unsupported date field 'w'", "\(letters); write literal text in quotes: 'w'"),
    Row("yyyy G", 5..<6, "unsupported date field 'G'", "\(letters); write literal text in quotes: 'G'"),
    Row(
      "yyyy-MMMMM", 5..<10, "unsupported date field 'MMMMM'",
      "write 'M' or 'MM' for the number, 'MMM' or 'MMMM' for the name"),
    Row("EEEEE yyyy", 0..<5, "unsupported date field 'EEEEE'", "write 'EEE' or 'EEEE'"),
    Row("yyyy HHH", 5..<8, "unsupported date field 'HHH'", "write fewer letters"),
    Row("yyyyyyyyyy", 0..<10, "unsupported date field 'yyyyyyyyyy'", "write fewer letters"),
    Row("é yyyy 'at", 7..<10, "missing closing quote", "close it with '"),
    Row("yyyy-MM-dd yyyy", 11..<15, "'yyyy' repeats the year of 'yyyy'", "write each part once"),
    Row("yyyy-MM-dd u", 11..<12, "'u' repeats the year of 'yyyy'", "write each part once"),
    Row(
      "yyyy-MM D", 8..<9, "'D' repeats the month of 'MM'",
      "write 'dd' for the day of the month; 'D' is the day of the year"),
    Row(
      "yyyy-D dd", 5..<6, "'D' repeats the day of 'dd'",
      "write 'dd' for the day of the month; 'D' is the day of the year"),
    Row(
      "DD.MM.yyyy", 0..<2, "'DD' repeats the month of 'MM'",
      "write 'dd' for the day of the month; 'D' is the day of the year"),
    Row(
      "yyyy-mm-dd", 5..<7, "'mm' is the minute, and the pattern has no hour", "write 'MM' for the month"),
    Row("mm/dd", 0..<2, "'mm' is the minute, and the pattern has no hour", "write 'MM' for the month"),
    Row(
      "yyyy-MM-dd mm:ss", 11..<13, "'mm' is the minute, and the pattern has no hour",
      "write 'HH' for the hour"),
    Row("MM mm", 3..<5, "'mm' is the minute, and the pattern has no hour", "write 'HH' for the hour"),
    Row(
      "yyyy-mm-dd HH:mm", 5..<7, "'mm' repeats the minute of 'mm'",
      "write 'MM' for the month; 'm' is the minute"),
    Row(
      "HH:mm dd.mm.yyyy", 9..<11, "'mm' repeats the minute of 'mm'",
      "write 'MM' for the month; 'm' is the minute"),
    Row(
      "yyyy-MM-dd HH:MM", 14..<16, "'MM' repeats the month of 'MM'",
      "write 'mm' for the minute; 'M' is the month"),
    Row(
      "yyyy-mm-dd HH:MM", 14..<16, "'MM' after the hour is the month, not the minute",
      "write 'mm' here, and 'MM' for the month"),
    Row("HH:MM", 3..<5, "'MM' after the hour is the month, not the minute", "write 'mm' for the minute"),
    Row(
      "yyyy-MM-dd hh:mm", 11..<13, "'hh' is an hour of the 12-hour clock, and the pattern has no 'a'",
      "write 'HH', or add 'a' for AM and PM"),
    Row(
      "K", 0..<1, "'K' is an hour of the 12-hour clock, and the pattern has no 'a'",
      "write 'H', or add 'a' for AM and PM"),
    Row("HH h", 3..<4, "'h' repeats the hour of 'HH'", "write each part once"),
    Row(
      "yMMdd", 0..<1, "'y' has no fixed number of digits, so it cannot be next to another number",
      "write 'yyyy'"),
    Row(
      "yyyyMdd", 4..<5, "'M' has no fixed number of digits, so it cannot be next to another number",
      "write 'MM', or put a separator between them"),
    Row(
      "HH:mm Zyyyy", 7..<11, "the number 'yyyy' cannot follow the time zone directly",
      "put a space between them"),
    Row("ISO8601", 0..<7, "'ISO8601' is not a date format", "did you mean 'iso8601'?"),
    Row("iso-8601", 0..<8, "'iso-8601' is not a date format", "did you mean 'iso8601'?"),
    Row("unix-ms", 0..<7, "'unix-ms' is not a date format", "write unix-milliseconds"),
    Row(
      "iso8601 | yyyy-mm", 15..<17, "'mm' is the minute, and the pattern has no hour",
      "write 'MM' for the month"),
    Row("unix[Europe/Berlin]", 4..<19, "a number since 1970 has no time zone", "remove the brackets"),
    Row(
      "iso8601[Europe/Berlim]", 7..<22, "unknown time zone 'Europe/Berlim'",
      "did you mean 'Europe/Berlin'?"),
    Row(
      "iso8601 | ", 10..<10, "the pattern has no date fields",
      "write a pattern like yyyy-MM-dd'T'HH:mm:ssZ, or iso8601"),
    Row("RFC 3339", 0..<8, "'RFC 3339' is not a date format", "write iso8601, which also reads RFC 3339"),
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
