/// A format of a drawn graph.
package enum PictureFormat: String, Sendable, CaseIterable {
  /// A self-contained picture.
  case svg
  /// The language of Graphviz.
  case dot
  /// The language of Mermaid, which Markdown viewers draw.
  case mermaid

  /// Creates the format that the extension of a file indicates; nil for another extension.
  package init?(file: String) {
    // A file such as `.svg` is hidden and has no extension.
    let parts = FilePath.name(of: file).drop { $0 == "." }.split(separator: ".")
    switch parts.dropFirst().last?.lowercased() {
    case "svg": self = .svg
    case "dot", "gv": self = .dot
    case "mmd", "mermaid": self = .mermaid
    default: return nil
    }
  }

  package func text(of picture: GraphPicture) -> String {
    switch self {
    case .svg: SVGDrawing(picture).text
    case .dot: DOTText(picture: picture).text
    case .mermaid: MermaidText(picture: picture).text
    }
  }
}
