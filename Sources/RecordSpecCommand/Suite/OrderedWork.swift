import ScenarioFormat
import ScenarioReport

/// Work on several elements at a time, whose results are passed on in the order of the elements.
struct OrderedWork: Sendable {
  /// The number of elements that are worked on concurrently. If it is less than one, this is one at a time.
  let jobs: Int

  /// Works on all elements.
  ///
  /// - Parameter ended: a function that is called with each result, as soon as the work on all elements before it has
  ///   ended.
  func run<Element: Sendable, Result: Sendable>(
    _ elements: [Element], isolation: isolated (any Actor)? = #isolation,
    _ work: @escaping @Sendable (Element) async -> Result, ended: (Result) -> Void
  ) async {
    await withTaskGroup(of: (Int, Result).self) { group in
      // A closure runs in the isolation of its caller only if it captures it (SE-0420).
      _ = isolation
      var next = 0
      func addTask() {
        guard next < elements.count else { return }
        let (index, element) = (next, elements[next])
        next += 1
        group.addTask { (index, await work(element)) }
      }
      for _ in 0..<min(max(1, jobs), elements.count) { addTask() }

      var waiting: [Int: Result] = [:]
      var told = 0
      while let (index, result) = await group.next() {
        addTask()
        waiting[index] = result
        while let result = waiting.removeValue(forKey: told) {
          ended(result)
          told += 1
        }
      }
    }
  }
}
