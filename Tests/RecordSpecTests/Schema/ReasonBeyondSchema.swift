import RecordSpec

/// The reasons for which `recordspec check` refuses a file that the JSON Schema accepts. JSON Schema cannot express them.
enum ReasonBeyondSchema: String, CaseIterable {
  /// An entity, property or record that the model does not have.
  case unknownName = "unknown name"
  /// A value that its attribute does not accept.
  case literal
  /// A text in another language, such as a predicate or a label.
  case syntax
  /// Parts of a model that contradict each other.
  case model
  /// A value whose form is right, but that is too large, empty, or the same as another one.
  case value
  /// A key that is not allowed for this step or property, because of another part of the scenario.
  case context
  /// An error in a file that the scenario names.
  case otherFile = "other file"

  private static let codes: [ReasonBeyondSchema: [String]] = [
    .unknownName: [
      "unknown-entity", "unknown-property", "unknown-attribute", "unknown-key-property",
      "unknown-destination",
      "unknown-parent", "unknown-inverse", "unknown-relationship", "unknown-model",
    ],
    .literal: ["literal", "default-value"],
    .syntax: [
      "label-syntax", "predicate-syntax", "path-syntax", "address-syntax", "date-syntax", "pointer-syntax",
    ],
    .model: [
      "abstract-leaf", "computed-key", "deleted-when-without-key", "detail-urn", "dictionary-attribute",
      "duplicate-key-property", "duplicate-property", "empty-ignored-key", "format-of-no-date",
      "ignored-mapped-key",
      "invalid-name", "inverse-mismatch", "key-cycle", "key-pattern", "key-without-inverse", "mapping-path",
      "no-entities",
      "null-of-to-many", "only-for-to-many", "overlay", "parent-cycle", "relationship-in-composite-key",
      "to-many-key",
      "too-many-columns", "too-many-inherited-properties", "transformable-key",
      "transformer-of-no-transformable",
      "used-when-of-root",
    ],
    .value: ["out-of-range", "empty-value", "duplicate-address"],
    .otherFile: ["unreadable-file", "missing-value", "xcode-model-file"],
  ]

  /// The messages of codes that are usually about the form of a file.
  private static let messages: [(code: String, part: String, reason: ReasonBeyondSchema)] = [
    // References between steps.
    ("missing-key", " is never awaited", .context),
    ("missing-key", "'page' requires 'paging'", .context),
    ("unknown-value", "no request named ", .context),
    ("unknown-value", " run of pages has started", .context),
    ("unknown-value", " has several parts", .context),
    ("unknown-value", "no run ", .context),
    ("conflicting-keys", " is already in flight", .context),
    ("conflicting-keys", " is in flight and needs the store", .context),
    ("unknown-value", "no response can be served from the cache", .context),
    // Keys that another key or the last step allows.
    ("unknown-key", "this step returns no records", .context),
    ("unknown-key", " is only allowed for ", .context),
    ("conflicting-keys", " request cannot have a body", .context),
    // Scenarios of apps.
    ("conflicting-keys", "'adapters' needs 'tables'", .context),
    ("conflicting-keys", "'call' performs an action of an app", .context),
    ("conflicting-keys", " cannot be combined with 'tables'", .context),
    ("conflicting-keys", " in a scenario with 'tables'", .context),
    ("conflicting-keys", "the key column ", .context),
    ("conflicting-keys", " is the key, so its values are compared", .context),
    ("unknown-value", "the failure of an app has no code", .context),
    ("unknown-key", "the failure of an app has no ", .context),
    ("unknown-value", "the name of a table cannot contain ", .value),
    ("conflicting-keys", "'at' requires 'bodyFile'", .context),
    ("conflicting-keys", "this response is never served", .context),
    // Texts.
    ("wrong-kind", "expected JSON for 'body', found a string", .value),
    ("unknown-value", "'at' is not the name of a header here", .value),
    ("unknown-value", "the value of ", .value),
    ("unknown-value", "duplicate rule ", .value),
    ("conflicting-keys", " are the same header", .value),
    // Recordings.
    ("wrong-kind", " must be an integer attribute to store a count", .context),
    ("wrong-kind", "_recordings/", .otherFile),
    ("no-json", "_recordings/", .otherFile),
  ]

  /// The paths of the values of properties: in expected and stored records, in changes, and in customizations.
  private static var propertyPaths: [Regex<Substring>] {
    [
      #/\/graph\/[^\/]+(?:\/records|\/only)?\/\d+\/./#,
      #/\/(?:records|stored)(?:\/anyOrder|\/contains)?\/\d+\/./#,
      #/\/(?:store|insert)\/[^\/]+\/\d+\/./#,
      #/\/update\/[^\/]+\/./#,
      #/\/updated\/[^\/]+\/[^\/]+\/./#,
    ]
  }

  /// The beginnings of messages about the form of tweaks. The other messages are about the model.
  private static let messagesOfTweaks = [
    "unknown key ", "expected ", "missing key ", "'instead' cannot be combined ",
  ]

  /// The codes of errors in values whose form depends on the type of a property.
  private static let codesOfProperties = ["unknown-key", "wrong-kind", "missing-key"]

  /// Creates the reason for an error; nil if the schema should refuse the file.
  init?(_ error: AuthorDiagnostic, in file: FormatFile) {
    let code = error.code.rawValue
    if Self.codesOfProperties.contains(code) {
      let path = file.path(of: error)
      if Self.propertyPaths.contains(where: { path.contains($0) }) {
        self = .context
        return
      }
    }
    if let reason = Self.allCases.first(where: { Self.codes[$0]?.contains(code) ?? false }) {
      self = reason
      return
    }
    if code == "tweak", !Self.messagesOfTweaks.contains(where: error.message.hasPrefix) {
      self = .model
      return
    }
    guard let found = Self.messages.first(where: { $0.code == code && error.message.contains($0.part) })
    else {
      return nil
    }
    self = found.reason
  }
}
