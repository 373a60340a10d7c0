import OrderedCollections

/// A layered layout of a graph from left to right, in the manner of Sugiyama: nodes are assigned to layers, ordered so
/// that few edges cross, and aligned with their neighbors. Equal graphs have equal layouts.
///
/// Every part that edges connect is laid out by itself, and the parts are placed in rows.
struct LayeredLayout: Hashable {
  struct Size: Hashable {
    var width: Double
    var height: Double
  }

  struct Point: Hashable {
    var x: Double
    var y: Double
  }

  struct Frame: Hashable {
    var x: Double
    var y: Double
    var width: Double
    var height: Double
  }

  struct Edge: Hashable {
    var start: Int
    var end: Int
    /// The width of the text beside the edge.
    var textWidth: Double
  }

  /// The line of an edge, from left to right. Points at the same height are connected by a straight line, others by a
  /// curve with horizontal ends.
  struct Route: Hashable {
    var points: [Point]
    /// A Boolean value that indicates whether the line begins at the end of the edge.
    var isReversed: Bool
    /// The left end of the baseline of the text.
    var text: Point
  }

  /// The frame of each node.
  private(set) var frames: [Frame]
  /// The route of each edge.
  private(set) var routes: [Route]
  private(set) var size = Size(width: 0, height: 0)

  /// The least vertical distance of two nodes.
  static let nodeGap = 22.0
  /// The distance of two parts of the graph.
  private static let partGap = 36.0
  /// The width of the rows of parts, unless one part is wider.
  private static let rowWidth = 1200.0

  /// Creates a layout.
  ///
  /// - Parameters:
  ///   - nodes: the least size of each node. Nodes of a layer get the same width. Nodes with many edges get higher.
  ///   - edges: the edges, each between two different nodes.
  /// - Complexity: Each edge takes as much time as it crosses layers, and each layer as it has nodes, times a fixed
  ///   number of passes.
  init(nodes: [Size], edges: [Edge]) {
    frames = Array(repeating: Frame(x: 0, y: 0, width: 0, height: 0), count: nodes.count)
    routes = Array(
      repeating: Route(points: [], isReversed: false, text: Point(x: 0, y: 0)), count: edges.count)
    // Whole numbers have no rounding errors.
    let nodes = nodes.map { Size(width: $0.width.rounded(.up), height: $0.height.rounded(.up)) }
    let edges = edges.map { Edge(start: $0.start, end: $0.end, textWidth: $0.textWidth.rounded(.up)) }
    var parts = Self.parts(count: nodes.count, edges).map { part in
      LayeredPart(
        nodes: part.nodes.map { ($0, nodes[$0]) }, edges: part.edges.map { ($0, edges[$0]) })
    }
    // Large parts come first, and single nodes last.
    let order = parts.indices.sorted { left, right in
      (parts[right].nodeCount, left) < (parts[left].nodeCount, right)
    }
    parts = order.map { parts[$0] }
    place(parts)
  }

  private mutating func place(_ parts: [LayeredPart]) {
    let rowWidth = parts.reduce(Self.rowWidth) { max($0, $1.size.width) }
    var corner = Point(x: 0, y: 0)
    var rowHeight = 0.0
    for part in parts {
      if corner.x > 0, corner.x + part.size.width > rowWidth {
        corner = Point(x: 0, y: corner.y + rowHeight + Self.partGap)
        rowHeight = 0
      }
      for (node, frame) in part.frames { frames[node] = frame.moved(to: corner) }
      for (edge, route) in part.routes { routes[edge] = route.moved(to: corner) }
      rowHeight = max(rowHeight, part.size.height)
      size.width = max(size.width, corner.x + part.size.width)
      size.height = max(size.height, corner.y + rowHeight)
      corner.x += part.size.width + Self.partGap
    }
  }

  /// Returns the nodes and edges of each part that edges connect, in the order of their first nodes.
  private static func parts(count: Int, _ edges: [Edge]) -> [(nodes: [Int], edges: [Int])] {
    var parent = Array(0..<count)
    func root(_ node: Int) -> Int {
      var node = node
      while parent[node] != node {
        parent[node] = parent[parent[node]]
        node = parent[node]
      }
      return node
    }
    for edge in edges {
      let (start, end) = (root(edge.start), root(edge.end))
      parent[max(start, end)] = min(start, end)
    }
    var parts: OrderedDictionary<Int, (nodes: [Int], edges: [Int])> = [:]
    for node in 0..<count { parts[root(node), default: ([], [])].nodes.append(node) }
    for (index, edge) in edges.enumerated() { parts[root(edge.start)]?.edges.append(index) }
    return Array(parts.values)
  }
}

extension LayeredLayout.Frame {
  fileprivate func moved(to corner: LayeredLayout.Point) -> Self {
    Self(x: x + corner.x, y: y + corner.y, width: width, height: height)
  }
}

extension LayeredLayout.Route {
  fileprivate func moved(to corner: LayeredLayout.Point) -> Self {
    func moved(_ point: LayeredLayout.Point) -> LayeredLayout.Point {
      LayeredLayout.Point(x: point.x + corner.x, y: point.y + corner.y)
    }
    return Self(points: points.map(moved), isReversed: isReversed, text: moved(text))
  }
}
