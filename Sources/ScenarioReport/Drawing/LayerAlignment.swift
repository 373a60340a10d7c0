/// The vertical positions of the cells of ordered layers. Each cell is as near as possible to its neighbors, without
/// overlapping the cells of its layer.
struct LayerAlignment {
  /// The center of each cell.
  private(set) var centers: [Double]
  private let layers: [[Int]]
  private let heights: [Double]
  private let gaps: [Double]

  /// The greatest number of passes, and the number of links that all passes together may consider.
  private static let (maximumPasses, effort) = (10, 400_000)

  /// Creates an alignment.
  ///
  /// - Parameters:
  ///   - heights: the height of each cell.
  ///   - gaps: the least distance of each cell from the next cells. The larger one of two applies.
  ///   - links: the pairs of cells in adjacent layers, the left one first.
  init(layers: [[Int]], heights: [Double], gaps: [Double], links: [(left: Int, right: Int)]) {
    self.layers = layers
    self.heights = heights
    self.gaps = gaps
    centers = Array(repeating: 0, count: heights.count)
    var before = Array(repeating: [Int](), count: heights.count)
    var after = before
    for link in links {
      after[link.left].append(link.right)
      before[link.right].append(link.left)
    }
    for layer in layers { align(layer, to: layer.map { _ in 0 }) }
    let passes = min(Self.maximumPasses, max(2, Self.effort / max(1, links.count)))
    for pass in 0..<passes {
      let isForward = pass.isMultiple(of: 2)
      // The last passes consider both sides.
      let isLast = pass >= passes - 2
      for layer in isForward ? layers : layers.reversed() {
        align(
          layer,
          to: layer.map { cell in
            let near = isForward ? before[cell] : after[cell]
            let neighbors = isLast || near.isEmpty ? before[cell] + after[cell] : near
            guard !neighbors.isEmpty else { return centers[cell] }
            return neighbors.reduce(0) { $0 + centers[$1] } / Double(neighbors.count)
          })
      }
    }
    let top = centers.indices.reduce(Double.infinity) { min($0, centers[$1] - heights[$1] / 2) }
    for cell in centers.indices { centers[cell] -= top }
  }

  /// Moves the cells of a layer as near as possible to their wanted centers: the sum of the squared distances is minimal
  /// (isotonic regression by pooling adjacent violators).
  private mutating func align(_ layer: [Int], to wanted: [Double]) {
    // The offset of each cell if all cells touched.
    var offsets: [Double] = []
    for (index, cell) in layer.enumerated() {
      guard index > 0 else {
        offsets.append(0)
        continue
      }
      let last = layer[index - 1]
      offsets.append(
        offsets[index - 1] + (heights[last] + heights[cell]) / 2 + max(gaps[last], gaps[cell]))
    }
    var blocks: [(sum: Double, count: Int)] = []
    for (index, center) in wanted.enumerated() {
      blocks.append((center - offsets[index], 1))
      while blocks.count > 1, let last = blocks.last {
        let other = blocks[blocks.count - 2]
        guard last.sum / Double(last.count) < other.sum / Double(other.count) else { break }
        blocks.removeLast(2)
        blocks.append((last.sum + other.sum, last.count + other.count))
      }
    }
    var index = 0
    for block in blocks {
      for _ in 0..<block.count {
        centers[layer[index]] = block.sum / Double(block.count) + offsets[index]
        index += 1
      }
    }
  }
}
