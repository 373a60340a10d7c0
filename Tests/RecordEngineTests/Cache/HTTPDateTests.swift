import Foundation
import Testing

@testable import RecordEngine

@Suite struct HTTPDateTests {
  private let now = moment(0)

  /// The three formats and their accepted variants.
  @Test(arguments: [
    "Sun, 06 Nov 1994 08:49:37 GMT", "Sunday, 06-Nov-94 08:49:37 GMT", "Sun Nov  6 08:49:37 1994",
    "Sun Nov 06 08:49:37 1994", "sUN, 06 nOV 1994 08:49:37 gmt", "  Sun, 06 Nov 1994 08:49:37 GMT\t ",
    "Mon, 06 Nov 1994 08:49:37 GMT",
  ])
  func isRead(text: String) {
    #expect(HTTPDate.date(text, now: now) == Date(timeIntervalSince1970: 784_111_777))
  }

  @Test(
    arguments: [
      ("Thu, 01 Jan 1970 00:00:00 GMT", 0), ("Tue, 29 Feb 2000 23:59:59 GMT", 951_868_799),
      ("Thu, 29 Feb 2024 00:00:00 GMT", 1_709_164_800), ("Mon, 01 Jan 0001 00:00:00 GMT", -62_135_596_800),
      ("Fri, 31 Dec 9999 23:59:59 GMT", 253_402_300_799), ("Sat Dec 31 23:59:60 2016", 1_483_228_799),
      ("Sat, 01 Jan 0000 00:00:00 GMT", -62_167_219_200), ("Thu, 28 Feb 1900 00:00:00 GMT", -2_203_977_600),
    ] as [(String, Double)])
  func secondsSince1970(text: String, seconds: Double) {
    #expect(HTTPDate.date(text, now: now)?.timeIntervalSince1970 == seconds)
  }

  @Test(arguments: [
    "", " ", "0", "-1", "now", "Sun", "Sun,", "Sun, 06 Nov 1994 08:49:37", "Sun, 06 Nov 1994 08:49:37 PST",
    "Sun, 06 Nov 1994 08:49:37 +0000", "Sun, 06 Nov 1994 08:49:37 UTC", "Sun, 6 Nov 1994 08:49:37 GMT",
    "Sun, 06 Nov 94 08:49:37 GMT",
    "Sun, 06-Nov-1994 08:49:37 GMT", "Sunday, 06-Nov-1994 08:49:37 GMT", "Sunday, 06 Nov 1994 08:49:37 GMT",
    "Sunday Nov  6 08:49:37 1994", "Sun Nov 6 08:49:37 1994", "Sun Nov  6 08:49:37 1994 GMT",
    "Son, 06 Nov 1994 08:49:37 GMT", "Sun, 06 Nox 1994 08:49:37 GMT", "Sun, 06 November 1994 08:49:37 GMT",
    "Sun, 00 Nov 1994 08:49:37 GMT", "Sun, 31 Nov 1994 08:49:37 GMT", "Sun, 32 Dec 1994 08:49:37 GMT",
    "Tue, 29 Feb 1994 08:49:37 GMT", "Thu, 29 Feb 1900 00:00:00 GMT", "Sun Nov  0 08:49:37 1994",
    "Sun, 06 Nov 1994 24:00:00 GMT", "Sun, 06 Nov 1994 08:60:37 GMT", "Sun, 06 Nov 1994 08:49:61 GMT",
    "Sun, 06 Nov 1994 8:49:37 GMT", "Sun, 06 Nov 1994 08:49 GMT", "Sun,06 Nov 1994 08:49:37 GMT",
    "Sun, 06  Nov 1994 08:49:37 GMT", "Sun, 06 Nov 1994 08:49:37 GMT, Sun, 06 Nov 1994 08:49:37 GMT",
    "Sun, 06 Nov 99999999999999999999 08:49:37 GMT", "Sun, 06 Nov -994 08:49:37 GMT",
    "Sun, 06 Nov +994 08:49:37 GMT", "Sün, 06 Nov 1994 08:49:37 GMT", "Sun,\u{A0}06 Nov 1994 08:49:37 GMT",
    "Sun, ٠٦ Nov 1994 08:49:37 GMT", "Sun, 06 Nov 1994 08:49:37 GMT\0",
    "\u{FEFF}Sun, 06 Nov 1994 08:49:37 GMT",
    // A separator, the weekday or the time is missing.
    ", 06 Nov 1994 08:49:37 GMT", "Sun, 06Nov 1994 08:49:37 GMT", "Sun, 06 Nov1994 08:49:37 GMT",
    "Sun, 06 Nov 199408:49:37 GMT", "Sun, 06 Nov 1994 08:49:37GMT", "Sun, 06 Nov 1994 0849:37 GMT",
    "Sun, 06 Nov 1994 08:4937 GMT", "Sunday 06-Nov-94 08:49:37 GMT", "Sun Nov  608:49:37 1994",
    "Sun Nov06 08:49:37 1994",
    "Sun Nov  6 08:49:371994", "Sun Nov  6  1994",
    "Sun, 06 Nov 1994 08:49:37 GMT\u{301}", "\"Sun, 06 Nov 1994 08:49:37 GMT\"",
  ])
  func isNone(text: String) {
    #expect(HTTPDate.date(text, now: now) == nil)
  }

