import JSONTree
import RecordModel

/// The values of a key in the samples of an entity, and the type that they suggest.
struct AttributeGuess {
  private var nulls = 0
  private var booleans = 0
  private var integers: (count: Int, least: Int64, greatest: Int64)?
  /// The number of numbers that are no 64-bit integers.
  private var numbers = 0
  private var strings = 0
  /// The integers in the strings; nil unless all strings are integers.
  private var textIntegers: (least: Int64, greatest: Int64)? = (.max, .min)
  private var structures = 0
  private var emptyLists = 0
  /// The date formats that all strings have.
  private var formats = Self.dateFormats

  /// The formats that are tried, the most common first. The last two are ambiguous if a text has both.
  private static let dateFormats: [DateFormat] = [
    "iso8601", "EEE, dd MMM yyyy HH:mm:ss zzz", "EEE MMM dd HH:mm:ss Z yyyy", "yyyy/MM/dd", "dd.MM.yyyy",
    "dd/MM/yyyy", "MM/dd/yyyy",
  ].compactMap { try? DateFormat($0) }

  private static let timeWords: Set<String> = [
    "at", "timestamp", "time", "date", "created", "updated", "modified", "published", "expires", "deleted",
    "ts",
    "ms", "millis", "milliseconds", "epoch",
  ]

  mutating func add(_ value: JSONValue) {
    switch value {
    case .null: nulls += 1
    case .boolean: booleans += 1
    case .number(let number):
      guard let integer = number.int64Value else {
        numbers += 1
        return
      }
      let known = integers ?? (0, integer, integer)
      integers = (known.count + 1, min(known.least, integer), max(known.greatest, integer))
    case .string(let text):
      strings += 1
      textIntegers = Int64(text).flatMap { integer in
        textIntegers.map { (min($0.least, integer), max($0.greatest, integer)) }
      }
      guard !formats.isEmpty else { return }
      let isPlausible = (8...40).contains(text.utf8.count) && text.utf8.contains { $0 >= 0x30 && $0 <= 0x39 }
      formats = isPlausible ? formats.filter { $0.date(from: text) != nil } : []
    case .array(let elements):
      structures += 1
      if elements.isEmpty { emptyLists += 1 }
    case .object: structures += 1
    }
  }

  /// Returns the unit of numbers that are times of this century, and the date format that reads them; nil for other
  /// numbers.
  private static func unitOfTimes(from least: Int64, to greatest: Int64) -> (unit: String, format: String?)? {
    let (start, end) = (Int64(946_684_800), Int64(4_102_444_800))
    if least >= start, greatest < end { return ("seconds", nil) }
    return least >= start * 1000 && greatest < end * 1000 ? ("milliseconds", "unix-milliseconds") : nil
  }

  private var hasValues: Bool { strings + (integers?.count ?? 0) + numbers + booleans > 0 }

  /// The reason why the type is uncertain; nil if the values support it.
  var weakness: String? {
    if emptyLists > 0, emptyLists == structures, !hasValues { return "only empty lists" }
    if structures > 0 { return nil }
    if !hasValues { return "only nulls, so that the type is unknown" }
    if kinds > 1 { return "values of several types" }
    return areAmbiguousDates ? "dates whose day and month cannot be told apart" : nil
  }

  private var areAmbiguousDates: Bool {
    strings > 0 && formats.first?.pattern == "dd/MM/yyyy" && formats.count > 1
  }

  /// The number of kinds of values besides null, lists and objects.
  private var kinds: Int {
    [strings > 0, (integers?.count ?? 0) + numbers > 0, booleans > 0].count { $0 }
  }

  /// Returns the type, the date format if the type is a date, and the reason.
  ///
  /// - Parameter isIdentifier: a Boolean value that indicates whether the values identify records.
  func type(of key: String, isIdentifier: Bool) -> (type: AttributeType, format: String?, reason: String) {
    var parts: [String] = []
    if strings > 0 { parts.append(counted(strings, "string")) }
    if let integers {
      let range =
        integers.least == integers.greatest
        ? "\(integers.least)" : "\(integers.least) to \(integers.greatest)"
      parts.append("\(counted(integers.count, "integer")) (\(range))")
    }
    if numbers > 0 { parts.append(counted(numbers, "number")) }
    if booleans > 0 { parts.append(counted(booleans, "Boolean")) }
    if structures > emptyLists { parts.append(counted(structures - emptyLists, "list or object")) }
    if emptyLists > 0 { parts.append(counted(emptyLists, "empty list")) }
    if nulls > 0 { parts.append(counted(nulls, "null")) }
    let found = parts.joined(separator: ", ")
    if structures > 0 { return (.transformable, nil, found) }
    if !hasValues {
      return (.string, nil, "\(found); the type is unknown")
    }
    if kinds > 1 { return (.string, nil, "\(found); a string accepts all of them") }
    let words = KeyWords.words(of: key)
    let isTime = !isIdentifier && words.last.map(Self.timeWords.contains) ?? false
    if strings > 0, isTime, let textIntegers,
      let (unit, format) = Self.unitOfTimes(from: textIntegers.least, to: textIntegers.greatest)
    {
      return (.date, format ?? "unix", "\(found), \(unit) since 1970")
    }
    if strings > 0 {
      guard !isIdentifier, let format = formats.first else { return (.string, nil, found) }
      if areAmbiguousDates {
        return (.string, nil, "\(found); dates whose day and month cannot be told apart")
      }
      return (.date, format.pattern, "\(found), all of them dates")
    }
    if booleans > 0 { return (.boolean, nil, found) }
    if numbers > 0 { return (.double, nil, found) }
    guard let integers else { return (.int64, nil, found) }
    if isTime,
      let (unit, format) = Self.unitOfTimes(from: integers.least, to: integers.greatest)
    {
      return (.date, format, "\(found), \(unit) since 1970")
    }
    let isNarrow = integers.least >= Int64(Int32.min) && integers.greatest <= Int64(Int32.max)
    return (isNarrow && !isIdentifier && words.last != "id" ? .int32 : .int64, nil, found)
  }
}
