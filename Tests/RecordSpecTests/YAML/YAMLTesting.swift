import RecordSpec

/// The file that a text in a test stands for.
func file(_ text: String, path: String = "a.yaml") -> SourceFile {
  SourceFile(path: path, bytes: Array(text.utf8))
}

extension YAMLNode {
  /// The tree on one line: plain values as they are, quoted and block text in quotes.
  var outline: String {
    switch content {
    case .scalar(let scalar): scalar.style == .plain ? scalar.text : "'\(scalar.text)'"
    case .sequence(let elements): "[\(elements.map(\.outline).joined(separator: ", "))]"
    case .mapping(let pairs):
      "{\(pairs.map { "\($0.key): \($0.value.outline)" }.joined(separator: ", "))}"
    }
  }
}

/// The outline of a text, or the rendered messages if there are any.
func outline(_ text: String) -> String {
  let (root, diagnostics) = YAMLParser.parse(file(text))
  if !diagnostics.isEmpty { return DiagnosticRenderer().text(of: diagnostics) }
  return root?.outline ?? "nothing"
}
