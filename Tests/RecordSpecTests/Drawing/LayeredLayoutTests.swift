import TestSupport
import Testing

@testable import ScenarioComparison
@testable import ScenarioReport

/// Tests for the positions of drawn graphs.
struct LayeredLayoutTests {
  private struct Case {
    var nodes: [LayeredLayout.Size] = []
    var edges: [LayeredLayout.Edge] = []

    /// Creates a random graph, with cycles, parallel edges and single nodes.
    init(seed: UInt64) {
      var random = SeededGenerator(seed: seed)
      let count = Int.random(in: 0...60, using: &random)
      for _ in 0..<count {
        nodes.append(
          .init(width: .random(in: 60...280, using: &random), height: .random(in: 27...130, using: &random)))
      }
      guard count > 1 else { return }
      for _ in 0..<Int.random(in: 0...(2 * count), using: &random) {
        let start = Int.random(in: 0..<count, using: &random)
        let end = (start + Int.random(in: 1..<count, using: &random)) % count
        edges.append(.init(start: start, end: end, textWidth: .random(in: 0...200, using: &random)))
      }
    }

    var layout: LayeredLayout { LayeredLayout(nodes: nodes, edges: edges) }
  }

  private static let seeds = sampled(Array(1...300 as ClosedRange<UInt64>), every: 6)

  @Test func nodesHaveTheirSizeAndDoNotOverlap() {
    for seed in Self.seeds {
      let graph = Case(seed: seed)
      let frames = graph.layout.frames
      let size = graph.layout.size
      for (frame, node) in zip(frames, graph.nodes) {
        #expect(frame.width >= node.width && frame.height >= node.height, "\(seed)")
        #expect(frame.x >= 0 && frame.y >= 0, "\(seed)")
        #expect(frame.x + frame.width <= size.width && frame.y + frame.height <= size.height, "\(seed)")
      }
      for left in frames.indices {
        for right in frames.indices where right > left {
          #expect(Self.distance(frames[left], frames[right]) >= 20, "\(seed): \(left), \(right)")
        }
      }
    }
  }

  /// Returns the distance of two frames along the axis on which they are farther apart; negative if they overlap.
  private static func distance(_ left: LayeredLayout.Frame, _ right: LayeredLayout.Frame) -> Double {
    max(
      max(left.x - right.x - right.width, right.x - left.x - left.width),
      max(left.y - right.y - right.height, right.y - left.y - left.height))
  }

  @Test func edgesEndAtTheSidesOfTheirNodes() throws {
    for seed in Self.seeds {
      let graph = Case(seed: seed)
      let layout = graph.layout
      for (edge, route) in zip(graph.edges, layout.routes) {
        let first = try #require(route.points.first)
        let last = try #require(route.points.last)
        let left = layout.frames[route.isReversed ? edge.end : edge.start]
        let right = layout.frames[route.isReversed ? edge.start : edge.end]
        #expect(first.x == left.x + left.width && last.x == right.x, "\(seed)")
        #expect(first.y > left.y && first.y < left.y + left.height, "\(seed)")
        #expect(last.y > right.y && last.y < right.y + right.height, "\(seed)")
        // The line leads to the right all the way.
        #expect(route.points.map(\.x) == route.points.map(\.x).sorted(), "\(seed)")
      }
    }
  }

  /// Straight parts of lines never cross nodes. Curves lie between the layers, where there are no nodes.
  @Test func linesDoNotCrossNodes() {
    for seed in Self.seeds {
      let layout = Case(seed: seed).layout
      for route in layout.routes {
        for (from, to) in zip(route.points, route.points.dropFirst()) {
          let (top, bottom) = (min(from.y, to.y), max(from.y, to.y))
          let isCrossing = layout.frames.contains { frame in
            from.x < frame.x + frame.width && frame.x < to.x && top < frame.y + frame.height
              && frame.y < bottom + (top == bottom ? 0.001 : 0)
          }
          #expect(!isCrossing, "\(seed): \(from) to \(to)")
        }
      }
    }
  }

  @Test func textsFitBetweenLayersAndDoNotOverlap() {
    for seed in Self.seeds {
      let graph = Case(seed: seed)
      let layout = graph.layout
      var texts: [LayeredLayout.Frame] = []
      for (edge, route) in zip(graph.edges, layout.routes) {
        let right = layout.frames[route.isReversed ? edge.start : edge.end]
        #expect(route.text.x + edge.textWidth < right.x, "\(seed)")
        texts.append(.init(x: route.text.x, y: route.text.y - 9, width: edge.textWidth, height: 11))
      }
      for left in texts.indices {
        for right in texts.indices where right > left {
          #expect(Self.distance(texts[left], texts[right]) >= 0, "\(seed): \(left), \(right)")
        }
        #expect(layout.frames.allSatisfy { Self.distance($0, texts[left]) >= 0 }, "\(seed): \(left)")
      }
    }
  }

  @Test func equalGraphsHaveEqualLayouts() {
    for seed in Self.seeds { #expect(Case(seed: seed).layout == Case(seed: seed).layout, "\(seed)") }
  }

  @Test func aTreeHasNoCrossings() {
    var random = SeededGenerator(seed: 7)
    for count in 2...60 {
      // Each node has an earlier node as its parent, in random order.
      let names = Array(0..<count).shuffled(using: &random)
      let edges = (1..<count).map { (start: names[Int.random(in: 0..<$0, using: &random)], end: names[$0]) }
      let assignment = LayerAssignment(count: count, edges: edges)
      #expect(!assignment.isReversed.contains(true))
      #expect(assignment.edges.allSatisfy { assignment.layers[$0.start] + 1 == assignment.layers[$0.end] })
      let layers = Dictionary(grouping: 0..<count) { assignment.layers[$0] }
      let order = LayerOrder(
        layers: layers.sorted { $0.key < $1.key }.map(\.value),
        links: edges.map { (left: $0.start, right: $0.end) })
      #expect(order.crossings == 0, "\(count)")
    }
  }

  @Test func crossingsAreCounted() {
    // Two layers, whose only order with fewer crossings than 1 does not exist: a complete graph of 2 by 2 nodes.
    let order = LayerOrder(layers: [[0, 1], [2, 3]], links: [(0, 2), (0, 3), (1, 2), (1, 3)])
    #expect(order.crossings == 1)
    // A complete graph of m by n nodes has m(m−1)/2 · n(n−1)/2 crossings in every order.
    let links = (0..<4).flatMap { left in (4..<9).map { (left: left, right: $0) } }
    #expect(LayerOrder(layers: [Array(0..<4), Array(4..<9)], links: links).crossings == 6 * 10)
  }

  @Test func cyclesAreLaidOutInLayers() {
    let edges = [(start: 0, end: 1), (start: 1, end: 2), (start: 2, end: 0)]
    let assignment = LayerAssignment(count: 3, edges: edges)
    #expect(assignment.isReversed == [false, false, true])
    #expect(assignment.layers == [0, 1, 2])
  }

  /// A model can have many entities that refer to each other.
  @Test(.timeLimit(.minutes(1))) func aDenseGraphIsLaidOut() {
    let nodes = Array(repeating: LayeredLayout.Size(width: 80, height: 40), count: GraphDrawing.limit)
    let edges = nodes.indices.flatMap { start in
      nodes.indices.filter { $0 != start }.map { LayeredLayout.Edge(start: start, end: $0, textWidth: 60) }
    }
    let layout = LayeredLayout(nodes: nodes, edges: edges)
    #expect(Set(layout.frames.map(\.x)).count == nodes.count)
  }
}
