import JSONTree
import RecordModel

/// A value in scenario or model files, as far as its form is known without the model.
///
/// The readers check more: whether entities, properties and rules exist, whether predicates and paths are valid, and whether a
/// literal has the type of its attribute.
package indirect enum FormatValue: Sendable {
  case null
  case boolean
  /// The word `true`.
  case yes
  case integer(ClosedRange<Int>)
  case string(StringForm)
  /// A string that may be unquoted even if it looks like a number or a Boolean.
  case text
  /// One of some words.
  case word([String])
  /// A name that a later layer knows.
  case known(KnownName)
  /// The version of the format.
  case version
  /// Any value that JSON has.
  case json
  /// Any value that JSON has, except null.
  case literal
  case list(FormatValue, isEmptyAllowed: Bool = true)
  case mapping(FormatMapping)
  /// A mapping whose keys are not those of the format, such as the names of entities.
  case entries(FormatValue, of: EntryKey)
  case either([FormatValue])
  /// The mapping whose first key is written. If none is, the last mapping is the default, or one of the keys is missing.
  case chosen([FormatMapping], otherwise: FormatMapping? = nil)

  /// A name that a later layer knows.
  package enum KnownName: Sendable {
    case rule
    /// The code of a failed request.
    case failure
    /// The code of a diagnostic, or its number in MMRecord.
    case diagnostic
    /// The code of a diagnostic, in a list of strings.
    case diagnosticText
  }

  /// The keys of a mapping that are not those of the format.
  package enum EntryKey: Sendable {
    case any
    case header
    case words([String])
  }
}

/// The form of a string. Patterns match every string that the readers accept.
package struct StringForm: Sendable {
  package var isEmptyAllowed = false
  /// A regular expression without syntax that differs between languages.
  package var pattern: String?
  /// Examples, which complete in an editor.
  package var examples: [String] = []

  static let anything = StringForm(isEmptyAllowed: true)
  static let notEmpty = StringForm()
  package static let predicate = StringForm(
    isEmptyAllowed: true, examples: ["pages > 100", "title BEGINSWITH \"S\" AND author != nil"])
  package static let dateFormat = StringForm(
    isEmptyAllowed: true, examples: ["iso8601", "unix", "unix-milliseconds", "yyyy-MM-dd HH:mm:ss"])
  package static let label = StringForm(isEmptyAllowed: true, examples: ["Post/1"])
  package static let urn = StringForm(pattern: "^[^ ]+$", examples: ["posts", "posts?page=2"])
  package static let address = StringForm(examples: ["posts", "posts?page=2", "POST posts"])
  package static let url = StringForm(pattern: "^https?://", examples: ["https://api.test/"])
  package static let pointer = StringForm(isEmptyAllowed: true, pattern: "^(/|$)", examples: ["/0/response"])
  package static let day = StringForm(examples: ["2031-05-01"])
  package static let time = StringForm(examples: ["2031-05-01T12:00:00Z"])
  package static let method = StringForm(
    pattern: "^[!#$%&'*+.^_`|~0-9A-Z-]+$",
    examples: ["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS"])
  package static let duration = StringForm(pattern: "^\(amountOfTime)$", examples: ["2s", "250ms", "1.5m"])
  static let changeOfTime = StringForm(pattern: "^-?\(amountOfTime)$", examples: ["61s", "-10m"])
  static let percentage = StringForm(
    pattern: #"^-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?%$"#, examples: ["20%"])
  package static let path = StringForm(
    isEmptyAllowed: true, examples: ["user.name", "tags[0]", "comments.@count"])
  package static let modelFile = StringForm(
    pattern: #"\.(model\.yaml|model\.yml|xcdatamodeld|xcdatamodel)"#,
    examples: ["_models/app.model.yaml", "App.xcdatamodeld"])
  /// A pattern, because an editor would mix words with the keys of the same names.
  static let bareStep = StringForm(
    pattern: "^(\(StepKind.withoutDetails.map(\.rawValue).joined(separator: "|")))$")
  static let sortKey = StringForm(examples: ["-date", "user.name"])

  private static let amountOfTime = #"[0-9]{1,9}(\.[0-9]{1,9})?(ms|s|m|h|d)"#
}

extension FormatValue {
  package static let string = FormatValue.string(.notEmpty)
  package static let predicate = FormatValue.string(.predicate)
  package static let label = FormatValue.string(.label)
  package static let labels = FormatValue.list(.label)
  package static let none = FormatValue.word(["none"])
  package static let texts = FormatValue.entries(.text, of: .any)
  package static let headers = FormatValue.entries(.text, of: .header)
  package static let count = FormatValue.integer(0...Int.max)
  package static let atLeastOne = FormatValue.integer(1...Int.max)
  package static let strings = FormatValue.list(.string)
  /// The properties of a record, whose values depend on the model.
  package static let properties = FormatValue.entries(.json, of: .any)
  /// A key path as text, or as a list of literal keys.
  package static let path = FormatValue.either([.string(.path), .list(.text, isEmptyAllowed: false)])
  /// A key path as text, or a list of alternative key paths.
  package static let paths = FormatValue.either([.string(.path), .list(.path)])
  /// A key path, or `[]` for the response itself.
  static let responsePath = FormatValue.either([.string(.path), .list(.text)])
  package static let names = FormatValue.either([.string, .list(.string, isEmptyAllowed: false)])
  package static let duration = FormatValue.string(.duration)
  package static let dateFormat = FormatValue.string(.dateFormat)

  /// Returns one of the names of an enumeration.
  package static func choice<Choice: RawRepresentable & CaseIterable>(_: Choice.Type) -> FormatValue
  where Choice.RawValue == String {
    .word(Choice.allCases.map(\.rawValue))
  }

  package static func optional(_ value: FormatValue) -> FormatValue { .either([value, .null]) }
}
