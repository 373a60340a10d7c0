import Foundation

/// The parts of a label as written.
struct LabelSyntax {
  let entity: String
  /// The parts of the key without escapes; nil for a label without a key, such as `Tag~1` or `Counts@User/7`.
  private(set) var keyParts: [String]?
  private let ownerLabel: [LabelSyntax]
  /// The ranges in Unicode scalars of the whole text.
  let entityRange: Range<Int>
  private(set) var keyRange: Range<Int>

  /// The label of the owner that is this record's key; nil if there is none.
  var owner: LabelSyntax? { ownerLabel.first }

  init(_ text: String) throws(LabelError) { try self.init(Array(text.unicodeScalars)[...], level: 1) }

  private static let maximumLevel = 100

  /// - Parameter level: the number of labels up to this one, which is that of an owner unless it is 1.
  private init(_ scalars: ArraySlice<Unicode.Scalar>, level: Int) throws(LabelError) {
    let name = scalars.prefix { $0 != "/" && $0 != "@" && $0 != "~" }
    entity = Self.text(name)
    entityRange = name.startIndex..<name.endIndex
    keyRange = name.endIndex..<scalars.endIndex
    guard !name.isEmpty else {
      throw Self.error(scalars.startIndex..<scalars.endIndex, "a label must start with an entity")
    }
    var rest = scalars[name.endIndex...]
    // The numbers of all levels are at the end: `Counts@Tag~1` is keyed by `Tag~1`, and `Counts@Tag~1~2` is the second
    // of these records.
    if rest.first == "@" {
      guard level < Self.maximumLevel else {
        throw Self.error(rest.startIndex..<rest.endIndex, "a label has at most \(Self.maximumLevel) owners")
      }
      ownerLabel = [try LabelSyntax(rest.dropFirst(), level: level + 1)]
      return
    }
    ownerLabel = []
    if rest.first == "/" {
      let key = rest.dropFirst().prefix { $0 != "~" }
      keyRange = key.startIndex..<key.endIndex
      keyParts = try Self.parts(of: key)
      rest = rest[key.endIndex...]
    } else if rest.isEmpty {
      throw Self.error(entityRange, "'\(entity)' is not the label of a record")
    }
    if rest.first == "~" {
      let numbers = rest.dropFirst().split(separator: "~", omittingEmptySubsequences: false)
      guard numbers.count <= level, numbers.allSatisfy(Self.isNumber) else {
        throw Self.error(
          rest.startIndex..<rest.endIndex, "expected a number from 1 after '~'",
          advice: "write a '~' in a key as '%7E'")
      }
    }
  }

  private static func isNumber(_ text: ArraySlice<Unicode.Scalar>) -> Bool {
    text.first.map { $0 != "0" } ?? false && text.allSatisfy { $0 >= "0" && $0 <= "9" }
  }

  /// Returns the parts of a key without escapes. A part is empty if the value is an empty text.
  private static func parts(of key: ArraySlice<Unicode.Scalar>) throws(LabelError) -> [String] {
    var parts: [String] = []
    for part in key.split(separator: ",", omittingEmptySubsequences: false) {
      for position in part.indices {
        if part[position] == "/" || part[position] == "@" {
          let code = part[position] == "/" ? "%2F" : "%40"
          throw error(
            position..<position + 1, "'\(part[position])' must be escaped in a key",
            advice: "write it as '\(code)'")
        }
        guard part[position] == "%" else { continue }
        let digits = part[(position + 1)...].prefix(2)
        guard digits.count == 2, digits.allSatisfy(\.properties.isASCIIHexDigit) else {
          throw error(
            position..<position + 1, "expected two hexadecimal digits after '%'",
            advice: "write a '%' as '%25'")
        }
      }
      parts.append(try decoded(part))
    }
    return parts
  }

  private static func decoded(_ part: ArraySlice<Unicode.Scalar>) throws(LabelError) -> String {
    let text = text(part)
    guard part.contains("%") else { return text }
    guard let decoded = text.removingPercentEncoding else {
      throw error(part.startIndex..<part.endIndex, "'\(text)' is not valid UTF-8 after unescaping")
    }
    return decoded
  }

  private static func text(_ scalars: ArraySlice<Unicode.Scalar>) -> String {
    var view = String.UnicodeScalarView()
    view.append(contentsOf: scalars)
    return String(view)
  }

  private static func error(_ range: Range<Int>, _ message: String, advice: String? = nil) -> LabelError {
    LabelError(code: .labelSyntax, range: range, message: message, advice: advice)
  }
}
