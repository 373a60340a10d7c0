/// A source with planted mutants, and the positions of the mutants in its text.
struct PlantedFile {
  /// The source for the compiler. Its lines are those of the original.
  private(set) var text = ""
  /// The range of each planted mutant in the text, in bytes, by number.
  private(set) var ranges: [Int: Range<Int>] = [:]

  /// Inserted text at one position.
  private struct Piece {
    var position: Int
    /// A Boolean value that indicates whether this closes a range. Closing text comes before opening text at the same
    /// position.
    var closes: Bool
    var range: Range<Int>
    var order: Int
    var text: String
    var number: Int
  }

  /// Creates a file.
  ///
  /// - Parameter plants: the mutants with their numbers.
  init(source: String, plants: [(number: Int, plant: Plant)]) {
    var pieces: [Piece] = []
    var replaced: [Int: Int] = [:]
    for (order, (number, plant)) in plants.enumerated() {
      for insertion in plant.insertions {
        let range = insertion.start..<insertion.end
        let name = String(number)
        if insertion.replaces { replaced[insertion.start] = insertion.end }
        if !insertion.prefix.isEmpty {
          pieces.append(
            Piece(
              position: insertion.start, closes: false, range: range, order: order,
              text: insertion.prefix.replacing("#", with: name), number: number))
        }
        if !insertion.suffix.isEmpty {
          pieces.append(
            Piece(
              position: insertion.end, closes: true, range: range, order: order,
              text: insertion.suffix.replacing("#", with: name), number: number))
        }
      }
    }
    pieces.sort(by: Self.precedes)

    let bytes = Array(source.utf8)
    var result: [UInt8] = []
    var position = 0
    func copy(until end: Int) {
      if end > position {
        result += bytes[position..<end]
        position = end
      }
    }
    for piece in pieces {
      copy(until: piece.position)
      let start = result.count
      result += Array(piece.text.utf8)
      let before = ranges[piece.number]
      ranges[piece.number] = (before?.lowerBound ?? start)..<result.count
      if let end = replaced[piece.position], !piece.closes, piece.range == piece.position..<end {
        position = end
      }
    }
    copy(until: bytes.count)
    text = String(decoding: result, as: UTF8.self)
  }

  /// Returns the order of insertions, which nests them like brackets: inner ranges close first, and outer ranges open
  /// first.
  private static func precedes(_ left: Piece, _ right: Piece) -> Bool {
    if left.position != right.position { return left.position < right.position }
    if left.closes != right.closes { return left.closes }
    if left.closes {
      // Of two ranges that end at the same position, the inner one begins later.
      return (right.range.lowerBound, right.order) < (left.range.lowerBound, left.order)
    }
    return (right.range.upperBound, left.order) < (left.range.upperBound, right.order)
  }

  /// Returns the number of the mutant at a position of the text: the innermost mutant around it, or else the nearest on
  /// its line or on the line before.
  func mutant(atLine line: Int, column: Int) -> Int? {
    let bytes = Array(text.utf8)
    var starts = [0]
    for (index, byte) in bytes.enumerated() where byte == UInt8(ascii: "\n") { starts.append(index + 1) }
    guard starts.indices.contains(line - 1) else { return nil }
    let position = starts[line - 1] + column - 1
    let around = ranges.filter { $0.value.contains(position) }
    if let innermost = around.min(by: { ($0.value.count, $0.key) < ($1.value.count, $1.key) }) {
      return innermost.key
    }
    let end = line < starts.count ? starts[line] : bytes.count
    let near = ranges.filter { $0.value.overlaps(starts[max(0, line - 2)]..<end) }
    return near.min {
      (abs($0.value.lowerBound - position), $0.key) < (abs($1.value.lowerBound - position), $1.key)
    }?.key
  }
}
