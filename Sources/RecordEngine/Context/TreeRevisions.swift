import RecordModel

/// A number for each inheritance tree, which grows each time that the records of the tree may have changed.
struct TreeRevisions: Hashable, Sendable {
  private var numbers: [Int]

  init(_ schema: Schema) { numbers = Array(repeating: 0, count: schema.trees.count) }

  subscript(tree: TreeIndex) -> Int { numbers[for: tree] }

  mutating func advance(_ trees: some Sequence<TreeIndex>) {
    for tree in trees { numbers[for: tree] += 1 }
  }

  /// Returns the trees whose number differs from that in other revisions.
  func difference(from other: TreeRevisions) -> [TreeIndex] {
    numbers.indices.lazy.filter { numbers[$0] != other.numbers[$0] }.map { TreeIndex($0) }
  }

  static func + (left: TreeRevisions, right: TreeRevisions) -> TreeRevisions {
    var sum = left
    for index in sum.numbers.indices { sum.numbers[index] += right.numbers[index] }
    return sum
  }
}
