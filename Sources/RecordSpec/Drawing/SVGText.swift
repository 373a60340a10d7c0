/// A drawing as an SVG file. It is self-contained and readable on light and dark backgrounds. Changes differ by signs and
/// lines, not only by color.
struct SVGText {
  private let drawing: GraphDrawing
  /// The texts of each node: the title, the lines, and its relationships with itself.
  private let texts: [[String]]
  /// The edges between different nodes.
  private let edges: [GraphDrawing.Edge]
  private let layout: LayeredLayout

  /// The width of a column of text. Fonts with fixed widths have characters of about 0.6 em.
  private static let columnWidth = 7.3
  private static let fontSize = 12
  private static let lineHeight = 17.0
  private static let padding = 10.0
  private static let margin = 24.0
  /// The number of columns of a title and of the text of an edge. Longer texts are clipped.
  private static let maximumTitle = 36
  private static let maximumEdgeText = 30

  init(_ drawing: GraphDrawing) {
    self.drawing = drawing
    var texts = drawing.nodes.map { node in
      [Self.clipped(node.change.sign + node.title, to: Self.maximumTitle)] + node.lines
    }
    // A relationship of a node with itself is a line of the node.
    for edge in drawing.edges where edge.start == edge.end {
      texts[edge.start].append(Self.clipped("↻ \(edge.change.sign)\(edge.text)", to: Self.maximumTitle))
    }
    var edges = drawing.edges.filter { $0.start != $0.end }
    for index in edges.indices {
      edges[index].text = Self.clipped(edges[index].change.sign + edges[index].text, to: Self.maximumEdgeText)
    }
    self.texts = texts
    self.edges = edges
    layout = LayeredLayout(
      nodes: texts.map(Self.size),
      edges: edges.map { .init(start: $0.start, end: $0.end, textWidth: Self.width(of: $0.text)) })
  }

  private static func clipped(_ text: String, to columns: Int) -> String {
    DisplayText(text).clipped(to: columns).text
  }

  private static func width(of text: String) -> Double {
    (Double(DisplayText(text).width) * columnWidth).rounded(.up)
  }

  private static func size(of texts: [String]) -> LayeredLayout.Size {
    LayeredLayout.Size(
      width: texts.reduce(60) { max($0, width(of: $1)) } + 2 * padding,
      height: Double(texts.count) * lineHeight + padding)
  }
}

// Writing
extension SVGText {
  var text: String {
    let captions = drawing.captions.map(DisplayText.oneLine)
    let top = Self.margin + Double(captions.count + 1) * Self.lineHeight + 12
    let widest = ([drawing.title] + captions).reduce(layout.size.width) { max($0, Self.width(of: $1)) }
    let (width, height) = (widest + 2 * Self.margin, top + layout.size.height + Self.margin)
    var lines = [
      #"<svg xmlns="http://www.w3.org/2000/svg" width="\#(Self.number(width))" height="\#(Self.number(height))" "#
        + #"viewBox="0 0 \#(Self.number(width)) \#(Self.number(height))" role="img">"#,
      "<title>\(Self.escaped(drawing.title)), \(Self.escaped(captions.joined(separator: "; ")))</title>",
      Self.style,
      #"<rect class="paper" width="100%" height="100%"/>"#,
      Self.text(drawing.title, "title", x: Self.margin, y: Self.margin + 12),
    ]
    for (index, caption) in captions.enumerated() {
      lines.append(
        Self.text(
          caption, "quiet", x: Self.margin, y: Self.margin + 12 + Double(index + 1) * Self.lineHeight))
    }
    lines.append(#"<g transform="translate(\#(Self.number(Self.margin)) \#(Self.number(top)))">"#)
    lines += zip(edges, layout.routes).map(line)
    for (node, frame) in layout.frames.enumerated() { lines += box(node, frame) }
    // Texts are above all lines.
    lines += zip(edges, layout.routes).map { edge, route in
      Self.text(edge.text, "edge \(edge.change)", x: route.text.x, y: route.text.y)
    }
    return (lines + ["</g>", "</svg>"]).map { $0 + "\n" }.joined()
  }

  private func line(_ edge: GraphDrawing.Edge, _ route: LayeredLayout.Route) -> String {
    guard let first = route.points.first, let last = route.points.last else { return "" }
    var path = "M\(Self.point(first))"
    for (from, to) in zip(route.points, route.points.dropFirst()) {
      if from.y == to.y {
        path += "H\(Self.number(to.x))"
      } else {
        let middle = Self.number((from.x + to.x) / 2)
        path += "C\(middle) \(Self.number(from.y)) \(middle) \(Self.number(to.y)) \(Self.point(to))"
      }
    }
    let isAtLeft = edge.isTwoWay || route.isReversed
    let isAtRight = edge.isTwoWay || !route.isReversed
    var text = #"<path class="line \#(edge.change)" d="\#(path)"/>"#
    if isAtRight { text += #"<path class="head \#(edge.change)" d="M\#(Self.point(last))l-8 -4v8z"/>"# }
    if isAtLeft { text += #"<path class="head \#(edge.change)" d="M\#(Self.point(first))l8 -4v8z"/>"# }
    return text
  }

  private func box(_ node: Int, _ frame: LayeredLayout.Frame) -> [String] {
    let change = drawing.nodes[node].change
    var lines = [
      #"<rect class="box \#(change)" x="\#(Self.number(frame.x))" y="\#(Self.number(frame.y))" "#
        + #"width="\#(Self.number(frame.width))" height="\#(Self.number(frame.height))" rx="5"/>"#
    ]
    let height = Double(texts[node].count) * Self.lineHeight
    let top = frame.y + (frame.height - height) / 2 - 4
    for (index, text) in texts[node].enumerated() {
      let isChanged = index > 0 && text.hasPrefix(GraphDrawing.Change.updated.sign)
      lines.append(
        Self.text(
          text, index == 0 ? "name \(change)" : isChanged ? "" : "quiet", x: frame.x + Self.padding,
          y: top + Double(index + 1) * Self.lineHeight))
    }
    return lines
  }

  private static func text(_ text: String, _ style: String, x: Double, y: Double) -> String {
    let attribute = style.isEmpty ? "" : #" class="\#(style)""#
    return #"<text\#(attribute) x="\#(number(x))" y="\#(number(y))">\#(escaped(text))</text>"#
  }

  private static func point(_ point: LayeredLayout.Point) -> String {
    "\(number(point.x)) \(number(point.y))"
  }

  /// Returns a number with at most one decimal.
  private static func number(_ value: Double) -> String {
    let tenths = Int((value * 10).rounded())
    return tenths.isMultiple(of: 10) ? String(tenths / 10) : String(Double(tenths) / 10)
  }

  /// Escapes the characters with a meaning in XML. Characters that XML forbids become U+FFFD.
  private static func escaped(_ text: String) -> String {
    var escaped = ""
    for scalar in DisplayText.oneLine(text).unicodeScalars {
      switch scalar {
      case "&": escaped += "&amp;"
      case "<": escaped += "&lt;"
      case ">": escaped += "&gt;"
      case "\u{FFFE}", "\u{FFFF}": escaped += "\u{FFFD}"
      default: escaped.unicodeScalars.append(scalar)
      }
    }
    return escaped
  }

  private static let style = """
    <style>
    text { font: \(fontSize)px ui-monospace, SFMono-Regular, Menlo, "DejaVu Sans Mono", monospace; fill: #1f2328; white-space: pre }
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
