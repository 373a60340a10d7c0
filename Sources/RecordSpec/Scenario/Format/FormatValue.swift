import JSONTree
import RecordModel

/// A value in scenario or model files, as far as its form is known without the model.
///
/// The readers check more: whether entities, properties and rules exist, whether predicates and paths are valid, and whether a
/// literal has the type of its attribute.
indirect enum FormatValue: Sendable {
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
  enum KnownName: Sendable {
    case rule
    /// The code of a failed request.
    case failure
    /// The code of a diagnostic, or its number in MMRecord.
    case diagnostic
    /// The code of a diagnostic, in a list of strings.
    case diagnosticText
  }

  /// The keys of a mapping that are not those of the format.
  enum EntryKey: Sendable {
    case any
    case header
    case words([String])
  }
}

/// The form of a string. Patterns match every string that the readers accept.
struct StringForm: Sendable {
  var isEmptyAllowed = false
  /// A regular expression without syntax that differs between languages.
  var pattern: String?
  /// Examples, which complete in an editor.
  var examples: [String] = []

  static let anything = StringForm(isEmptyAllowed: true)
  static let notEmpty = StringForm()
  static let predicate = StringForm(
    isEmptyAllowed: true, examples: ["pages > 100", "title BEGINSWITH \"S\" AND author != nil"])
  static let dateFormat = StringForm(isEmptyAllowed: true, examples: ["iso8601", "yyyy-MM-dd HH:mm:ss"])
  static let label = StringForm(isEmptyAllowed: true, examples: ["Post/1"])
  static let urn = StringForm(pattern: "^[^ ]+$", examples: ["posts", "posts?page=2"])
  static let address = StringForm(examples: ["posts", "posts?page=2", "POST posts"])
  static let url = StringForm(pattern: "^https?://", examples: ["https://api.test/"])
  static let pointer = StringForm(isEmptyAllowed: true, pattern: "^(/|$)", examples: ["/0/response"])
  static let day = StringForm(examples: ["2031-05-01"])
  static let time = StringForm(examples: ["2031-05-01T12:00:00Z"])
  static let method = StringForm(
    pattern: "^[!#$%&'*+.^_`|~0-9A-Z-]+$",
    examples: ["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS"])
  static let duration = StringForm(pattern: "^\(amountOfTime)$", examples: ["2s", "250ms", "1.5m"])
  static let changeOfTime = StringForm(pattern: "^-?\(amountOfTime)$", examples: ["61s", "-10m"])
  static let percentage = StringForm(
    pattern: #"^-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?%$"#, examples: ["20%"])
  static let path = StringForm(isEmptyAllowed: true, examples: ["user.name", "tags[0]", "comments.@count"])
  static let modelFile = StringForm(
    pattern: #"\.(model\.yaml|model\.yml|xcdatamodeld|xcdatamodel)"#,
    examples: ["_models/app.model.yaml", "App.xcdatamodeld"])
  /// A pattern, because an editor would mix words with the keys of the same names.
  static let bareStep = StringForm(pattern: "^(nextPage|save|rollback|reopen|clearCache)$")
  static let sortKey = StringForm(examples: ["-date", "user.name"])

  private static let amountOfTime = #"[0-9]{1,9}(\.[0-9]{1,9})?(ms|s|m|h|d)"#
}

extension FormatValue {
  static let string = FormatValue.string(.notEmpty)
  static let predicate = FormatValue.string(.predicate)
  static let label = FormatValue.string(.label)
  static let labels = FormatValue.list(.label)
  static let none = FormatValue.word(["none"])
  static let texts = FormatValue.entries(.text, of: .any)
  static let headers = FormatValue.entries(.text, of: .header)
  static let count = FormatValue.integer(0...Int.max)
  static let atLeastOne = FormatValue.integer(1...Int.max)
  static let strings = FormatValue.list(.string)
  /// The properties of a record, whose values depend on the model.
  static let properties = FormatValue.entries(.json, of: .any)
  /// A key path as text, or as a list of literal keys.
  static let path = FormatValue.either([.string(.path), .list(.text, isEmptyAllowed: false)])
  /// A key path as text, or a list of alternative key paths.
  static let paths = FormatValue.either([.string(.path), .list(.path)])
  /// A key path, or `[]` for the response itself.
  static let responsePath = FormatValue.either([.string(.path), .list(.text)])
  static let names = FormatValue.either([.string, .list(.string, isEmptyAllowed: false)])
  static let duration = FormatValue.string(.duration)
  static let dateFormat = FormatValue.string(.dateFormat)

  /// Returns one of the names of an enumeration.
  static func choice<Choice: RawRepresentable & CaseIterable>(_: Choice.Type) -> FormatValue
  where Choice.RawValue == String {
    .word(Choice.allCases.map(\.rawValue))
  }

  static func optional(_ value: FormatValue) -> FormatValue { .either([value, .null]) }
}
