/// A diagnostic about a file that an author wrote: a message, its location, the expected value and advice.
///
/// ``DiagnosticRenderer`` renders it as text. Reading a file throws it as an error if it prevents reading the rest.
package struct AuthorDiagnostic: Error, Sendable {
  /// The severity of a diagnostic.
  package enum Severity: String, Hashable, Sendable {
    /// A problem that prevents the use of the file.
    case error
    /// A problem that does not prevent the use of the file.
    case warning
  }

  /// The location of a diagnostic.
  package enum Location: Sendable {
    /// A range of a file.
    case span(SourceSpan)
    /// A whole file or folder, by the path as the user would type it.
    case file(String)
  }

  /// A second location that belongs to the diagnostic, such as the first occurrence of a duplicate key.
  package struct Note: Sendable {
    /// The location that the note underlines.
    package var span: SourceSpan
    /// The text after the underline.
    package var text: String

    package init(_ span: SourceSpan, _ text: String) {
      self.span = span
      self.text = text
    }
  }

  /// The severity: an error, or a warning.
  package var severity: Severity
  /// The kind of the diagnostic.
  package var code: Code
  /// The name by which `allows` can select a warning, such as `Post.text`; nil if there is none.
  package var subject: String?
  /// The range, or the whole file or folder.
  package var location: Location
  /// The problem in one line, without the location and without a full stop.
  package var message: String
  /// The allowed values, if the message does not state them: `int16, int32 or int64`.
  package var expected: String?
  /// The suggested correction, if there is one: `did you mean 'responses'?`.
  package var advice: String?
  /// The other locations that belong to the diagnostic.
  package var notes: [Note]

  package init(
    _ code: Code, at location: Location, _ message: String, severity: Severity = .error,
    expected: String? = nil, advice: String? = nil, notes: [Note] = []
  ) {
    self.severity = severity
    self.code = code
    self.location = location
    self.message = Self.shortened(message)
    self.expected = expected.map(Self.shortened)
    self.advice = advice.map(Self.shortened)
    self.notes = notes
  }

  /// The maximum number of Unicode scalars that a message shows, and the numbers that are shown of the start and the
  /// end of a longer one.
  static let (maximumLength, keptAtStart, keptAtEnd) = (1000, 600, 300)

  /// Keeps the start and the end of a long text, such as a key of one megabyte.
  private static func shortened(_ text: String) -> String {
    let scalars = text.unicodeScalars
    guard scalars.count > maximumLength else { return text }
    return String(scalars.prefix(keptAtStart)) + "…" + String(scalars.suffix(keptAtEnd))
  }

  package init(
    _ code: Code, at span: SourceSpan, _ message: String, severity: Severity = .error,
    expected: String? = nil, advice: String? = nil, notes: [Note] = []
  ) {
    self.init(
      code, at: .span(span), message, severity: severity, expected: expected, advice: advice, notes: notes)
  }
}

extension AuthorDiagnostic {
  /// The path of the file or folder.
  package var path: String {
    switch location {
    case .span(let span): span.file.path
    case .file(let path): path
    }
  }

  /// The range in the file; nil for a whole file or folder.
  package var span: SourceSpan? {
    if case .span(let span) = location { span } else { nil }
  }
}

extension AuthorDiagnostic {
  /// The sort key of a diagnostic. Diagnostics with equal positions are duplicates.
  package struct Position: Hashable, Comparable {
    package var path: String
    package var start: Int
    package var end: Int
    package var message: String

    package static func < (left: Position, right: Position) -> Bool {
      (left.path, left.start, left.end, left.message) < (right.path, right.start, right.end, right.message)
    }
  }

  package var position: Position {
    Position(path: path, start: span?.start.offset ?? -1, end: span?.end.offset ?? -1, message: message)
  }
}

extension Sequence<AuthorDiagnostic> {
  /// Returns the diagnostics sorted by file, then by location, without duplicates. For example, two aliases of one
  /// anchor report the same error.
  package func sortedByLocation() -> [AuthorDiagnostic] {
    var seen: Set<AuthorDiagnostic.Position> = []
    var positioned: [(position: AuthorDiagnostic.Position, diagnostic: AuthorDiagnostic)] = []
    for diagnostic in self {
      let position = diagnostic.position
      if seen.insert(position).inserted { positioned.append((position, diagnostic)) }
    }
    return positioned.sorted { $0.position < $1.position }.map(\.diagnostic)
  }
}
