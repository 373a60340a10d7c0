/// Reads one YAML file into a tree of nodes.
///
/// YAML 1.2's core schema, one document per file, string keys, each key once. Aliases are resolved and merge keys
/// (`<<`) laid in, so that a reader of the tree meets neither.
package enum YAMLParser {
  /// What all aliases of a file together may stand for, in nodes, so that a few lines never become millions.
  package static let maximumAliasedNodes = 100_000
  /// Lists and mappings within each other.
  package static let maximumDepth = 128

  /// The root, or nil with at least one error. Duplicate keys are errors that leave a root (the first one counts).
  /// Linear in the bytes.
  package static func parse(_ file: SourceFile) -> (root: YAMLNode?, diagnostics: [AuthorDiagnostic]) {
    let text: YAMLText
    switch YAMLText.check(file) {
    case .failure(let refusal): return (nil, [refusal.diagnostic])
    case .success(let checked): text = checked
    }
    guard let events = YAMLEvents(file: file, text: text) else {
      let message = "there is not enough memory to read the file"
      return (nil, [AuthorDiagnostic(.yamlSyntax, at: .file(file.path), message)])
    }
    var builder = YAMLTreeBuilder(file: file)
    do throws(YAMLRefusal) {
      while try builder.take(events.next()) {}
      return (builder.root, builder.diagnostics)
    } catch {
      return (nil, builder.diagnostics + [error.diagnostic])
    }
  }
}