  /// A two-digit year is at most 50 years in the future.
  @Test(
    arguments: [
      // now: 2000-01-01T00:00:00Z
      ("Saturday, 01-Jan-00 00:00:00 GMT", 0.0, 946_684_800.0),
      ("Friday, 31-Dec-99 23:59:59 GMT", 0, 946_684_799),
      ("Saturday, 01-Jan-50 00:00:00 GMT", 0, 2_524_608_000),
      ("Saturday, 01-Jan-50 00:00:01 GMT", 0, -631_151_999),
      ("Tuesday, 01-Jan-49 00:00:00 GMT", 0, 2_493_072_000),
      ("Monday, 01-Jan-51 00:00:00 GMT", 0, -599_616_000),
      // now: 1999-12-31T23:59:59Z
      ("Saturday, 01-Jan-00 00:00:00 GMT", -1, 946_684_800),
      ("Saturday, 01-Jan-50 00:00:00 GMT", -1, -631_152_000),
      // now: 2026
      ("Sunday, 06-Nov-94 08:49:37 GMT", 830_000_000, 784_111_777),
      ("Thursday, 29-Feb-24 00:00:00 GMT", 830_000_000, 1_709_164_800),
    ] as [(String, Double, Double)])
  func yearsOfTwoDigits(text: String, now: Double, seconds: Double) {
    #expect(HTTPDate.date(text, now: moment(now))?.timeIntervalSince1970 == seconds)
  }

  /// The century is chosen before the day is validated: February 29 is invalid if the year in that century is not a
  /// leap year.
  @Test func aShortYearIsChosenBeforeTheDayIsLookedAt() {
    #expect(HTTPDate.date("Monday, 29-Feb-00 00:00:00 GMT", now: moment(90 * 31_557_600)) == nil)
    #expect(HTTPDate.date("Monday, 29-Feb-00 00:00:00 GMT", now: moment(10 * 31_557_600)) != nil)
  }

  /// The arguments are numbers because Foundation cannot describe all of these dates.
  @Test(arguments: [-1e300, -63_114_076_800, 64_092_211_200, 1e300, .infinity, -.infinity, .nan])
  func anyClockWillDo(seconds: Double) {
    let now = Date(timeIntervalSince1970: seconds)
    let date = HTTPDate.date("Sunday, 06-Nov-94 08:49:37 GMT", now: now)
    #expect((date == nil) == !(seconds > -63_114_076_800))
    if let date { #expect(date.timeIntervalSince1970 <= seconds + 50 * 31_622_400) }
    #expect(HTTPDate.date("Sun, 06 Nov 1994 08:49:37 GMT", now: now) != nil)
  }

  /// Dates that Foundation writes are read as the same dates.
  @Test(arguments: randomSeeds(20))
  func everyDateThatIsWrittenIsRead(seed: UInt64) {
    var random = RandomNumbers(seed: seed)
    for _ in 0..<20 {
      // The dates range from 1650 to 9949. Those near them are in the years 1600 to 9999, in which Foundation uses the
      // same calendar.
      let date = Date(timeIntervalSince1970: Double(random.number(-10_098_172_800...251_824_000_000)))
      #expect(HTTPDate.date(HTTPDateText.fixdate.text(date), now: now) == date)
      #expect(HTTPDate.date(HTTPDateText.asctime.text(date), now: now) == date)
      // A two-digit year is unambiguous within a hundred years.
      let years = Double(random.number(-49 * 31_557_600...49 * 31_557_600))
      let near = date.addingTimeInterval(years)
      #expect(HTTPDate.date(HTTPDateText.rfc850.text(near), now: date) == near)
    }
  }
}
