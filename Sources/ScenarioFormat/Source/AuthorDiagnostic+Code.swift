extension AuthorDiagnostic {
  /// The stable name of a kind of diagnostic, for searching, filtering and documentation.
  package struct Code: RawRepresentable, Hashable, Sendable {
    package let rawValue: String
    /// Creates a code with a name.
    package init(rawValue: String) { self.rawValue = rawValue }
    private init(_ name: String) { rawValue = name }
  }
}

extension AuthorDiagnostic.Code {
  // Files
  /// A file or folder that cannot be read.
  package static let unreadableFile = Self("unreadable-file")
  /// A file that a command would replace.
  package static let existingFile = Self("existing-file")
  /// A generated file that differs from its source.
  package static let outdatedFile = Self("outdated-file")
  /// A file outside the folders that scenarios may read.
  package static let outsideFile = Self("outside-file")
  /// A file name that is invalid for a scenario.
  package static let fileName = Self("file-name")
  /// A folder without scenarios.
  package static let noScenarios = Self("no-scenarios")
  /// Two scenarios that would share a golden file.
  package static let sameGoldenFile = Self("same-golden-file")
  /// A file that is not UTF-8, or that is larger than 1 GiB.
  package static let encoding = Self("encoding")
  /// A control character, or another character that YAML does not allow unescaped.
  package static let controlCharacter = Self("control-character")

  // YAML
  /// A syntax error in YAML.
  package static let yamlSyntax = Self("yaml-syntax")
  /// A tab that indents a line.
  package static let yamlTab = Self("yaml-tab")
  /// An empty file.
  package static let yamlEmpty = Self("yaml-empty")
  /// A second document in a file.
  package static let yamlDocuments = Self("yaml-documents")
  /// A key that is empty or not text.
  package static let yamlKey = Self("yaml-key")
  /// An unknown tag, or a value that does not match its tag.
  package static let yamlTag = Self("yaml-tag")
  /// An alias without an anchor before it, or inside the value that it names.
  package static let yamlAlias = Self("yaml-alias")
  /// Aliases that stand for too many values.
  package static let yamlAliasLimit = Self("yaml-alias-limit")
  /// Lists and mappings that are nested too deeply.
  package static let yamlDepth = Self("yaml-depth")
  /// A merge key whose value is neither a mapping nor a list of mappings.
  package static let yamlMergeKey = Self("yaml-merge-key")
  /// A key that occurs twice in a mapping.
  package static let duplicateKey = Self("duplicate-key")

  // The shape of a file
  /// A key that is unknown or does not apply.
  package static let unknownKey = Self("unknown-key")
  /// A required key or step that is missing.
  package static let missingKey = Self("missing-key")
  /// Keys, headers, responses or steps that exclude each other.
  package static let conflictingKeys = Self("conflicting-keys")
  /// A value of another kind than expected.
  package static let wrongKind = Self("wrong-kind")
  /// A value that is not allowed.
  package static let unknownValue = Self("unknown-value")
  /// A value that must not be empty.
  package static let emptyValue = Self("empty-value")
  /// A number or a duration outside its range.
  package static let outOfRange = Self("out-of-range")
  /// A schema version that is not known.
  package static let unknownVersion = Self("unknown-version")
  /// A key of the format that is not supported yet.
  package static let notSupportedYet = Self("not-supported-yet")
  /// A value or a file that is not JSON.
  package static let noJSON = Self("no-json")

  /// A recorded session that cannot be imported.
  package static let invalidRecording = Self("invalid-recording")

  // Languages inside a text
  /// A syntax error in a path.
  package static let pathSyntax = Self("path-syntax")
  /// A syntax error in a predicate.
  package static let predicateSyntax = Self("predicate-syntax")
  /// A syntax error in a date, a time or a date format.
  package static let dateSyntax = Self("date-syntax")
  /// A syntax error in a JSON pointer.
  package static let pointerSyntax = Self("pointer-syntax")
  /// An error in an address, a method or a base URL.
  package static let addressSyntax = Self("address-syntax")
  /// An error in a label.
  package static let labelSyntax = Self("label-syntax")

  // References to the model and the responses
  /// An entity that the model does not have or that is not allowed.
  package static let unknownEntity = Self("unknown-entity")
  /// A property that the entity does not have or that is not allowed.
  package static let unknownProperty = Self("unknown-property")
  /// A code that the engine does not have.
  package static let unknownDiagnostic = Self("unknown-code")
  /// A literal that does not match the type of its attribute.
  package static let literal = Self("literal")
  /// A hook that is not registered.
  package static let unknownHook = Self("unknown-hook")
  /// A record type that is not registered.
  package static let unknownRecordType = Self("unknown-record-type")
  /// A transformer that is not registered.
  package static let unknownTransformer = Self("unknown-transformer")
  /// A JSON pointer to a value that a recording does not have.
  package static let missingValue = Self("missing-value")
  /// Two addresses of canned responses that are the same.
  package static let duplicateAddress = Self("duplicate-address")
  /// An overlay that contradicts its model file.
  package static let overlay = Self("overlay")
  /// A model in Swift that is not registered.
  package static let unknownModel = Self("unknown-model")
  /// A part of a model that a model file cannot express.
  package static let notInModelFile = Self("not-in-model-file")
  /// A part of a model that record types cannot express.
  package static let notInRecordTypes = Self("not-in-record-types")
  /// An error in a tweak.
  package static let tweak = Self("tweak")

  // Problems that only a run reveals
  /// A request without a canned response.
  package static let unansweredRequest = Self("unanswered-request")
  /// A canned response that no request has used.
  package static let unusedResponse = Self("unused-response")
  /// A `cancel` step without an in-flight request in its domain.
  package static let nothingToCancel = Self("nothing-to-cancel")
  /// A label that no record has at this point of the run.
  package static let unknownRecord = Self("unknown-record")
  /// A record of `store:` that cannot be saved.
  package static let invalidSeed = Self("invalid-seed")
}
