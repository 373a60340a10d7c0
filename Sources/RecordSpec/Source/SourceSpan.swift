/// A place in a file.
public struct SourceMark: Hashable, Sendable {
  /// Bytes before it.
  public var offset: Int
  /// From 1.
  public var line: Int
  /// From 1, in Unicode scalars.
  public var column: Int

  package init(offset: Int, line: Int, column: Int) {
    self.offset = offset
    self.line = line
    self.column = column
  }
}

/// A stretch of a file: what a message underlines.
public struct SourceSpan: Sendable {
  public var file: SourceFile
  public var start: SourceMark
  /// Behind the last character.
  public var end: SourceMark
}

extension SourceSpan {
  package var range: Range<Int> { start.offset..<max(start.offset, end.offset) }
}

/// A value an author wrote, with its place.
public struct Located<Value: Sendable>: Sendable {
  public var value: Value
  public var span: SourceSpan

  package init(value: Value, span: SourceSpan) {
    self.value = value
    self.span = span
  }
}
