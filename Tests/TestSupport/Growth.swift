/// Measures how the duration of work grows with its size, independently of the machine.
package enum Growth {
  /// A factor for ten times the size. Linear work stays far below it, and quadratic work far exceeds it.
  package static let bound = 40.0

  /// Returns the factor by which the duration of work grows for ten times the size. It is the least of several
  /// attempts, because other load on the machine only increases it.
  ///
  /// - Parameters:
  ///   - size: the smaller size.
  ///   - prepare: a closure that prepares the input of a size, which is not measured.
  ///   - work: the measured work.
  package static func factor<Input>(
    from size: Int, prepare: (Int) throws -> Input, work: (Input) async throws -> Void
  ) async throws -> Double {
    let (small, large) = (try prepare(size), try prepare(10 * size))
    var least = Double.infinity
    for _ in 0..<3 {
      let (first, second) = (
        try await time { try await work(small) }, try await time { try await work(large) }
      )
      least = min(least, second / first)
      if least < bound { break }
    }
    return least
  }

  private static func time(_ body: () async throws -> Void) async throws -> Double {
    let start = ContinuousClock.now
    try await body()
    let duration = (ContinuousClock.now - start).components
    return Double(duration.seconds) + Double(duration.attoseconds) * 1e-18
  }
}
