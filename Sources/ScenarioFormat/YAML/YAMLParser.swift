/// A parser that reads one YAML file into a tree of nodes.
///
/// It supports the core schema of YAML 1.2, with one document per file and with unique string keys. Aliases are
/// resolved and merge keys (`<<`) are expanded, so the tree contains neither.
package enum YAMLParser {
  /// The maximum number of nodes that all aliases of a file together may stand for, so that a few lines cannot become
  /// millions of nodes.
  package static let maximumAliasedNodes = 100_000
  /// The maximum nesting of lists and mappings.
  package static let maximumDepth = 128

  /// Parses a file. Linear in the number of bytes.
  ///
  /// - Parameter ignoresTags: a Boolean value that indicates whether the tags of other programs are ignored. A `!!binary`
  ///   text is then decoded if it is UTF-8.
  /// - Returns: the root, or nil with at least one error. Duplicate keys are errors too, but the root is returned and
  ///   has the first value of each key.
  package static func parse(
    _ file: SourceFile, ignoringTags ignoresTags: Bool = false
  ) -> (root: YAMLNode?, diagnostics: [AuthorDiagnostic]) {
    var builder = YAMLTreeBuilder(file: file, ignoringTags: ignoresTags)
    do throws(AuthorDiagnostic) {
      let events = try YAMLEvents(of: file)
      while try builder.take(events.next()) {}
      return (builder.root, builder.diagnostics)
    } catch {
      return (nil, builder.diagnostics + [error])
    }
  }
}
