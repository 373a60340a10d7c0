extension AuthorDiagnostic {
  /// The stable name of a kind of diagnostic, for searching, filtering and documentation.
  public struct Code: RawRepresentable, Hashable, Sendable {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }
    private init(_ name: String) { rawValue = name }
  }
}

extension AuthorDiagnostic.Code {
  // Files
  public static let unreadableFile = Self("unreadable-file")
  public static let outsideFile = Self("outside-file")
  public static let fileName = Self("file-name")
  public static let noScenarios = Self("no-scenarios")
  public static let sameGoldenFile = Self("same-golden-file")
  public static let encoding = Self("encoding")
  public static let controlCharacter = Self("control-character")

  // YAML
  public static let yamlSyntax = Self("yaml-syntax")
  public static let yamlTab = Self("yaml-tab")
  public static let yamlEmpty = Self("yaml-empty")
  public static let yamlDocuments = Self("yaml-documents")
  public static let yamlKey = Self("yaml-key")
  public static let yamlTag = Self("yaml-tag")
  public static let yamlAlias = Self("yaml-alias")
  public static let yamlAliasLimit = Self("yaml-alias-limit")
  public static let yamlDepth = Self("yaml-depth")
  public static let yamlMergeKey = Self("yaml-merge-key")
  public static let duplicateKey = Self("duplicate-key")

  // The shape of a file
  public static let unknownKey = Self("unknown-key")
  public static let missingKey = Self("missing-key")
  public static let conflictingKeys = Self("conflicting-keys")
  public static let wrongKind = Self("wrong-kind")
  public static let unknownValue = Self("unknown-value")
  public static let emptyValue = Self("empty-value")
  public static let outOfRange = Self("out-of-range")
  public static let unknownVersion = Self("unknown-version")
  public static let notSupportedYet = Self("not-supported-yet")
  public static let noJSON = Self("no-json")

  // Languages within a text
  public static let pathSyntax = Self("path-syntax")
  public static let predicateSyntax = Self("predicate-syntax")
  public static let dateSyntax = Self("date-syntax")
  public static let pointerSyntax = Self("pointer-syntax")
  public static let addressSyntax = Self("address-syntax")
  public static let labelSyntax = Self("label-syntax")

  // What a scenario says of its model and responses
  public static let unknownEntity = Self("unknown-entity")
  public static let unknownProperty = Self("unknown-property")
  public static let unknownDiagnostic = Self("unknown-code")
  public static let literal = Self("literal")
  public static let unknownHook = Self("unknown-hook")
  public static let unknownRecordType = Self("unknown-record-type")
  public static let unknownTransformer = Self("unknown-transformer")
  public static let missingValue = Self("missing-value")
  public static let duplicateAddress = Self("duplicate-address")
  public static let overlay = Self("overlay")
  public static let tweak = Self("tweak")

  // What shows only when a scenario runs
  public static let unansweredRequest = Self("unanswered-request")
  public static let unusedResponse = Self("unused-response")
  public static let nothingToCancel = Self("nothing-to-cancel")
  public static let unknownRecord = Self("unknown-record")
  public static let invalidSeed = Self("invalid-seed")
}
