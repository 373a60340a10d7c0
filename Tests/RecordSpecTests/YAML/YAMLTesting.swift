import RecordSpec

/// Returns a source file with this text.
func file(_ text: String, path: String = "a.yaml") -> SourceFile {
  SourceFile(path: path, bytes: Array(text.utf8))
}

extension YAMLNode {
  /// The tree on one line. Plain values are unquoted; quoted values and block values are quoted.
  var outline: String {
    switch content {
    case .scalar(let scalar): scalar.style == .plain ? scalar.text : "'\(scalar.text)'"
    case .sequence(let elements): "[\(elements.map(\.outline).joined(separator: ", "))]"
    case .mapping(let pairs):
      "{\(pairs.map { "\($0.key): \($0.value.outline)" }.joined(separator: ", "))}"
    }
  }
}

/// Returns the outline of a text, or the rendered messages if the text is invalid.
func outline(_ text: String) -> String {
  let (root, diagnostics) = YAMLParser.parse(file(text))
  if !diagnostics.isEmpty { return DiagnosticRenderer().text(of: diagnostics) }
  return root?.outline ?? "nothing"
}
