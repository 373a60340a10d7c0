import ScenarioComparison
import ScenarioFormat

/// The positions of the nodes and edges of a drawing, with the texts that fit into them.
struct DrawingLayout {
  struct Node {
    /// The title, the lines, and the relationships of the node with itself.
    var texts: [String]
    var frame: LayeredLayout.Frame
    var change: GraphDrawing.Change
  }

  /// An edge between two different nodes.
  struct Edge {
    /// The line as the data of an SVG path.
    var line: String
    /// The heads of the arrow, which are filled, as the data of SVG paths.
    var heads: [String]
    var text: String
    /// The left end of the baseline of the text.
    var textPosition: LayeredLayout.Point
    var change: GraphDrawing.Change
  }

  let nodes: [Node]
  let edges: [Edge]
  let size: LayeredLayout.Size

  /// The width of a column of text. Fonts with fixed widths have characters of about 0.6 em.
  static let columnWidth = 7.3
  static let fontSize = 12
  static let lineHeight = 17.0
  static let padding = 10.0
  /// The distance between the baseline of a line and its bottom.
  static let descent = 4.0
  /// The number of columns of a title and of the text of an edge. Longer texts are clipped.
  private static let maximumTitle = 36
  private static let maximumEdgeText = 30

  init(_ drawing: GraphDrawing) {
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
    let layout = LayeredLayout(
      nodes: texts.map(Self.size),
      edges: edges.map { .init(start: $0.start, end: $0.end, textWidth: Self.width(of: $0.text)) })
    size = layout.size
    nodes = zip(drawing.nodes, zip(texts, layout.frames)).map { node, placed in
      Node(texts: placed.0, frame: placed.1, change: node.change)
    }
    self.edges = zip(edges, layout.routes).map { edge, route in
      Edge(
        line: Self.line(route), heads: Self.heads(of: edge, route), text: edge.text, textPosition: route.text,
        change: edge.change)
    }
  }

  private static func clipped(_ text: String, to columns: Int) -> String {
    DisplayText(text).clipped(to: columns).text
  }

  static func width(of text: String) -> Double {
    (Double(DisplayText(text).width) * columnWidth).rounded(.up)
  }

  private static func size(of texts: [String]) -> LayeredLayout.Size {
    LayeredLayout.Size(
      width: texts.reduce(60) { max($0, width(of: $1)) } + 2 * padding,
      height: Double(texts.count) * lineHeight + padding)
  }
}

// Paths
extension DrawingLayout {
  private static func line(_ route: LayeredLayout.Route) -> String {
    guard let first = route.points.first else { return "" }
    var path = "M\(point(first))"
    for (from, to) in zip(route.points, route.points.dropFirst()) {
      if from.y == to.y {
        path += "H\(number(to.x))"
      } else {
        let middle = number((from.x + to.x) / 2)
        path += "C\(middle) \(number(from.y)) \(middle) \(number(to.y)) \(point(to))"
      }
    }
    return path
  }

  private static func heads(of edge: GraphDrawing.Edge, _ route: LayeredLayout.Route) -> [String] {
    guard let first = route.points.first, let last = route.points.last else { return [] }
    let right = edge.isTwoWay || !route.isReversed ? ["M\(point(last))l-8 -4v8z"] : []
    let left = edge.isTwoWay || route.isReversed ? ["M\(point(first))l8 -4v8z"] : []
    return right + left
  }

  private static func point(_ point: LayeredLayout.Point) -> String {
    "\(number(point.x)) \(number(point.y))"
  }

  /// Returns a number with at most one decimal.
  static func number(_ value: Double) -> String {
    let tenths = Int((value * 10).rounded())
    return tenths.isMultiple(of: 10) ? String(tenths / 10) : String(Double(tenths) / 10)
  }
}
