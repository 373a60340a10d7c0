import Foundation
import RecordModel
import TestSupport
import Testing

/// DateFormatter is the oracle: the format accepts the same texts and reads the same dates. A second table lists the
/// differences, with the expected date and the reason.
@Suite struct DateFormatTests {
  struct Row: CustomTestStringConvertible, Sendable {
    let pattern: String
    let texts: [String]
    var testDescription: String { pattern }

    init(_ pattern: String, _ texts: String...) {
      self.pattern = pattern
      self.texts = texts
    }
  }

  static let rows: [Row] = [
    // Years
    Row("yyyy", "2020", "20201", "02020", "0000", "-2020", "+2020", "x", ""),
    Row("y", "2020", "1999", "0"),
    Row("yyy", "2020"),
    Row("yyyyy", "02020", "2020"),
    Row("yy", "20", "00", "49", "50", "70", "99", "2020"),
    Row("u", "2020", "02020"),
    // Months
    Row("yyyy-M", "2020-1", "2020-01", "2020-12", "2020-13", "2020-0", "2020-"),
    Row("yyyy-MM", "2020-1", "2020-01", "2020-001", "2020-00"),
    Row("yyyy-MMM", "2020-Jan", "2020-jan", "2020-January", "2020-May", "2020-01", "2020-Ja", "2020-Janx"),
    Row("yyyy-MMMM", "2020-December", "2020-Dec", "2020-DECEMBER", "2020-Decem"),
    Row("yyyy-LLL", "2020-Mar", "2020-March"),
    Row("yyyy-LLLL", "2020-March"),
    Row("yyyy-L", "2020-3"),
    Row("yyyy-LL", "2020-03"),
    // Days
    Row(
      "yyyy-MM-dd", "2020-02-29", "2019-02-29", "2020-02-30", "2020-04-31", "2020-12-31", "2020-12-32",
      "2020-02-9",
      "2020-02-00", "2020-02-009", "2020-02-29x", "x2020-02-29", "2020-02", "1900-02-29", "2000-02-29"),
    Row("d.M.yyyy", "9.2.2020", "09.02.2020", "31.4.2020"),
    Row("yyyyMMdd", "20200229", "202002", "202002291", "2020-02-29"),
    Row("yyyyMMddHHmmss", "20200229123456"),
    Row("yyMMdd", "200229", "990101"),
    Row("yyyy-D", "2020-60", "2020-366", "2019-366", "2019-0", "2019-365"),
    Row("yyyyDDD", "2020060"),
    // Days of the week: a name is required, and any name is accepted
    Row(
      "EEE, d MMM yyyy", "Sat, 29 Feb 2020", "sat, 29 Feb 2020", "Saturday, 29 Feb 2020", "Sun, 29 Feb 2020",
      "Xxx, 29 Feb 2020", ", 29 Feb 2020"),
    Row("EEEE, d MMMM yyyy", "Saturday, 29 February 2020", "Sat, 29 Feb 2020"),
    Row("E d MMM yyyy", "Sat 29 Feb 2020"),
    Row("ccc d MMM yyyy", "Sat 29 Feb 2020"),
    // Hours
    Row("yyyy-MM-dd HH", "2020-01-02 00", "2020-01-02 23", "2020-01-02 24", "2020-01-02 5"),
    Row("yyyy-MM-dd H", "2020-01-02 5", "2020-01-02 05"),
    Row("yyyy-MM-dd kk", "2020-01-02 24", "2020-01-02 5", "2020-01-02 0", "2020-01-02 25"),
    Row("yyyy-MM-dd K a", "2020-01-02 0 PM", "2020-01-02 11 PM", "2020-01-02 0 AM", "2020-01-02 12 PM"),
    Row(
      "yyyy-MM-dd h a", "2020-01-02 12 PM", "2020-01-02 12 AM", "2020-01-02 0 AM", "2020-01-02 1 pm",
      "2020-01-02 11 am", "2020-01-02 13 pm", "2020-01-02 1 xm"),
    Row("yyyy-MM-dd hh:mma", "2020-01-02 01:05PM", "2020-01-02 01:05"),
    Row("yyyy-MM-dd a h", "2020-01-02 PM 3"),
    Row("yyyy-MM-dd a", "2020-01-02 PM", "2020-01-02 AM"),
    Row("HH:mm", "12:34"),
    // Minutes and seconds
    Row(
      "yyyy-MM-dd HH:mm:ss", "2020-01-02 03:04:05", "2020-01-02 3:4:5", "2020-01-02 03:60:05",
      "2020-01-02 03:04:60",
      "2016-12-31 23:59:60", "2020-01-02 03:004:05", "2020-01-02 -3:04:05", "2020-01-02T03:04:05",
      "2020-01-02 03:04"),
    // Fractions
    Row("yyyy HH:mm:ss.S", "2020 03:04:05.7", "2020 03:04:05.789"),
    Row("yyyy HH:mm:ss.SSS", "2020 03:04:05.789", "2020 03:04:05.7", "2020 03:04:05.", "2020 03:04:05"),
    Row("yyyyMMddHHmmssSSS", "20200102030405789"),
    // Zones
    Row(
      "yyyy Z", "2020 +0100", "2020 -0130", "2020 +01:00", "2020 +01", "2020 +1", "2020 +100", "2020 +010203",
      "2020 Z", "2020 GMT", "2020 UTC", "2020 GMT+01:00", "2020 0100", "2020 +2359", "2020 +2400",
      "2020 +0160",
      "2020 +9999", "2020 EST", "2020 +", "2020 "),
    Row("yyyy ZZZ", "2020 +0100"),
    Row("yyyy ZZZZ", "2020 GMT+01:00", "2020 GMT-1", "2020 GMT", "2020 UTC+1", "2020 +01:00"),
    Row("yyyy ZZZZZ", "2020 +01:00", "2020 -11:30", "2020 Z", "2020 z", "2020 +0100", "2020 +01:00:30"),
    Row("yyyy X", "2020 +01", "2020 +0130", "2020 Z", "2020 +01:30"),
    Row("yyyy XX", "2020 +0130", "2020 Z"),
    Row("yyyy XXX", "2020 +01:30", "2020 Z", "2020 GMT"),
    Row("yyyy XXXX", "2020 +0130"),
    Row("yyyy XXXXX", "2020 +01:30:15"),
    Row("yyyy x", "2020 -01", "2020 +0130"),
    Row("yyyy xx", "2020 +0130"),
    Row("yyyy xxx", "2020 +01:30"),
    Row("yyyy O", "2020 GMT+1", "2020 GMT"),
    Row("yyyy OOOO", "2020 GMT+01:00"),
    Row(
      "yyyy z", "2020 GMT", "2020 UTC", "2020 UT", "2020 Z", "2020 EST", "2020 EDT", "2020 CST", "2020 CDT",
      "2020 MST", "2020 MDT", "2020 PST", "2020 PDT", "2020 AKST", "2020 AKDT", "2020 HST", "2020 pst",
      "2020 CET", "2020 JST", "2020 GMT+1", "2020 GMT+01:00", "2020 +0100", "2020 Europe/Berlin"),
    Row(
      "yyyy zzzz", "2020 Pacific Standard Time", "2020 Pacific Daylight Time", "2020 Eastern Standard Time",
      "2020 Hawaii-Aleutian Standard Time", "2020 Alaska Daylight Time", "2020 GMT+01:00"),
    Row("yyyy-MM-dd z", "2020-07-01 PST", "2020-07-01 PDT", "2020-01-01 PDT"),
    // Text
    Row(
      "yyyy-MM-dd'T'HH:mm:ssZ", "2020-01-02T03:04:05+0100", "2020-01-02T03:04:05Z",
      "2020-01-02t03:04:05+0100",
      "2020-01-02 03:04:05+0100"),
    Row("yyyy-MM-dd'T'HH:mm:ss'Z'", "2020-01-02T03:04:05Z", "2020-01-02T03:04:05z"),
    Row("yyyy-MM-dd'T'HH:mm:ss.SSSZ", "2020-01-02T03:04:05.678Z", "2020-01-02T03:04:05.678-0800"),
    Row("yyyy-MM-dd'T'HH:mm:ss.SSSXXX", "2020-01-02T03:04:05.678+01:00"),
    Row("yyyy 'o''clock'", "2020 o'clock", "2020 oclock"),
    Row("yyyy''MM", "2020'02", "202002"),
    Row("yyyy/MM/dd", "2020/01/02"),
    Row("yyyy.MM.dd, HH:mm", "2020.01.02, 03:04"),
    Row("yyyy年MM月dd日", "2020年01月02日"),
    Row("EEE MMM d HH:mm:ss Z yyyy", "Thu Jan  2 03:04:05 +0000 2020", "Thu Jan 2 03:04:05 +0000 2020"),
    Row("EEE MMM  d yyyy", "Thu Jan 2 2020"),
    Row("yyyy MM", "202002", "2020  02"),
    Row("MM/dd", "01/02"),
    Row("EEE", "Sat"),
  ]

