package import JSONTree

/// A finder of the positions of values of canned bodies in the files of the author.
// A class, because it finds the lines of each file and the keys of each large mapping only once.
package final class BodyPositions {
  private var files: [String: SourceFile] = [:]
  private var texts: [YAMLNode.Location: SourceFile] = [:]
  private let index = YAMLPairIndex()

  package init() {}

  /// Returns the position of a value of a served body. Constant time for most values, after the first one of a file.
  ///
  /// - Parameter pointer: the path of the value in the body.
  package func position(of node: JSONNode, at pointer: JSONPointer, in source: BodySource) -> SourcePosition {
    switch source {
    case .value(let body): return start(of: value(at: pointer, in: body) ?? body)
    case .text(let body):
      return mark(inBlock: body, at: node.byteRange.lowerBound).map {
        SourcePosition(path: body.file.path, mark: $0)
      } ?? start(of: body)
    case .file(let path, let bytes, let start):
      let mark = file(at: path, bytes).mark(at: start + node.byteRange.lowerBound)
      return SourcePosition(path: path, mark: mark)
    }
  }

  /// Returns the position of a value of `body:` by its path; nil if the body has no value there.
  package func position(at pointer: JSONPointer, in body: YAMLNode) -> SourcePosition? {
    value(at: pointer, in: body).map(start)
  }

  private func start(of node: YAMLNode) -> SourcePosition {
    SourcePosition(path: node.file.path, mark: node.file.mark(at: node.range.lowerBound))
  }

  /// Returns the file of a body, whose lines are found only once.
  private func file(at path: String, _ bytes: [UInt8]) -> SourceFile {
    let file = files[path] ?? SourceFile(path: path, bytes: bytes)
    files[path] = file
    return file
  }

  /// Returns the range of a value of a served body. A member of a mapping in YAML is located at its key.
  ///
  /// - Parameter pointer: the path of the value in the body.
  package func span(of node: JSONNode, at pointer: JSONPointer, in source: BodySource) -> SourceSpan {
    switch source {
    case .value(let body):
      let parent = value(at: JSONPointer(tokens: pointer.tokens.dropLast()), in: body)
      if let key = pointer.tokens.last, let parent, let pair = index.pair(key, in: parent) {
        return pair.keySpan
      }
      return (value(at: pointer, in: body) ?? body).span
    case .text(let body):
      let start =
        mark(inBlock: body, at: node.byteRange.lowerBound) ?? body.file.mark(at: body.range.lowerBound)
      return SourceSpan(file: body.file, start: start, end: start)
    case .file(let path, let bytes, let start):
      return file(at: path, bytes).span(start + node.byteRange.lowerBound..<start + node.byteRange.upperBound)
    }
  }

  /// Returns the position of a byte of a served body as an empty range. In a body that is not served as it is written, it
  /// is the start of the body. A position after the last line is the end of that line.
  package func span(ofByte offset: Int, in source: BodySource) -> SourceSpan {
    let (file, mark): (SourceFile, SourceMark)
    switch source {
    case .value(let body): (file, mark) = (body.file, body.file.mark(at: body.range.lowerBound))
    case .text(let body):
      file = body.file
      let last = Self.endOfLastLine((body.scalar?.text ?? "").utf8)
      mark = self.mark(inBlock: body, at: min(offset, last)) ?? file.mark(at: body.range.lowerBound)
    case .file(let path, let bytes, let start):
      file = self.file(at: path, bytes)
      mark = file.mark(at: min(start + offset, Self.endOfLastLine(bytes)))
    }
    return SourceSpan(file: file, start: mark, end: mark)
  }

  /// Returns the number of bytes without the line breaks at the end.
  private static func endOfLastLine(_ bytes: some BidirectionalCollection<UInt8>) -> Int {
    bytes.count - bytes.reversed().prefix { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") }.count
  }

  /// Returns the YAML node at the path of a JSON value; nil if there is none.
  private func value(at pointer: JSONPointer, in body: YAMLNode) -> YAMLNode? {
    var node = body
    for token in pointer.tokens {
      if let pair = index.pair(token, in: node) {
        node = pair.value
      } else if let elements = node.elements, let position = Int(token), elements.indices.contains(position) {
        node = elements[position]
      } else {
        return nil
      }
    }
    return node
  }

  /// Returns the position of a byte of a literal block scalar (`|`); nil for other scalars, whose lines are folded or
  /// whose characters may be escaped.
  private func mark(inBlock node: YAMLNode, at offset: Int) -> SourceMark? {
    guard let scalar = node.scalar, scalar.style == .block,
      node.file.bytes[node.range].first == UInt8(ascii: "|")
    else { return nil }
    let text = texts[node.location] ?? SourceFile(path: node.file.path, bytes: Array(scalar.text.utf8))
    texts[node.location] = text
    let line = text.mark(at: offset).line
    let range = text.rangeOfLine(line)
    let first = node.file.mark(at: node.range.lowerBound).line
    let written = node.file.rangeOfLine(first + line)
    // The line is indented in the file, but not in the text.
    return written.count < range.count
      ? nil
      : node.file.mark(at: written.upperBound - range.count + min(offset - range.lowerBound, range.count))
  }
}
