import ScenarioComparison

/// The layout of a connected part of a graph, with its own origin.
struct LayeredPart {
  typealias Point = LayeredLayout.Point

  /// The frame of each node, with the node's index.
  private(set) var frames: [(Int, LayeredLayout.Frame)] = []
  /// The route of each edge, with the edge's index.
  private(set) var routes: [(Int, LayeredLayout.Route)] = []
  private(set) var size = LayeredLayout.Size(width: 0, height: 0)
  var nodeCount: Int { frames.count }

  /// The least and the greatest width in which edges curve from one layer to the next.
  private static let (leastCurveWidth, greatestCurveWidth) = (56.0, 220.0)
  /// The space before and after the text of an edge.
  private static let textMargin = 14.0
  /// The distance of the ends of edges at the left side of a node, where their texts are.
  private static let textHeight = 17.0
  /// The distance of the ends of edges at the right side of a node.
  private static let lineHeight = 7.0
  /// The height and the distance of an edge that passes a layer.
  private static let (passHeight, passGap) = (6.0, 12.0)

  /// Creates a layout.
  ///
  /// - Parameters:
  ///   - nodes: the nodes with their indices in the whole graph.
  ///   - edges: the edges with their indices. Their ends are indices in the whole graph.
  init(nodes: [(index: Int, size: LayeredLayout.Size)], edges: [(index: Int, edge: LayeredLayout.Edge)]) {
    var local: [Int: Int] = [:]
    for (number, node) in nodes.enumerated() { local[node.index] = number }
    let assignment = LayerAssignment(
      count: nodes.count,
      edges: edges.map { (local[$0.edge.start] ?? 0, local[$0.edge.end] ?? 0) })
    let grid = Grid(assignment)
    let order = LayerOrder(layers: grid.layers, links: grid.links)

    // Nodes are at least as high as the ends of their edges.
    var ends = (left: Array(repeating: 0, count: nodes.count), right: Array(repeating: 0, count: nodes.count))
    for edge in assignment.edges {
      ends.right[edge.start] += 1
      ends.left[edge.end] += 1
    }
    var heights = Array(repeating: Self.passHeight, count: grid.count)
    var gaps = Array(repeating: Self.passGap, count: grid.count)
    for (number, node) in nodes.enumerated() {
      heights[number] = max(
        node.size.height, Double(ends.left[number] + 1) * Self.textHeight,
        Double(ends.right[number] + 1) * Self.lineHeight)
      gaps[number] = LayeredLayout.nodeGap
    }
    let alignment = LayerAlignment(layers: order.layers, heights: heights, gaps: gaps, links: grid.links)

    var columns: [(x: Double, width: Double)] = []
    var textWidths = Array(repeating: 0.0, count: grid.layers.count)
    for (edge, ends) in zip(edges, assignment.edges) {
      let layer = assignment.layers[ends.end]
      textWidths[layer] = max(textWidths[layer], edge.edge.textWidth)
    }
    // Steep edges get more room.
    var curveWidths = Array(repeating: Self.leastCurveWidth, count: grid.layers.count)
    for link in grid.links {
      let rise = abs(alignment.centers[link.left] - alignment.centers[link.right])
      let layer = grid.layerOfCell[link.right]
      curveWidths[layer] = min(Self.greatestCurveWidth, max(curveWidths[layer], rise / 6))
    }
    var x = 0.0
    for (layer, cells) in grid.layers.enumerated() {
      if layer > 0 { x += curveWidths[layer].rounded() + textWidths[layer] + 2 * Self.textMargin }
      let width = cells.reduce(0) { $1 < nodes.count ? max($0, nodes[$1].size.width) : $0 }
      columns.append((x, width))
      x += width
    }
    for (number, node) in nodes.enumerated() {
      let column = columns[assignment.layers[number]]
      let top = alignment.centers[number] - heights[number] / 2
      frames.append(
        (node.index, .init(x: column.x, y: top.rounded(), width: column.width, height: heights[number])))
      size.height = max(size.height, top.rounded() + heights[number])
    }
    for cell in alignment.centers.indices {
      size.height = max(size.height, (alignment.centers[cell] + heights[cell] / 2).rounded(.up))
    }
    size.width = x

    let ports = Ports(frames: frames.map(\.1), grid, assignment, centers: alignment.centers)
    for (number, edge) in edges.enumerated() {
      let chain = grid.chains[number]
      let ends = assignment.edges[number]
      let right = columns[assignment.layers[ends.end]]
      var points = [
        Point(
          x: columns[assignment.layers[ends.start]].x + columns[assignment.layers[ends.start]].width,
          y: ports.right[number])
      ]
      for (offset, cell) in chain.enumerated() {
        let column = columns[assignment.layers[ends.start] + offset + 1]
        let y = alignment.centers[cell].rounded()
        points.append(
          Point(
            x: column.x - textWidths[assignment.layers[ends.start] + offset + 1] - 2 * Self.textMargin, y: y))
        points.append(Point(x: column.x + column.width, y: y))
      }
      let textStart = right.x - textWidths[assignment.layers[ends.end]] - 2 * Self.textMargin
      points.append(Point(x: textStart, y: ports.left[number]))
      points.append(Point(x: right.x, y: ports.left[number]))
      Self.straighten(&points)
      routes.append(
        (
          edge.index,
          .init(
            points: points, isReversed: assignment.isReversed[number],
            text: Point(x: textStart + Self.textMargin / 2, y: ports.left[number] - 4))
        ))
    }
  }
}

