import ScenarioComparison
import ScenarioFormat

/// A drawing in the language of Graphviz.
struct DOTText {
  let drawing: GraphDrawing

  var text: String {
    var lines = [
      "digraph {",
      "  rankdir=LR",
      "  label=\(Self.quoted([drawing.title] + drawing.captions))",
      "  labelloc=t",
      "  labeljust=l",
      "  node [shape=box, fontname=monospace]",
      "  edge [fontname=monospace]",
    ]
    for (index, node) in drawing.nodes.enumerated() {
      var attributes = ["label=\(Self.quoted([node.change.sign + node.title] + node.lines))"]
      attributes += Self.style(of: node.change)
      lines.append("  n\(index) [\(attributes.joined(separator: ", "))]")
    }
    for edge in drawing.edges {
      var attributes = ["label=\(Self.quoted([edge.change.sign + edge.text], end: ""))"]
      if edge.isTwoWay { attributes.append("dir=both") }
      attributes += Self.style(of: edge.change)
      lines.append("  n\(edge.start) -> n\(edge.end) [\(attributes.joined(separator: ", "))]")
    }
    return (lines + ["}"]).map { $0 + "\n" }.joined()
  }

  private static func style(of change: GraphDrawing.Change) -> [String] {
    switch change {
    case .none: []
    case .inserted: ["color=\"#1a7f37\"", "penwidth=2"]
    case .updated: ["color=\"#9a6700\"", "penwidth=2"]
    case .deleted: ["color=\"#cf222e\"", "style=dashed"]
    }
  }

  /// Returns lines as a label. Graphviz reads backslashes as escapes and `&` as the start of an entity.
  private static func quoted(_ lines: [String], end: String = "\\l") -> String {
    let escaped = lines.map { line in
      var text = ""
      for character in DisplayText.oneLine(line).unicodeScalars {
        switch character {
        case "\\": text += "\\\\"
        case "\"": text += "\\\""
        case "&": text += "&amp;"
        default: text.unicodeScalars.append(character)
        }
      }
      return text + end
    }
    return "\"\(escaped.joined())\""
  }
}