  @Test(arguments: rows) func readsWhatDateFormatterReads(row: Row) throws {
    let format = try DateFormat(row.pattern)
    let oracle = Oracle(row.pattern)
    for text in row.texts {
      let (ours, theirs) = (format.date(from: text), oracle.date(from: text))
      #expect(isSame(ours, theirs), "'\(text)' with \(row.pattern)")
    }
  }

  struct Difference: CustomTestStringConvertible, Sendable {
    let pattern: String
    let text: String
    /// The expected date as RFC 3339; nil if the text is not accepted.
    let ours: String?
    let reason: String
    var testDescription: String { "\(text) (\(reason))" }

    init(_ pattern: String, _ text: String, _ ours: String?, _ reason: String) {
      self.pattern = pattern
      self.text = text
      self.ours = ours
      self.reason = reason
    }
  }

  static let differences: [Difference] = [
    Difference("yyyy-MM-dd", "2020-02-29 ", nil, "no white space that the pattern has not got"),
    Difference("yyyy-MM-dd", " 2020-02-29", nil, "no white space that the pattern has not got"),
    Difference("yyyy-MM-dd", "2020-02- 29", nil, "no white space that the pattern has not got"),
    Difference("yyyy-MM-dd", "2020 -02-29", nil, "no white space that the pattern has not got"),
    Difference("yyyy/MM/dd", "2020-01-02", nil, "a slash is no hyphen"),
    Difference("yyyy-MM-dd", "1582-10-10", "1582-10-10T00:00:00Z", "Gregorian before 1582 too"),
    Difference("yyyy-MM-dd", "1500-02-29", nil, "Gregorian before 1582 too: no leap year"),
    Difference("yyyy-MM-dd", "0001-01-01", "0001-01-01T00:00:00Z", "Gregorian before 1582 too"),
    Difference("yyyy", "20", "0020-01-01T00:00:00Z", "Gregorian before 1582 too"),
    Difference("yy", "5", "0005-01-01T00:00:00Z", "Gregorian before 1582 too"),
    Difference("yy", "123", "0123-01-01T00:00:00Z", "Gregorian before 1582 too"),
    Difference("u", "-5", "-0005-01-01T00:00:00Z", "Gregorian before 1582 too"),
    Difference("u", "0", "0000-01-01T00:00:00Z", "Gregorian before 1582 too"),
    Difference(
      "yyyy HH:mm:ss.SSS", "2020 03:04:05.7891", "2020-01-01T03:04:05.7891Z",
      "no digit of a second is cut off"),
    Difference(
      "yyyy HH:mm:ss.SSSSSS", "2020 03:04:05.123456", "2020-01-01T03:04:05.123456Z",
      "no digit of a second is cut off"
    ),
    Difference(
      "yyyy HH:mm:ss.S", "2020 03:04:05.70000000000000000000", "2020-01-01T03:04:05.7Z",
      "however many digits there are"
    ),
    Difference(
      "yyyy-MM-dd HH a", "2020-01-02 13 PM", "2020-01-02T13:00:00Z", "an hour of 24 needs no AM or PM"),
    Difference(
      "yyyy-MM-dd HH a", "2020-01-02 11 AM", "2020-01-02T11:00:00Z", "an hour of 24 needs no AM or PM"),
    Difference(
      "yyyy-MM-dd'T'HH:mm:ss'Z'", "2020-01-02T03:04:05", nil, "the text at the end is no less wanted"),
    Difference("u", "999999", "+999999-01-01T00:00:00Z", "no year is too late"),
    Difference("yyyy ZZZZ", "2020 GMT+0100", "2019-12-31T23:00:00Z", "no doubt what is meant"),
  ]

