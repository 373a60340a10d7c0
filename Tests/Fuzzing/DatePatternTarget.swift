import Foundation
import RecordModel

/// Date formats. The first line is a pattern, and the remaining text is read by it.
struct DatePatternTarget: FuzzTarget {
  func check(_ input: [UInt8]) {
    let parts = input.split(separator: UInt8(ascii: "\n"), maxSplits: 1, omittingEmptySubsequences: false)
    let pattern = String(decoding: parts.first ?? [], as: UTF8.self)
    let text = String(decoding: parts.dropFirst().first ?? [], as: UTF8.self)
    check(DateFormat.iso8601, text)
    do throws(DateFormatError) {
      check(try DateFormat(pattern), text)
    } catch {
      let count = pattern.unicodeScalars.count
      expect(error.range.lowerBound >= 0 && error.range.upperBound <= count, "\(error.range) of \(count)")
      expect(!error.message.isEmpty, "nothing is said about the error")
    }
  }

  private func check(_ format: DateFormat, _ text: String) {
    guard let date = format.date(from: text) else { return }
    expect(
      date.timeIntervalSinceReferenceDate.isFinite, "'\(text)' is \(date.timeIntervalSinceReferenceDate)")
    let literal = AttributeValue.date(date).literal(type: .date)
    let again = expectNoError("\(literal) is no date") { try AttributeValue(literal: literal, type: .date) }
    expect(again == .date(date), "'\(text)' is written as \(literal), which is another date")
    expect(format.date(from: text) == date, "'\(text)' is read in two ways")
    expect(format.date(from: text + "|") == nil, "what follows '\(text)' is passed over")
  }
}
