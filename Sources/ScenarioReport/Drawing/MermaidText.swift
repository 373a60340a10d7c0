import ScenarioComparison
import ScenarioFormat

/// A drawing in the language of Mermaid.
struct MermaidText {
  let drawing: GraphDrawing

  var text: String {
    var lines = [
      "%% " + ([drawing.title] + drawing.captions).map(DisplayText.oneLine).joined(separator: "; ")
    ]
    lines.append("flowchart LR")
    for (index, node) in drawing.nodes.enumerated() {
      let texts = [node.change.sign + node.title] + node.lines
      lines.append("  n\(index)[\(Self.quoted(texts))]\(Self.style(of: node.change))")
    }
    for edge in drawing.edges {
      let isDashed = edge.change == .deleted
      let arrow =
        switch (edge.isTwoWay, isDashed) {
        case (true, false): "<-->"
        case (true, true): "<-.->"
        case (false, false): "-->"
        case (false, true): "-.->"
        }
      lines.append(
        "  n\(edge.start) \(arrow)|\(Self.quoted([edge.change.sign + edge.text]))| n\(edge.end)")
    }
    let used = Set(drawing.nodes.map(\.change))
    let styles: [(GraphDrawing.Change, String)] = [
      (.inserted, "classDef inserted stroke:#1a7f37,stroke-width:3px"),
      (.updated, "classDef updated stroke:#9a6700,stroke-width:3px"),
      (.deleted, "classDef deleted stroke:#cf222e,stroke-dasharray:5"),
    ]
    lines += styles.filter { used.contains($0.0) }.map { "  " + $0.1 }
    return lines.map { $0 + "\n" }.joined()
  }

  private static func style(of change: GraphDrawing.Change) -> String {
    change == .none ? "" : ":::\(change.rawValue)"
  }

  /// Returns lines as a text in quotes. Characters with a meaning in Mermaid, Markdown or HTML are written as entities.
  private static func quoted(_ lines: [String]) -> String {
    let special = "\"#<>&`\\*_;|%"
    let escaped = lines.map { line in
      var text = ""
      for character in DisplayText.oneLine(line).unicodeScalars {
        if special.unicodeScalars.contains(character) {
          text += "#\(character.value);"
        } else {
          text.unicodeScalars.append(character)
        }
      }
      return text
    }
    return "\"\(escaped.joined(separator: "<br/>"))\""
  }
}