  @Test(arguments: differences) func differsFromDateFormatterOnPurpose(row: Difference) throws {
    let ours = try DateFormat(row.pattern).date(from: row.text)
    #expect(ours.map(rfc3339Text) == row.ours)
    #expect(!isSame(ours, Oracle(row.pattern).date(from: row.text)), "no difference any more")
  }

  @Test(arguments: [
    "yyyy-MM-dd'T'HH:mm:ssZ", "yyyy-MM-dd'T'HH:mm:ss.SSSZZZZZ", "EEE, dd MMM yyyy HH:mm:ss zzz",
    "EEEE, d MMMM y, h:mm:ss a", "yyyyMMddHHmmssSSS", "yyyy-DDD HH:mm:ss", "EEE MMM d HH:mm:ss Z yyyy",
    "M/d/yyyy K a",
    "d LLL yyyy kk:mm", "yyyy-MM-dd HH:mm:ss xxx", "dd.MM.yyyy HH:mm:ss.S OOOO", "yyyy-MM-dd'T'HH:mm:ssX",
  ])
  func readsBackWhatDateFormatterWrites(pattern: String) throws {
    let format = try DateFormat(pattern)
    let oracle = Oracle(pattern)
    var random = SeededGenerator(seed: 7)
    for _ in 0..<300 {
      // Dates from 1583, the first complete Gregorian year, to 9999.
      let seconds = Int64.random(in: -12_212_553_600..<253_402_300_800, using: &random)
      let milliseconds = Int64.random(in: 0..<1000, using: &random)
      let text = oracle.text(Date(timeIntervalSince1970: Double(seconds * 1000 + milliseconds) / 1000))
      let ours = format.date(from: text)
      #expect(ours != nil && isSame(ours, oracle.date(from: text)), "'\(text)'")
    }
  }

