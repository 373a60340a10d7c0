import Foundation
import RecordModel
import TestSupport
import Testing

@Suite struct ISO8601Tests {
  /// Texts with their dates, as `rfc3339Text` writes them; nil if a text is not accepted.
  static let rows: [(text: String, date: String?)] = [
    ("2000-01-31", "2000-01-31T00:00:00Z"),
    ("2000-01-31T12:34:56Z", "2000-01-31T12:34:56Z"),
    ("2000-01-31t12:34:56z", "2000-01-31T12:34:56Z"),
    ("2000-01-31 12:34:56Z", "2000-01-31T12:34:56Z"),
    ("2000-01-31T12:34Z", "2000-01-31T12:34:00Z"),
    ("2000-01-31T12:34", "2000-01-31T12:34:00Z"),
    ("2000-01-31T12:34:56", "2000-01-31T12:34:56Z"),
    ("2000-01-31T12:34:56.5Z", "2000-01-31T12:34:56.5Z"),
    ("2000-01-31T12:34:56,5Z", "2000-01-31T12:34:56.5Z"),
    ("2000-01-31T12:34:56.000Z", "2000-01-31T12:34:56Z"),
    ("2000-01-31T12:34:56.1234567Z", "2000-01-31T12:34:56.1234567Z"),
    ("2000-01-31T12:34:56.500000000000000000000000000001Z", "2000-01-31T12:34:56.5Z"),
    ("2000-01-31T12:34:56.999999999999999999999999999999Z", "2000-01-31T12:34:57Z"),
    ("2000-01-31T12:34:56+01:00", "2000-01-31T11:34:56Z"),
    ("2000-01-31T12:34:56-0130", "2000-01-31T14:04:56Z"),
    ("2000-01-31T12:34:56+01", "2000-01-31T11:34:56Z"),
    ("2000-01-31T12:34:56-00:00", "2000-01-31T12:34:56Z"),
    ("1999-12-31T23:30:00-01:00", "2000-01-01T00:30:00Z"),
    ("1900-02-28T00:00:00Z", "1900-02-28T00:00:00Z"),
    ("2000-02-29", "2000-02-29T00:00:00Z"),
    ("0000-01-01", "0000-01-01T00:00:00Z"),
    ("0000-02-29", "0000-02-29T00:00:00Z"),
    ("9999-12-31T23:59:59.5Z", "9999-12-31T23:59:59.5Z"),
    ("+12345-06-07T00:00:00Z", "+12345-06-07T00:00:00Z"),
    ("-0044-03-15", "-0044-03-15T00:00:00Z"),
    ("+2000-01-01", "2000-01-01T00:00:00Z"),
    ("+999999999-12-31", "@3.15568888543872e+16"),
    // Leap seconds, as in Unix time
    ("2016-12-31T23:59:60Z", "2017-01-01T00:00:00Z"),
    ("2017-01-01T00:59:60+01:00", "2017-01-01T00:00:00Z"),
    ("2016-12-31T18:59:60.5-05:00", "2017-01-01T00:00:00.5Z"),
    ("2016-12-31T23:58:60Z", nil),
    ("2016-12-31T23:59:60+01:00", nil),
    // Not dates
    ("", nil), ("T", nil), ("2000", nil), ("2000-01", nil), ("20000131", nil), ("2000-1-31", nil),
    ("2000-02-30", nil), ("1900-02-29", nil), ("2000-13-01", nil), ("2000-00-01", nil), ("2000-01-00", nil),
    ("2000-01-31Z", nil), ("2000-01-31T", nil), ("2000-01-31T12", nil), ("2000-01-31T24:00:00Z", nil),
    ("2000-01-31T12:60:00Z", nil), ("2000-01-31T12:34:61Z", nil), ("2000-01-31T12:34:56.Z", nil),
    ("2000-01-31T12:34:56.5", "2000-01-31T12:34:56.5Z"), ("2000-01-31T12:34.5Z", nil),
    ("2000-01-31T12:34:56 Z", nil), (" 2000-01-31", nil), ("2000-01-31 ", nil),
    ("2000-01-31T12:34:56Zx", nil),
    ("2000-01-31T12:34:56+24:00", nil), ("2000-01-31T12:34:56+01:60", nil), ("2000-01-31T12:34:56+1", nil),
    ("2000-01-31T12:34:56+01:", nil), ("2000-01-31T12:34:56+010", nil), ("2000-01-31T12:34:56+01000", nil),
    ("2000/01/31", nil), ("10000-01-01", nil), ("+200-01-01", nil), ("+1000000000-01-01", nil),
    ("+99999999999999999999-01-01", nil), ("2000-W05-1", nil), ("@5", nil), ("@inf", nil), ("@", nil),
    ("yesterday", nil),
    ("２０００-01-01", nil),
  ]

  @Test(arguments: rows) func reads(text: String, date: String?) {
    #expect(DateFormat.iso8601.date(from: text).map(rfc3339Text) == date)
  }

  /// Every day of two leap cycles around year 1, counted one by one.
  @Test func countsDaysOneByOne() {
    var day = DateFormat.iso8601.date(from: "-0400-01-01")
    for year in -400..<400 {
      let isLeap = year.isMultiple(of: 400) || (year.isMultiple(of: 4) && !year.isMultiple(of: 100))
      for (month, days) in [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31].enumerated() {
        for number in 1...days {
          let years = String(String(10000 + abs(year)).dropFirst())
          let date =
            "\(year < 0 ? "-" : "")\(years)-\(month < 9 ? "0" : "")\(month + 1)-\(number < 10 ? "0" : "")\(number)"
          guard let current = day, DateFormat.iso8601.date(from: date) == current,
            rfc3339Text(current) == "\(date)T00:00:00Z"
          else {
            Issue.record("\(date)")
            return
          }
          day = current.addingTimeInterval(86400)
        }
      }
    }
  }

