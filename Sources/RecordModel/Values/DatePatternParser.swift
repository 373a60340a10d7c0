/// Parses a date format pattern into the steps that read a date.
struct DatePatternParser {
  private let scalars: [Unicode.Scalar]
  private var position = 0
  private var elements: [DateFormat.Element] = []
  /// The parts of a date that the pattern contains so far, with the ranges of their letters.
  private var named: [Part: Range<Int>] = [:]

  /// A part of a date that a pattern may contain once.
  private enum Part: String {
    case year, month, day
    case weekday = "day of the week"
    case dayPeriod = "AM or PM"
    case hour, minute, second
    case fraction = "fraction of a second"
    case zone = "time zone"
  }

  static func elements(of pattern: String) throws(DateFormatError) -> [DateFormat.Element] {
    var parser = DatePatternParser(scalars: Array(pattern.unicodeScalars))
    try parser.parse(pattern)
    return parser.elements
  }

  private init(scalars: [Unicode.Scalar]) { self.scalars = scalars }

  private mutating func parse(_ pattern: String) throws(DateFormatError) {
    do {
      try parseParts()
    } catch {
      guard let advice = Self.adviceForName(pattern) else { throw error }
      throw DateFormatError(
        range: 0..<scalars.count, message: "'\(pattern)' is not a date format", advice: advice)
    }
  }

  private mutating func parseParts() throws(DateFormatError) {
    while position < scalars.count {
      let scalar = scalars[position]
      if scalar == "'" {
        try parseQuote()
      } else if isLetter(scalar) {
        try parseField(scalar)
      } else {
        appendLiteral(scalar)
        position += 1
      }
    }
    guard !named.isEmpty else {
      throw DateFormatError(
        range: 0..<scalars.count, message: "the pattern has no date fields",
        advice: "write a pattern like yyyy-MM-dd'T'HH:mm:ssZ, or iso8601")
    }
    try checkLetters()
  }

  /// Parses a quote. `''` is a single quote; otherwise the text up to the closing quote is literal.
  private mutating func parseQuote() throws(DateFormatError) {
    let start = position
    position += 1
    if position < scalars.count, scalars[position] == "'" {
      appendLiteral("'")
      position += 1
      return
    }
    while position < scalars.count {
      if scalars[position] == "'" {
        position += 1
        guard position < scalars.count, scalars[position] == "'" else { return }
      }
      appendLiteral(scalars[position])
      position += 1
    }
    throw DateFormatError(
      range: start..<scalars.count, message: "missing closing quote", advice: "close it with '")
  }

  /// Appends a literal. Consecutive white space becomes one element, so that `MMM  d` and `MMM d` are read alike.
  private mutating func appendLiteral(_ scalar: Unicode.Scalar) {
    if scalar == " " || scalar == "\t" {
      if elements.last != .space { elements.append(.space) }
    } else {
      elements += String(scalar).utf8.map(DateFormat.Element.literal)
    }
  }

  private mutating func parseField(_ letter: Unicode.Scalar) throws(DateFormatError) {
    let start = position
    while position < scalars.count, scalars[position] == letter { position += 1 }
    let count = position - start
    let letters = String(repeating: String(letter), count: count)

    func failure(_ message: String, _ advice: String) -> DateFormatError {
      DateFormatError(range: start..<start + count, message: message, advice: advice)
    }
    guard let (part, element) = Self.field(letter, count) else {
      throw failure("unsupported date field '\(letters)'", Self.advice(letter, letters))
    }
    // The day of the year sets the month and the day.
    let parts = letter == "D" ? [.month, .day] : [part]
    for part in parts {
      if let earlier = named[part] {
        throw repetition(of: part, at: start..<start + count, after: earlier)
      }
      named[part] = start..<start + count
    }

    switch elements.last {
    case .number, .fraction:
      if element.isNumeric { try fixWidths(element, start, count) } else { elements.append(element) }
    case .zone where element.isNumeric:
      throw failure(
        "the number '\(letters)' cannot follow the time zone directly",
        "put a space between them")
    default: elements.append(element)
    }
  }

  /// Fixes the widths of two adjacent numbers, because only their numbers of digits separate them.
  private mutating func fixWidths(
    _ element: DateFormat.Element, _ start: Int, _ count: Int
  ) throws(DateFormatError) {
    let before = scalars[start - 1]
    let countBefore = scalars[..<start].reversed().prefix { $0 == before }.count
    for (letter, range) in [(before, start - countBefore..<start), (scalars[start], start..<start + count)]
    where range.count == 1 && letter != "S" {
      throw DateFormatError(
        range: range,
        message: "'\(letter)' has no fixed number of digits, so it cannot be next to another number",
        advice: letter == "y" ? "write 'yyyy'" : "write '\(letter)\(letter)', or put a separator between them"
      )
    }
    if let last = elements.popLast() { elements.append(last.withDigits(countBefore)) }
    elements.append(element.withDigits(count))
  }
}

// Letters that are easily confused
extension DatePatternParser {
  private func text(_ range: Range<Int>) -> String {
    String(String.UnicodeScalarView(scalars[range]))
  }

