import ScenarioFormat

/// A format of a drawing.
package enum DrawingFormat: String, Sendable, CaseIterable {
  /// A file without references to other files.
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

  package func text(of drawing: GraphDrawing) -> String {
    switch self {
    case .svg: SVGText(drawing).text
    case .dot: DOTText(drawing: drawing).text
    case .mermaid: MermaidText(drawing: drawing).text
    }
  }
}
