import ScenarioComparison
import ScenarioFormat

/// A drawing as an SVG file. It is self-contained and readable on light and dark backgrounds. Changes differ by signs and
/// lines, not only by color.
struct SVGText {
  private let title: String
  private let captions: [String]
  private let layout: DrawingLayout

  private static let lineHeight = DrawingLayout.lineHeight
  private static let margin = 24.0

  init(_ drawing: GraphDrawing) {
    title = drawing.title
    captions = drawing.captions.map(DisplayText.oneLine)
    layout = DrawingLayout(drawing)
  }
}

// Writing
extension SVGText {
  var text: String {
    let top = Self.margin + Double(captions.count + 1) * Self.lineHeight + 12
    let widest = ([title] + captions).reduce(layout.size.width) { max($0, DrawingLayout.width(of: $1)) }
    let (width, height) = (widest + 2 * Self.margin, top + layout.size.height + Self.margin)
    var lines = [
      #"<svg xmlns="http://www.w3.org/2000/svg" width="\#(Self.number(width))" height="\#(Self.number(height))" "#
        + #"viewBox="0 0 \#(Self.number(width)) \#(Self.number(height))" role="img">"#,
      "<title>\(Self.escaped(title)), \(Self.escaped(captions.joined(separator: "; ")))</title>",
      Self.style,
      #"<rect class="paper" width="100%" height="100%"/>"#,
      Self.text(title, "title", x: Self.margin, y: Self.margin + 12),
    ]
    for (index, caption) in captions.enumerated() {
      lines.append(
        Self.text(
          caption, "quiet", x: Self.margin, y: Self.margin + 12 + Double(index + 1) * Self.lineHeight))
    }
    lines.append(#"<g transform="translate(\#(Self.number(Self.margin)) \#(Self.number(top)))">"#)
    lines += layout.edges.map(line)
    for node in layout.nodes { lines += box(node) }
    // Texts are above all lines.
    lines += layout.edges.map { edge in
      Self.text(edge.text, "edge \(edge.change.rawValue)", x: edge.textPosition.x, y: edge.textPosition.y)
    }
    return (lines + ["</g>", "</svg>"]).map { $0 + "\n" }.joined()
  }

  private func line(_ edge: DrawingLayout.Edge) -> String {
    #"<path class="line \#(edge.change.rawValue)" d="\#(edge.line)"/>"#
      + edge.heads.map { #"<path class="head \#(edge.change.rawValue)" d="\#($0)"/>"# }.joined()
  }

  private func box(_ node: DrawingLayout.Node) -> [String] {
    let frame = node.frame
    var lines = [
      #"<rect class="box \#(node.change.rawValue)" x="\#(Self.number(frame.x))" y="\#(Self.number(frame.y))" "#
        + #"width="\#(Self.number(frame.width))" height="\#(Self.number(frame.height))" rx="5"/>"#
    ]
    let height = Double(node.texts.count) * Self.lineHeight
    let top = frame.y + (frame.height - height) / 2 - DrawingLayout.descent
    for (index, text) in node.texts.enumerated() {
      let isChanged = index > 0 && text.hasPrefix(GraphDrawing.Change.updated.sign)
      lines.append(
        Self.text(
          text, index == 0 ? "name \(node.change.rawValue)" : isChanged ? "" : "quiet",
          x: frame.x + DrawingLayout.padding, y: top + Double(index + 1) * Self.lineHeight))
    }
    return lines
  }

  private static func text(_ text: String, _ style: String, x: Double, y: Double) -> String {
    let attribute = style.isEmpty ? "" : #" class="\#(style)""#
    return #"<text\#(attribute) x="\#(number(x))" y="\#(number(y))">\#(escaped(text))</text>"#
  }

  private static func number(_ value: Double) -> String { DrawingLayout.number(value) }

  private static func escaped(_ text: String) -> String { XMLText.escaped(DisplayText.oneLine(text)) }

  private static let style = """
    <style>
    text { font: \(DrawingLayout.fontSize)px ui-monospace, SFMono-Regular, Menlo, "DejaVu Sans Mono", monospace; fill: #1f2328; white-space: pre }
    .title, .name { font-weight: bold }
    .quiet { fill: #57606a }
    .paper { fill: #ffffff }
    .box { fill: #f6f8fa; stroke: #6e7781 }
    .line { fill: none; stroke: #6e7781 }
    .head { fill: #6e7781 }
    .edge { font-size: 11px; fill: #57606a }
    .box.inserted { fill: #dafbe1; stroke: #1a7f37; stroke-width: 2 }
    .box.updated { fill: #fff8c5; stroke: #9a6700; stroke-width: 2 }
    .box.deleted { fill: #ffebe9; stroke: #cf222e; stroke-width: 2; stroke-dasharray: 6 4 }
    .name.deleted { text-decoration: line-through }
    .line.inserted { stroke: #1a7f37; stroke-width: 2 }
    .line.deleted { stroke: #cf222e; stroke-dasharray: 6 4 }
    .head.inserted, .edge.inserted { fill: #1a7f37 }
    .head.deleted, .edge.deleted { fill: #cf222e }
    @media (prefers-color-scheme: dark) {
    text { fill: #e6edf3 }
    .quiet, .edge { fill: #9da7b3 }
    .paper { fill: #0d1117 }
    .box { fill: #161b22; stroke: #8b949e }
    .line { stroke: #8b949e }
    .head { fill: #8b949e }
    .box.inserted { fill: #12301d; stroke: #3fb950 }
    .box.updated { fill: #2e2610; stroke: #d29922 }
    .box.deleted { fill: #3a1518; stroke: #f85149 }
    .line.inserted { stroke: #3fb950 }
    .line.deleted { stroke: #f85149 }
    .head.inserted, .edge.inserted { fill: #3fb950 }
    .head.deleted, .edge.deleted { fill: #f85149 }
    }
    </style>
    """
}
