/// A name in a scenario that others know: the engine its codes, a test target its Swift code. Reading a file cannot tell
/// whether it names anything, and each is looked up whatever else is wrong with the file.
struct ForeignName: Sendable {
  enum Kind: Sendable {
    /// In `covers:`.
    case rule
    /// An expected failure.
    case failure
    /// An expected diagnostic, or one that fails a request.
    case diagnostic
    /// A diagnostic that nobody is told of.
    case ignoredDiagnostic
    case hook, recordType, transformer
  }

  var kind: Kind
  var name: String
  var location: AuthorDiagnostic.Location
  /// Whether nobody may have meant it: Xcode names a class for every entity, whoever uses it.
  var isCasual = false
}
