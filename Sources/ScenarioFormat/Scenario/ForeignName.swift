/// A name in a scenario that is defined elsewhere, such as a diagnostic code of the engine or Swift code of a test
/// target. Reading a file cannot verify it. It is verified later, whatever other errors the file has.
package struct ForeignName: Sendable {
  package enum Kind: Sendable {
    /// A rule in `covers:`.
    case rule
    /// The code of an expected failure.
    case failure
    /// The code of an expected diagnostic, or of a diagnostic that fails a request.
    case diagnostic
    /// The code of a diagnostic that is suppressed.
    case ignoredDiagnostic
    case hook, recordType, transformer
  }

  package var kind: Kind
  package var name: String
  package var location: AuthorDiagnostic.Location
  /// A Boolean value that indicates whether the name may be unintended: Xcode names a class for every entity, whether
  /// or not it is used.
  package var isCasual = false
}
