/// A position in a file.
package struct SourceMark: Hashable, Sendable {
  /// The number of bytes before the position.
  package var offset: Int
  /// The line, from 1.
  package var line: Int
  /// The column, from 1, in Unicode scalars.
  package var column: Int

  package init(offset: Int, line: Int, column: Int) {
    self.offset = offset
    self.line = line
    self.column = column
  }
}

/// A range in a file, such as the one that a diagnostic underlines.
package struct SourceSpan: Sendable {
  /// The file that contains the range.
  package var file: SourceFile
  /// The position of the first character.
  package var start: SourceMark
  /// The position after the last character.
  package var end: SourceMark
}

extension SourceSpan {
  package var range: Range<Int> { start.offset..<max(start.offset, end.offset) }
}

/// A value that an author wrote, with its source location.
package struct Located<Value: Sendable>: Sendable {
  package var value: Value
  /// The source location of the value.
  package var span: SourceSpan

  package init(value: Value, span: SourceSpan) {
    self.value = value
    self.span = span
  }
}
