/// The order of the cells in each layer. A cell is a node, or the point where an edge passes a layer.
struct LayerOrder {
  /// The cells of each layer, in order.
  private(set) var layers: [[Int]]
  /// The cells of the layer before, for each cell.
  private let before: [[Int]]
  /// The cells of the layer after, for each cell.
  private let after: [[Int]]
  /// The position of each cell in its layer.
  private var position: [Int]

  private let passes: Int

  /// The greatest number of passes, and the number of links that all passes together may consider.
  private static let (maximumPasses, effort) = (24, 400_000)

  /// Creates an order with few crossings.
  ///
  /// - Parameters:
  ///   - layers: the cells of each layer.
  ///   - links: the pairs of cells in adjacent layers, the left one first.
  init(layers: [[Int]], links: [(left: Int, right: Int)]) {
    let count = layers.reduce(0) { $0 + $1.count }
    var before = Array(repeating: [Int](), count: count)
    var after = before
    for link in links {
      after[link.left].append(link.right)
      before[link.right].append(link.left)
    }
    self.layers = layers
    self.before = before
    self.after = after
    position = Array(repeating: 0, count: count)
    passes = min(Self.maximumPasses, max(2, Self.effort / max(1, links.count)))
    for index in layers.indices { number(index) }
    reduceCrossings()
  }

  private mutating func number(_ layer: Int) {
    for (position, cell) in layers[layer].enumerated() { self.position[cell] = position }
  }

  /// Sorts the layers in turn by the average position of neighbors, and keeps the best result.
  private mutating func reduceCrossings() {
    var best = layers
    var fewest = crossings
    for pass in 0..<passes where fewest > 0 {
      let isForward = pass.isMultiple(of: 2)
      for layer in isForward ? Array(layers.indices) : layers.indices.reversed() {
        let neighbors = isForward ? before : after
        let averages = layers[layer].map { cell in
          let cells = neighbors[cell]
          return cells.isEmpty
            ? Double(position[cell]) : Double(cells.reduce(0) { $0 + position[$1] }) / Double(cells.count)
        }
        let sorted = layers[layer].indices.sorted { (averages[$0], $0) < (averages[$1], $1) }
        layers[layer] = sorted.map { layers[layer][$0] }
        number(layer)
      }
      let count = crossings
      if count < fewest { (best, fewest) = (layers, count) }
    }
    layers = best
    for index in layers.indices { number(index) }
  }

  /// The number of crossings between adjacent layers.
  var crossings: Int {
    layers.reduce(0) { sum, cells in
      // Counts the pairs of links whose right ends are in the opposite order of their left ends, with a Fenwick tree.
      let ends = cells.flatMap { after[$0].map { position[$0] }.sorted() }
      var tree = Array(repeating: 0, count: (ends.max() ?? 0) + 2)
      var crossings = 0
      for (number, end) in ends.enumerated() {
        var notLarger = 0
        var index = end + 1
        while index > 0 {
          notLarger += tree[index]
          index -= index & -index
        }
        crossings += number - notLarger
        index = end + 1
        while index < tree.count {
          tree[index] += 1
          index += index & -index
        }
      }
      return sum + crossings
    }
  }
}
