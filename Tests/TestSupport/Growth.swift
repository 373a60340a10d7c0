/// Measures how work grows with its size, whatever machine it runs on.
package enum Growth {
  /// The factor that linear work never comes near for ten times the size, and quadratic work exceeds by far.
  package static let bound = 40.0

  /// Returns how many times longer work takes for ten times the size: the least of several attempts, as other work on the
  /// machine only adds to it.
  ///
  /// - Parameters:
  ///   - size: the smaller size.
  ///   - prepare: makes what is needed; it is not measured.
  ///   - work: the work on it.
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
