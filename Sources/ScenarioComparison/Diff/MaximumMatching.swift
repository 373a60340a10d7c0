/// Assigns different right elements to as many left elements as possible.
///
/// Assigning the first free candidate to each left element can fail although a solution exists. Here, an element
/// without a free candidate makes others move to other candidates. An assigned left element stays assigned when later
/// ones are added.
///
/// - Parameter candidates: the right elements that may be assigned to each left element.
/// - Returns: the right element of each left element, or nil.
/// - Complexity: in the worst case, the number of left elements times the number of all candidates; linear if few
///   elements compete.
func maximumMatching(_ candidates: [[Int]]) -> [Int?] {
  var right = [Int?](repeating: nil, count: candidates.count)
  var left: [Int: Int] = [:]
  for start in candidates.indices {
    // Breadth-first, because a recursive search could overflow the stack.
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
