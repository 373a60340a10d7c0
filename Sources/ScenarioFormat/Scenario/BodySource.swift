/// The source of a canned body in the files of the author, which locates the values of the body.
package enum BodySource: Sendable {
  /// The value of `body:`.
  case value(YAMLNode)
  /// The text of `bodyText:`.
  case text(YAMLNode)
  /// A file, and the offset at which the body begins.
  case file(path: String, bytes: [UInt8], start: Int)
}

/// A position in a file.
package struct SourcePosition: Hashable, Sendable {
  package var path: String
  package var line: Int
  package var column: Int

  package init(path: String, mark: SourceMark) {
    self.path = path
    line = mark.line
    column = mark.column
  }

  package init(_ span: SourceSpan) { self.init(path: span.file.path, mark: span.start) }

  package init(path: String, line: Int, column: Int) {
    self.path = path
    self.line = line
    self.column = column
  }
}

extension SourcePosition: CustomStringConvertible {
  package var description: String { "\(path):\(line):\(column)" }
}
