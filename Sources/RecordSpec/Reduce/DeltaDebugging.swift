/// A search for parts of a file that can be removed while a property of the file remains.
///
/// The search goes from the whole to the details: at each level it tries to remove half of the parts, then smaller
/// numbers of them, then single parts. It repeats this until no single part can be removed (*1-minimal*), or until the
/// maximum number of tests is reached. It is deterministic.
package struct DeltaDebugging {
  /// The parts that have been removed.
  package private(set) var removed: Set<Int> = []
  /// The number of tests that were made.
  package private(set) var testCount = 0
  /// A Boolean value that indicates whether the search ended because of the maximum number of tests.
  package private(set) var isCutShort = false

  private let parts: RemovableParts
  private let maximumTests: Int

  package init(_ parts: RemovableParts, maximumTests: Int) {
    self.parts = parts
    self.maximumTests = maximumTests
  }

  /// Searches.
  ///
  /// - Parameter hasProperty: a function that returns a Boolean value that indicates whether the file has the property
  ///   without some parts. It is true without any.
  package mutating func search(
    isolation: isolated (any Actor)? = #isolation, _ hasProperty: (Set<Int>) async -> Bool
  ) async {
    var isFirst = true
    while true {
      let count = removed.count
      var level = kept(in: parts.rootGroup)
      while !level.isEmpty {
        await reduce(level, inChunks: isFirst, hasProperty)
        level = level.filter { !removed.contains($0) }.flatMap { kept(in: parts.parts[$0].group) }
      }
      isFirst = false
      if isCutShort || removed.count == count { return }
    }
  }

  private func kept(in group: Int?) -> [Int] {
    group.map { parts.groups[$0].parts.filter { !removed.contains($0) } } ?? []
  }

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
        let candidate = removed.union(rest[chunk])
        guard testCount < maximumTests else {
          isCutShort = true
          return
        }
        testCount += 1
        if await hasProperty(candidate) {
          removed = candidate
          rest.removeSubrange(chunk)
        }
        end = chunk.lowerBound
      }
      if size == 1 { return }
      size = max(1, min(size, rest.count) / 2)
    }
  }
}
