/// A search for parts of a file that can be removed while a property of the file remains.
///
/// The search goes from the whole to the details: at each level it tries to remove half of the parts, then smaller
/// numbers of them, then single parts. It repeats this until no single part can be removed (*1-minimal*), or until the
/// maximum number of tests is reached. It is deterministic.
struct DeltaDebugging {
  /// The parts that have been removed.
  private(set) var removed: Set<Int> = []
  /// The number of tests that were made.
  private(set) var testCount = 0
  /// A Boolean value that indicates whether the search ended because of the maximum number of tests.
  private(set) var isCutShort = false

  let parts: RemovableParts
  /// The sets of parts that may be removable only together.
  var linked: [[Int]] = []
  let maximumTests: Int

  /// Searches.
  ///
  /// - Parameter hasProperty: a function that returns a Boolean value that indicates whether the file has the property
  ///   without some parts. It is true without any.
  mutating func search(
    isolation: isolated (any Actor)? = #isolation, _ hasProperty: (Set<Int>) async -> Bool
  ) async {
    var isFirst = true
    while true {
      let count = removed.count
      var level = kept(of: parts.topLevel)
      while !level.isEmpty {
        await reduce(level, inChunks: isFirst, hasProperty)
        level = level.filter { !removed.contains($0) }.flatMap { kept(of: parts.children(of: $0)) }
      }
      isFirst = false
      for set in linked where set.allSatisfy(isPresent) {
        _ = await tryRemoving(set, hasProperty)
      }
      if isCutShort || removed.count == count { return }
    }
  }

  private func kept(of parts: [Int]) -> [Int] { parts.filter { !removed.contains($0) } }

  /// Removes parts of one level, from the last to the first, because later steps depend on earlier ones.
  ///
  /// - Parameter inChunks: a Boolean value that indicates whether several parts are removed at once.
  private mutating func reduce(
    _ level: [Int], inChunks: Bool, isolation: isolated (any Actor)? = #isolation,
    _ hasProperty: (Set<Int>) async -> Bool
  ) async {
    var rest = level
    var size = inChunks ? max(1, rest.count / 2) : 1
    while true {
      var end = rest.count
      while end > 0 {
        let chunk = max(0, end - size)..<end
        if await tryRemoving(rest[chunk], hasProperty) { rest.removeSubrange(chunk) }
        if isCutShort { return }
        end = chunk.lowerBound
      }
      if size == 1 { return }
      size = max(1, min(size, rest.count) / 2)
    }
  }

  /// Removes parts if the file still has the property then. Returns a Boolean value that indicates whether it has.
  private mutating func tryRemoving(
    _ parts: some Sequence<Int>, isolation: isolated (any Actor)? = #isolation,
    _ hasProperty: (Set<Int>) async -> Bool
  ) async -> Bool {
    guard testCount < maximumTests else {
      isCutShort = true
      return false
    }
    testCount += 1
    let candidate = removed.union(parts)
    guard await hasProperty(candidate) else { return false }
    removed = candidate
    return true
  }

  /// Returns a Boolean value that indicates whether neither a part nor one that contains it has been removed.
  private func isPresent(_ part: Int) -> Bool {
    var part: Int? = part
    while let current = part {
      if removed.contains(current) { return false }
      part = parts.parts[current].parent
    }
    return true
  }
}
