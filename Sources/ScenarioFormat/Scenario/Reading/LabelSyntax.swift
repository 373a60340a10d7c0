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

  init(_ text: String) throws(LabelError) { try self.init(Array(text.unicodeScalars)[...]) }

  private init(_ scalars: ArraySlice<Unicode.Scalar>) throws(LabelError) {
    let name = scalars.prefix { $0 != "/" && $0 != "@" && $0 != "~" }
    entity = Self.text(name)
    entityRange = name.startIndex..<name.endIndex
    keyRange = name.endIndex..<scalars.endIndex
    guard !name.isEmpty else {
      throw Self.error(scalars.startIndex..<scalars.endIndex, "a label must start with an entity")
    }
    var rest = scalars[name.endIndex...]
    // Only the label of the innermost owner has a number: `Counts@Tag~1` is keyed by `Tag~1`.
    if rest.first == "@" {
      ownerLabel = [try LabelSyntax(rest.dropFirst())]
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
      let number = rest.dropFirst()
      guard let first = number.first, first != "0", number.allSatisfy({ $0 >= "0" && $0 <= "9" }) else {
        throw Self.error(
          rest.startIndex..<rest.endIndex, "expected a number from 1 after '~'",
          advice: "write a '~' in a key as '%7E'")
      }
    }
  }

  private static func parts(of key: ArraySlice<Unicode.Scalar>) throws(LabelError) -> [String] {
    var parts: [String] = []
    for part in key.split(separator: ",", omittingEmptySubsequences: false) {
      guard !part.isEmpty else {
        let range = max(key.startIndex - 1, part.startIndex - 1)..<max(part.startIndex, key.startIndex)
        throw error(range, "a part of the key is missing")
      }
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