extension LayeredPart {
  /// Removes small bends, from right to left. A pair of points is a straight line, except the first point.
  private static func straighten(_ points: inout [Point]) {
    var index = points.count - 2
    while index > 0 {
      let y = points[index].y
      if abs(points[index - 1].y - y) <= 4 {
        points[index - 1].y = y
        if index > 1 { points[index - 2].y = y }
      }
      index -= 2
    }
  }
}

/// The cells of a layered graph: its nodes, then the points where edges pass layers.
private struct Grid {
  /// The cells of each layer.
  private(set) var layers: [[Int]]
  /// The pairs of connected cells in adjacent layers.
  private(set) var links: [(left: Int, right: Int)] = []
  /// The cells that each edge passes, from left to right.
  private(set) var chains: [[Int]] = []
  private(set) var layerOfCell: [Int]
  var count: Int { layerOfCell.count }

  init(_ assignment: LayerAssignment) {
    layerOfCell = assignment.layers
    layers = Array(repeating: [], count: (assignment.layers.max() ?? 0) + 1)
    for (node, layer) in assignment.layers.enumerated() { layers[layer].append(node) }
    for edge in assignment.edges {
      var chain: [Int] = []
      var last = edge.start
      for layer in (assignment.layers[edge.start] + 1)..<assignment.layers[edge.end] {
        links.append((last, count))
        last = count
        layers[layer].append(last)
        chain.append(last)
        layerOfCell.append(layer)
      }
      links.append((last, edge.end))
      chains.append(chain)
    }
  }
}

/// The heights at which edges leave and reach nodes, in the order of their neighbors, so that they do not cross there.
private struct Ports {
  /// The height of each edge at the right side of its left node.
  private(set) var right: [Double]
  /// The height of each edge at the left side of its right node.
  private(set) var left: [Double]

  init(
    frames: [LayeredLayout.Frame], _ grid: Grid, _ assignment: LayerAssignment, centers: [Double]
  ) {
    right = Array(repeating: 0, count: assignment.edges.count)
    left = right
    var leaving = Array(repeating: [(Double, Int)](), count: frames.count)
    var reaching = leaving
    for (number, edge) in assignment.edges.enumerated() {
      leaving[edge.start].append((centers[grid.chains[number].first ?? edge.end], number))
      reaching[edge.end].append((centers[grid.chains[number].last ?? edge.start], number))
    }
    for (node, frame) in frames.enumerated() {
      for (position, edge) in leaving[node].sorted(by: <).enumerated() {
        right[edge.1] = Self.height(position, of: leaving[node].count, in: frame)
      }
      for (position, edge) in reaching[node].sorted(by: <).enumerated() {
        left[edge.1] = Self.height(position, of: reaching[node].count, in: frame)
      }
    }
  }

  private static func height(_ position: Int, of count: Int, in frame: LayeredLayout.Frame) -> Double {
    (frame.y + frame.height * Double(position + 1) / Double(count + 1)).rounded()
  }
}