  /// Dates from 1583, when Foundation's calendar becomes Gregorian, to 9999.
  @Test func agreesWithFoundation() throws {
    var random = SeededGenerator(seed: 3)
    let style = Date.ISO8601FormatStyle()
    for _ in 0..<2000 {
      let date = Date(
        timeIntervalSince1970: Double(Int.random(in: -12_212_553_600..<253_402_300_800, using: &random)))
      let text = date.formatted(style)
      #expect(DateFormat.iso8601.date(from: text) == date, "\(text)")
      #expect(rfc3339Text(date) == text)
    }
  }

  /// Texts with removed or changed bytes are read or not accepted, and never cause a trap.
  @Test func refusesMangledTextWithoutTrapping() throws {
    var random = SeededGenerator(seed: 11)
    let formats = try [
      .iso8601, DateFormat("yyyy-MM-dd'T'HH:mm:ss.SSSZ"), DateFormat("EEE, d MMM yyyy h:mm a zzzz"),
      DateFormat("yyyyMMddHHmmss"),
    ]
    let texts = [
      "2000-01-31T12:34:56.789+01:00", "Sat, 29 Feb 2020 1:05 PM Pacific Standard Time", "20200131123456",
      "999999999999999999999999999999-01-01",
    ]
    var read = 0
    for _ in 0..<20_000 {
      var bytes = Array(texts.randomElement(using: &random)?.utf8 ?? "".utf8)
      for _ in 0..<Int.random(in: 0...2, using: &random) {
        bytes[Int.random(in: 0..<bytes.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
      }
      bytes.removeLast(Bool.random(using: &random) ? 0 : Int.random(in: 0...bytes.count, using: &random))
      for format in formats {
        if let date = bytes.withUnsafeBufferPointer({ format.date(fromUTF8: $0) }) {
          read += 1
          #expect(date.timeIntervalSinceReferenceDate.isFinite)
        }
      }
    }
    #expect(read > 1000)
  }
}

@Suite struct RFC3339Tests {
  /// Seconds since 2001 with their texts.
  static let rows: [(seconds: Double, text: String)] = [
    (0, "2001-01-01T00:00:00Z"),
    (-31_622_400, "2000-01-01T00:00:00Z"),
    (0.5, "2001-01-01T00:00:00.5Z"),
    (-0.5, "2000-12-31T23:59:59.5Z"),
    (-0.1, "2000-12-31T23:59:59.9Z"),
    (-1.25, "2000-12-31T23:59:58.75Z"),
    (600_000_000.001, "2020-01-06T10:40:00.001Z"),
    (-978_307_200.5, "1969-12-31T23:59:59.5Z"),
    (-63_113_904_000, "0001-01-01T00:00:00Z"),
    (-63_113_904_001, "0000-12-31T23:59:59Z"),
    (-63_145_526_400, "0000-01-01T00:00:00Z"),
    (-63_145_526_401, "-0001-12-31T23:59:59Z"),
    (252_423_993_599, "9999-12-31T23:59:59Z"),
    (252_423_993_600, "+10000-01-01T00:00:00Z"),
    (1e300, "@1e+300"),
    (-0x1p53, "@-9007199254740992.0"),
    (.infinity, "@inf"),
  ]

  @Test(arguments: rows) func writes(seconds: Double, text: String) {
    let date = Date(timeIntervalSinceReferenceDate: seconds)
    #expect(rfc3339Text(date) == text)
    if seconds.isFinite { #expect(DateFormat.iso8601.date(from: text) == date) }
  }

  @Test(arguments: ["@1e300\0", "@1e300 ", "@0x1p60", "@.1e40", "@1e400", "@7", "@"])
  func refusesWhatIsNotWritten(text: String) {
    #expect(DateFormat.iso8601.date(from: text) == nil)
  }

  @Test func readsBackToTheSameDate() {
    var random = SeededGenerator(seed: 5)
    for round in 0..<20_000 {
      // Seconds of every magnitude, from one to the end of the calendar, with all bits.
      let magnitude = Double.random(in: 0..<53, using: &random)
      let seconds = exp2(magnitude) * Double.random(in: 1..<2, using: &random)
      let date = Date(timeIntervalSinceReferenceDate: round.isMultiple(of: 2) ? seconds : -seconds)
      let text = rfc3339Text(date)
      #expect(DateFormat.iso8601.date(from: text) == date, "\(text)")
    }
  }

  @Test func writesTheDigitsThatWereRead() {
    var random = SeededGenerator(seed: 9)
    for _ in 0..<5000 {
      let day = rfc3339Text(
        Date(timeIntervalSince1970: Double(Int.random(in: 0..<4_000_000_000, using: &random))))
      let microseconds = String(Int.random(in: 1_000_000..<2_000_000, using: &random)).dropFirst()
      let digits = microseconds.replacing(/0+$/, with: "")
      let text = day.dropLast() + (digits.isEmpty ? "Z" : ".\(digits)Z")
      #expect(DateFormat.iso8601.date(from: String(text)).map(rfc3339Text) == String(text))
    }
  }
}
