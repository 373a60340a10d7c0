import Foundation
import JSONTree

/// An argument for a placeholder of a predicate.
public enum PredicateArgument: Hashable, Sendable {
  /// A value or nil, for `%@`.
  case value(AttributeValue?)
  /// A list of values, for `%@` after `IN` or `BETWEEN`.
  case list([AttributeValue])
  /// The keys from the record to a property, for `%K`.
  case keyPath([String])
}

extension RecordPredicate {
  /// Parses a predicate with placeholders, `%@` for a value and `%K` for a key path, as in the NSPredicate format.
  /// Arguments are never parsed as part of the language, regardless of their contents.
  ///
  /// ```swift
  /// let predicate = try RecordPredicate("name == %@ AND id IN %@", arguments: .value(.string(name)), .list(ids))
  /// ```
  ///
  /// Placeholders within quotes are plain text. UUIDs and URIs are compared as text. ``text`` contains the arguments in
  /// place of the placeholders.
  ///
  /// - Throws: the first error. Besides syntax errors, these are errors:
  ///   - a placeholder without argument, or an argument without placeholder
  ///   - an argument of the wrong kind
  ///   - a value that predicates cannot express: binary data, JSON, infinity or NaN
  /// - Complexity: linear in the length of the text and the arguments.
  public init(_ text: String, arguments: PredicateArgument...) throws(PredicateSyntaxError) {
    try self.init(text, arguments: arguments)
  }

  /// Parses a predicate with placeholders, as ``init(_:arguments:)-(_,PredicateArgument...)`` does.
  public init(_ text: String, arguments: [PredicateArgument]) throws(PredicateSyntaxError) {
    var filler = PlaceholderFiller(text, arguments)
    try self.init(try filler.filled())
  }

  /// Parses a predicate with placeholders. The predicate keeps its error.
  package init(validating text: String, arguments: [PredicateArgument]) {
    do throws(PredicateSyntaxError) {
      try self.init(text, arguments: arguments)
    } catch {
      self.init(text: text, syntaxError: error)
    }
  }
}

/// Replaces placeholders by arguments.
private struct PlaceholderFiller {
  private let scalars: [Unicode.Scalar]
  private var arguments: ArraySlice<PredicateArgument>
  private let count: Int

  init(_ text: String, _ arguments: [PredicateArgument]) {
    scalars = Array(text.unicodeScalars)
    self.arguments = arguments[...]
    count = arguments.count
  }

  mutating func filled() throws(PredicateSyntaxError) -> String {
    var result = String.UnicodeScalarView()
    var quote: Unicode.Scalar?
    var position = 0
    while position < scalars.count {
      let scalar = scalars[position]
      let next = position + 1 < scalars.count ? scalars[position + 1] : nil
      if quote == nil, scalar == "%", next == "@" || next == "K" {
        let range = position..<position + 2
        result.append(contentsOf: try text(forKey: next == "K", range).unicodeScalars)
        position += 2
        continue
      }
      if let open = quote {
        if scalar == "\\", let next {
          result.append(contentsOf: [scalar, next])
          position += 2
          continue
        }
        if scalar == open { quote = nil }
      } else if scalar == "\"" || scalar == "'" {
        quote = scalar
      }
      result.append(scalar)
      position += 1
    }
    guard arguments.isEmpty else {
      throw PredicateSyntaxError(
        range: scalars.count..<scalars.count,
        message:
          "\(counted(count, "argument")) for \(counted(count - arguments.count, "placeholder"))",
        advice: "write %@ for a value and %K for a key path, outside quotes")
    }
    return String(result)
  }

  private mutating func text(
    forKey isKey: Bool, _ range: Range<Int>
  ) throws(PredicateSyntaxError) -> String {
    let placeholder = isKey ? "%K" : "%@"
    guard let argument = arguments.popFirst() else {
      throw PredicateSyntaxError(
        range: range,
        message:
          "missing argument for '\(placeholder)': the predicate has \(counted(count, "argument"))",
        advice: "pass one argument for each placeholder, in the same order")
    }
    switch (argument, isKey) {
    case (.keyPath(let keys), true): return PredicateOperand.keyPath(keys).description
    case (.value(let value), false):
      guard let value else { return PredicateOperand.value(.null).description }
      return PredicateOperand.value(try operand(value, range)).description
    case (.list(let values), false):
      var operands: [PredicateOperand] = []
      for value in values { operands.append(.value(try operand(value, range))) }
      return PredicateOperand.list(operands).description
    case (.keyPath, false), (.value, true), (.list, true):
      throw PredicateSyntaxError(
        range: range, message: "'\(placeholder)' takes a \(isKey ? "key path" : "value or a list of values")",
        advice: "use %@ for a value and %K for a key path")
    }
  }

  private func operand(
    _ value: AttributeValue, _ range: Range<Int>
  ) throws(PredicateSyntaxError) -> PredicateValue {
    switch value {
    case .integer(let value): return .number(JSONNumber(value))
    case .boolean(let value): return .boolean(value)
    case .string(let text): return .string(text)
    case .uuid(let uuid): return .string(uuid.uuidString)
    case .uri(let url): return .string(url.absoluteString)
    case .date(let date) where date.timeIntervalSinceReferenceDate.isFinite: return .date(date)
    case .double(let value): if let number = JSONNumber(value) { return .number(number) }
    case .decimal: if case .number(let number) = value.literal(type: .decimal) { return .number(number) }
    case .date, .binary, .json: break
    }
    throw PredicateSyntaxError(
      range: range, message: "a predicate cannot contain this value",
      advice: "use a number, Boolean, string, date, UUID or URI")
  }
}
