package import JSONTree

/// The source of a canned body in the files of the author, which locates the values of the body.
package enum BodySource: Sendable {
  /// The value of `body:`.
  case value(YAMLNode)
  /// The text of `bodyText:`.
  case text(YAMLNode)
  /// A file, and the offset at which the body begins.
  case file(path: String, bytes: [UInt8], start: Int)
}

extension BodySource {
  /// Returns the position of a value of the served body.
  ///
  /// - Parameters:
  ///   - pointer: the path of the value.
  ///   - file: a closure that returns the source file for a path and its bytes. Finding the lines of a file takes time
  ///     linear in its size, so the closure can return the same file again.
  package func position(
    of node: JSONNode, at pointer: JSONPointer, in file: (String, [UInt8]) -> SourceFile
  ) -> SourcePosition {
    switch self {
    case .value(let body):
      return SourcePosition(body.value(at: pointer)?.span.start, in: body.file, or: body.span.start)
    case .text(let body):
      return SourcePosition(
        body.mark(inBlockAt: node.byteRange.lowerBound), in: body.file, or: body.span.start)
    case .file(let path, let bytes, let start):
      let source = file(path, bytes)
      return SourcePosition(
        path: path, mark: source.mark(at: start + node.byteRange.lowerBound))
    }
  }
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

  fileprivate init(_ mark: SourceMark?, in file: SourceFile, or other: SourceMark) {
    self.init(path: file.path, mark: mark ?? other)
  }
}

extension SourcePosition: CustomStringConvertible {
  package var description: String { "\(path):\(line):\(column)" }
}

extension YAMLNode {
  /// Returns the node at the path of a JSON value; nil if there is none.
  fileprivate func value(at pointer: JSONPointer) -> YAMLNode? {
    var node = self
    for token in pointer.tokens {
      if let pair = node.pairs?.last(where: { haveSameScalars($0.key, token) }) {
        node = pair.value
      } else if let elements = node.elements, let index = Int(token), elements.indices.contains(index) {
        node = elements[index]
      } else {
        return nil
      }
    }
    return node
  }

  /// Returns the position of a byte of a literal block scalar (`|`); nil for other scalars, whose lines are folded or
  /// whose characters may be escaped.
  fileprivate func mark(inBlockAt offset: Int) -> SourceMark? {
    guard let scalar, scalar.style == .block, file.bytes[range].first == UInt8(ascii: "|") else { return nil }
    let before = Array(scalar.text.utf8).prefix(offset)
    let line = before.count { $0 == 0x0A }
    let column = before.reversed().prefix { $0 != 0x0A }.count
    let text = Array(scalar.text.utf8).split(separator: 0x0A, omittingEmptySubsequences: false)[line]
    let written = file.rangeOfLine(span.start.line + 1 + line)
    // The line is indented in the file, but not in the text.
    return written.count < text.count
      ? nil : file.mark(at: written.upperBound - text.count + min(column, text.count))
  }
}
