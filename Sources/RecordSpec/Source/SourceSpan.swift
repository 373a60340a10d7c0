/// A position in a file.
public struct SourceMark: Hashable, Sendable {
  /// The number of bytes before the position.
  public var offset: Int
  /// The line, from 1.
  public var line: Int
  /// The column, from 1, in Unicode scalars.
  public var column: Int

  package init(offset: Int, line: Int, column: Int) {
    self.offset = offset
    self.line = line
    self.column = column
  }
}

/// A range in a file, such as the one that a diagnostic underlines.
public struct SourceSpan: Sendable {
  /// The file that contains the range.
  public var file: SourceFile
  /// The position of the first character.
  public var start: SourceMark
  /// The position after the last character.
  public var end: SourceMark
}

extension SourceSpan {
  package var range: Range<Int> { start.offset..<max(start.offset, end.offset) }
}

/// A value that an author wrote, with its source location.
public struct Located<Value: Sendable>: Sendable {
  public var value: Value
  /// The source location of the value.
  public var span: SourceSpan

  package init(value: Value, span: SourceSpan) {
    self.value = value
    self.span = span
  }
}
