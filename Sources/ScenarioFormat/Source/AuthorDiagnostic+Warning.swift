extension AuthorDiagnostic {
  /// The codes of the warnings about scenarios and their responses. Models have further ones.
  package enum Warning: String, CaseIterable, Sendable {
    /// A name that two properties of an entity read.
    case ambiguousName = "ambiguous-name"
    /// A key whose values have different JSON types.
    case changingType = "changing-type"
    /// A number for a date that is probably in another unit.
    case implausibleDate = "implausible-date"
    /// An expectation of a record that cannot exist.
    case impossibleRecord = "impossible-record"
    /// A property that no response contains.
    case missingProperty = "missing-property"
    /// A key of the format without effect.
    case noEffect = "no-effect"
    /// A word in a predicate that is probably a string without its quotes.
    case unquotedText = "unquoted-text"
    /// A key of items that no property reads.
    case unreadKey = "unread-key"
    /// An entry of `allows` that silences no warning.
    case unusedAllows = "unused-allows"
    /// A pattern of ignored keys that matches no key.
    case unusedPattern = "unused-pattern"
    /// A response whose items are below a key, of an entity without a response key path.
    case wrappedItems = "wrapped-items"
    /// A word that is a Boolean in YAML 1.1.
    case yamlBoolean = "yaml-boolean"
    /// A value that is missing, and so null.
    case yamlNull = "yaml-null"
    /// A value that is a number in only one of YAML 1.1 and 1.2, or a different one.
    case yamlNumber = "yaml-number"
  }

  /// Creates a warning.
  ///
  /// - Parameter subject: the name by which `allows` can select the warning, such as `Post.text`.
  package init(
    _ warning: Warning, of subject: String? = nil, at location: Location, _ message: String,
    advice: String? = nil, notes: [Note] = []
  ) {
    self.init(
      Code(rawValue: warning.rawValue), at: location, message, severity: .warning, advice: advice,
      notes: notes)
    self.subject = subject
  }

  /// Creates a warning.
  ///
  /// - Parameter subject: the name by which `allows` can select the warning, such as `Post.text`.
  package init(
    _ warning: Warning, of subject: String? = nil, at span: SourceSpan, _ message: String,
    advice: String? = nil, notes: [Note] = []
  ) {
    self.init(warning, of: subject, at: .span(span), message, advice: advice, notes: notes)
  }
}
