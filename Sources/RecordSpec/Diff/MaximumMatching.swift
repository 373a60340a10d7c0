/// Gives as many left elements as possible a right element of their own.
///
/// Taking the first free candidate for each in turn can fail although a solution exists; here an element that finds
/// none free makes others move on. Earlier left elements never lose their place to later ones.
///
/// - Parameter candidates: the right elements that may go with a left one.
/// - Returns: for each left element its right one, or nil.
/// - Complexity: left elements times candidates of all of them, at worst; linear where few compete.
func maximumMatching(_ candidates: [[Int]]) -> [Int?] {
  var right = [Int?](repeating: nil, count: candidates.count)
  var left: [Int: Int] = [:]
  for start in candidates.indices {
    // Breadth first, since a search that calls itself could run out of stack.
    var queue = [start]
    var next = 0
    var reachedFrom: [Int: Int] = [:]
    var free: Int?
    search: while next < queue.count {
      let current = queue[next]
      next += 1
      for candidate in candidates[current] where reachedFrom[candidate] == nil {
        reachedFrom[candidate] = current
        guard let owner = left[candidate] else {
          free = candidate
          break search
        }
        queue.append(owner)
      }
    }
    while let candidate = free, let taker = reachedFrom[candidate] {
      free = right[taker]
      right[taker] = candidate
      left[candidate] = taker
    }
  }
  return right
}