  @Test(
    arguments: [
      ("iso8601 | dd.MM.yyyy", "31.12.2030", "2030-12-31T00:00:00Z"),
      ("iso8601 | dd.MM.yyyy", "2030-12-31", "2030-12-31T00:00:00Z"),
      ("yyyy'|'MM", "2030|12", "2030-12-01T00:00:00Z"),
      ("unix", "1700000000.25", "2023-11-14T22:13:20.25Z"),
      ("unix-milliseconds", "1700000000123", "2023-11-14T22:13:20.123Z"),
      ("unix-milliseconds", "-1", "1969-12-31T23:59:59.999Z"),
      ("iso8601 | unix", "1700000000", "2023-11-14T22:13:20Z"),
      ("unix", "2030-12-31", nil),
      ("yyyy-MM-dd HH:mm[Europe/Berlin]", "2031-05-01 11:30", "2031-05-01T09:30:00Z"),
      ("yyyy-MM-dd HH:mm[Europe/Berlin] | iso8601", "2031-05-01T11:30", "2031-05-01T11:30:00Z"),
      ("iso8601[Europe/Berlin]", "2031-01-01", "2030-12-31T23:00:00Z"),
      ("iso8601[Europe/Berlin]", "2031-01-01T00:00:00Z", "2031-01-01T00:00:00Z"),
      ("iso8601[Europe/Berlin]", "2017-01-01T00:59:60", "2017-01-01T00:00:00Z"),
      ("iso8601[Europe/Berlin]", "2017-02-30T00:00:00", nil),
      // The hour of a change of the clocks: the one that does not exist, and the first of the two.
      ("iso8601[Europe/Berlin]", "2024-03-31T02:30", "2024-03-31T01:30:00Z"),
      ("iso8601[Europe/Berlin]", "2024-03-31T03:00", "2024-03-31T01:00:00Z"),
      ("iso8601[Europe/Berlin]", "2024-10-27T02:30", "2024-10-27T00:30:00Z"),
      ("iso8601[Europe/Berlin]", "2024-10-27T03:00", "2024-10-27T02:00:00Z"),
      ("iso8601[America/New_York]", "2024-11-03T01:30", "2024-11-03T05:30:00Z"),
    ] as [(String, String, String?)])
  func readsSeveralFormatsNumbersAndZones(format: String, text: String, date: String?) throws {
    #expect(try DateFormat(format).date(from: text).map(rfc3339Text) == date)
  }

  /// Returns whether two dates are equal up to one step of a Double, which DateFormatter loses by converting through
  /// seconds since 1970. Whole seconds, as in all rows without a fraction, are equal in both.
  private func isSame(_ ours: Date?, _ theirs: Date?) -> Bool {
    guard let ours, let theirs else { return ours == nil && theirs == nil }
    let step = max(theirs.timeIntervalSince1970.ulp, theirs.timeIntervalSinceReferenceDate.ulp)
    return abs(ours.timeIntervalSince(theirs)) <= step
  }
}

private struct Oracle {
  private let formatter = DateFormatter()

  init(_ pattern: String) {
    formatter.locale = Locale(identifier: "en_US_POSIX")
    formatter.timeZone = TimeZone(secondsFromGMT: 0)
    formatter.isLenient = false
    formatter.dateFormat = pattern
  }

  func date(from text: String) -> Date? { formatter.date(from: text) }
  func text(_ date: Date) -> String { formatter.string(from: date) }
}