  /// Returns the error for a part that occurs twice. The advice is about the letter that was probably meant.
  private func repetition(of part: Part, at range: Range<Int>, after earlier: Range<Int>) -> DateFormatError {
    var (wrong, advice) = (range, "write each part once")
    if let day = [range, earlier].first(where: { scalars[$0.lowerBound] == "D" }) {
      (wrong, advice) = (day, "write 'dd' for the day of the month; 'D' is the day of the year")
    } else if part == .month, named[.hour] != nil, named[.minute] == nil {
      advice = "write 'mm' for the minute; 'M' is the month"
    } else if part == .minute, named[.month] == nil {
      // The minute follows the hour, so the other one is the month.
      if named[.hour].map({ $0.lowerBound > earlier.lowerBound }) ?? false { wrong = earlier }
      advice = "write 'MM' for the month; 'm' is the minute"
    }
    let other = wrong == range ? earlier : range
    return DateFormatError(
      range: wrong, message: "'\(text(wrong))' repeats the \(part.rawValue) of '\(text(other))'",
      advice: advice)
  }

  /// Reports letters that have a meaning in the pattern, but probably not the intended one: they would result in wrong
  /// dates without an error.
  private func checkLetters() throws(DateFormatError) {
    if let month = named[.month], let hour = named[.hour], scalars[month.lowerBound] == "M",
      month.lowerBound == hour.upperBound + 1, scalars[hour.upperBound] == ":"
    {
      let isSwapped = named[.minute] != nil
      throw DateFormatError(
        range: month, message: "'\(text(month))' after the hour is the month, not the minute",
        advice: isSwapped ? "write 'mm' here, and 'MM' for the month" : "write 'mm' for the minute")
    }
    if let minute = named[.minute], named[.hour] == nil,
      named[.year] != nil || named[.month] != nil || named[.day] != nil
    {
      throw DateFormatError(
        range: minute, message: "'\(text(minute))' is the minute, and the pattern has no hour",
        advice: named[.month] == nil ? "write 'MM' for the month" : "write 'HH' for the hour")
    }
    if let hour = named[.hour], "hK".unicodeScalars.contains(scalars[hour.lowerBound]),
      named[.dayPeriod] == nil
    {
      throw DateFormatError(
        range: hour, message: "'\(text(hour))' is an hour of the 12-hour clock, and the pattern has no 'a'",
        advice: "write '\(String(repeating: "H", count: hour.count))', or add 'a' for AM and PM")
    }
  }
}

extension DatePatternParser {
  private static func field(_ letter: Unicode.Scalar, _ count: Int) -> (Part, DateFormat.Element)? {
    func number(_ field: DateFormat.Field, upTo maximum: Int) -> DateFormat.Element? {
      count <= maximum ? .number(field, digits: nil) : nil
    }
    let (part, element): (Part, DateFormat.Element?) =
      switch letter {
      case "y": (.year, number(count == 2 ? .shortYear : .year, upTo: 9))
      case "u": (.year, number(.signedYear, upTo: 9))
      case "M", "L": (.month, count <= 2 ? .number(.month, digits: nil) : count <= 4 ? .monthName : nil)
      case "d": (.day, number(.day, upTo: 2))
      case "D": (.day, number(.dayOfYear, upTo: 3))
      case "E": (.weekday, count <= 4 ? .weekdayName : nil)
      case "c": (.weekday, 3...4 ~= count ? .weekdayName : nil)
      case "a": (.dayPeriod, count <= 4 ? .dayPeriod : nil)
      case "H": (.hour, number(.hour, upTo: 2))
      case "k": (.hour, number(.hourFrom1, upTo: 2))
      case "K": (.hour, number(.hourOfHalf, upTo: 2))
      case "h": (.hour, number(.hourOfHalfFrom1, upTo: 2))
      case "m": (.minute, number(.minute, upTo: 2))
      case "s": (.second, number(.second, upTo: 2))
      case "S": (.fraction, .fraction(digits: nil))
      case "Z", "X", "x": (.zone, count <= 5 ? .zone(names: false) : nil)
      case "O": (.zone, count == 1 || count == 4 ? .zone(names: false) : nil)
      case "z": (.zone, count <= 4 ? .zone(names: true) : nil)
      default: (.year, nil)
      }
    return element.map { (part, $0) }
  }

  private static let supported = "y u M L d D E c a h H K k m s S Z X x O z"

  private static func advice(_ letter: Unicode.Scalar, _ letters: String) -> String {
    switch letter {
    case "Y": "write '\(letters.lowercased())'; 'Y' is the week-based year"
    case "T": "write literal text in quotes: ''T''"
    case "M", "L": "write 'M' or 'MM' for the number, 'MMM' or 'MMMM' for the name"
    case "E", "c": "write 'EEE' or 'EEEE'"
    case _ where supported.unicodeScalars.contains(letter): "write fewer letters"
    default: "supported letters: \(supported); write literal text in quotes: '\(letters)'"
    }
  }

  /// Returns advice for names of formats that are not patterns, and for misspellings of `iso8601`.
  private static func adviceForName(_ pattern: String) -> String? {
    let name = pattern.lowercased()
    if name.hasPrefix("rfc") && name.hasSuffix("3339") { return "write iso8601, which also reads RFC 3339" }
    if ["epoch", "timestamp", "seconds", "unixtime", "posix"].contains(name) { return "write unix" }
    if ["ms", "millis", "milliseconds", "unix-ms", "unixms", "unix_ms"].contains(name) {
      return "write unix-milliseconds"
    }
    return nearestName(to: pattern, among: DateFormat.names).map { "did you mean '\($0)'?" }
  }
}

extension DateFormat.Element {
  fileprivate var isNumeric: Bool {
    switch self {
    case .number, .fraction: true
    default: false
    }
  }

  fileprivate func withDigits(_ count: Int) -> Self {
    switch self {
    case .number(let field, _): .number(field, digits: count)
    case .fraction: .fraction(digits: count)
    default: self
    }
  }
}

private func isLetter(_ scalar: Unicode.Scalar) -> Bool {
  "a"..."z" ~= scalar || "A"..."Z" ~= scalar
}
