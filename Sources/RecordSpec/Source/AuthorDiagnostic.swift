/// Something an author has to know about a file: what is wrong, where, what was expected, and the way out.
///
/// It is a value; `DiagnosticRenderer` makes the text that people read.
public struct AuthorDiagnostic: Sendable {
  public enum Severity: String, Hashable, Sendable {
    /// The file cannot be used.
    case error
    /// Doubtful; the file is used all the same.
    case warning
  }

  public enum Location: Sendable {
    /// A stretch of a file.
    case span(SourceSpan)
    /// A file or a folder as a whole, by the path as the user would type it.
    case file(String)
  }

  /// Another place that belongs to the matter: where the key was written first.
  public struct Note: Sendable {
    public var span: SourceSpan
    /// A few words that stand behind the underline.
    public var text: String

    package init(_ span: SourceSpan, _ text: String) {
      self.span = span
      self.text = text
    }
  }

  public var severity: Severity
  public var code: Code
  public var location: Location
  /// What is wrong, in one line without the place and without a full stop.
  public var message: String
  /// What could stand there instead, if the message does not say so: `int16, int32 or int64`.
  public var expected: String?
  /// The way out, if there is one to name: `did you mean 'responses'?`.
  public var advice: String?
  public var notes: [Note]

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

  /// The most characters (Unicode scalars) of a message that are shown, and how many of a longer one.
  static let (maximumLength, keptAtStart, keptAtEnd) = (1000, 600, 300)

  /// Keeps the start and the end of long text, such as a key of a megabyte.
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
  /// The file or folder that it is about.
  public var path: String {
    switch location {
    case .span(let span): span.file.path
    case .file(let path): path
    }
  }

  /// The place within the file; nil if it is about the file as a whole.
  public var span: SourceSpan? {
    if case .span(let span) = location { span } else { nil }
  }
}

extension AuthorDiagnostic {
  /// What diagnostics are sorted by, and by which two of them are the same.
  struct Position: Hashable, Comparable {
    var path: String
    var start: Int
    var end: Int
    var message: String

    static func < (left: Position, right: Position) -> Bool {
      (left.path, left.start, left.end, left.message)
        < (right.path, right.start, right.end, right.message)
    }
  }

  var position: Position {
    Position(path: path, start: span?.start.offset ?? -1, end: span?.end.offset ?? -1, message: message)
  }
}

extension Sequence<AuthorDiagnostic> {
  /// By file, then by place, each said once: what two uses of one anchor both run into is one mistake.
  package func sortedByPlace() -> [AuthorDiagnostic] {
    var seen: Set<AuthorDiagnostic.Position> = []
    var positioned: [(position: AuthorDiagnostic.Position, diagnostic: AuthorDiagnostic)] = []
    for diagnostic in self {
      let position = diagnostic.position
      if seen.insert(position).inserted { positioned.append((position, diagnostic)) }
    }
    return positioned.sorted { $0.position < $1.position }.map(\.diagnostic)
  }
}
