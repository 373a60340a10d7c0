import RecordModel
import Testing

@testable import RecordEngine

/// Random edits, saves, rollbacks, merges and requests over two contexts and their children come to what the plainest
/// graph comes to, and break no invariant on the way. Rules: `save.*`, `context.*`.
@Suite struct ContextLawsTests {
  @Test(arguments: StoreKind.chosen, randomSeeds(16)) func contextsAreWhatTheirChangesSay(
    kind: StoreKind, seed: UInt64
  ) async throws {
    guard try await run(kind, seed, steps: Array(1...60)) != nil else { return }
    let steps = try await shrunk(Array(1...60)) { try await run(kind, seed, steps: $0) != nil }
    let (done, mistakes) = try await run(kind, seed, steps: steps) ?? ([], [])
    Issue.record("\((["\(kind), seed \(seed), steps \(steps)"] + done + mistakes).joined(separator: "\n"))")
  }

  /// Takes some of the steps of a seed; the others are left out.
  ///
  /// - Returns: what was done and what was wrong after the last step; nil if nothing was.
  private func run(
    _ kind: StoreKind, _ seed: UInt64, steps: [Int], isolation: isolated (any Actor)? = #isolation
  ) async throws -> (done: [String], mistakes: [String])? {
    let (server, model) = (NextResponse(), try ObviousGraph.model())
    let store = try TestStore(kind, model.schema)
    defer { withExtendedLifetime(store) {} }
    let container = PersistentContainer(model: model, store: store.store, server: server)
    var world = ContextWorld(container, server)
    var done: [String] = []
    for step in steps {
      // Each step has random numbers of its own, so that it is much the same without those before it.
      done.append(try await world.step(RandomNumbers(seed: seed &* 1_299_709 &+ UInt64(step))))
      let mistakes = try world.mistakes()
      if !mistakes.isEmpty { return (done, mistakes) }
    }
    return nil
  }

  /// The fewest steps that still fail when single ones are left out, the last ones first.
  private func shrunk(
    _ steps: [Int], isolation: isolated (any Actor)? = #isolation, _ fails: ([Int]) async throws -> Bool
  ) async throws -> [Int] {
    var steps = steps
    var isSmaller = shrinksFailures
    while isSmaller {
      isSmaller = false
      for position in steps.indices.reversed() {
        var fewer = steps
        fewer.remove(at: position)
        guard try await fails(fewer) else { continue }
        steps = fewer
        isSmaller = true
      }
    }
    return steps
  }
}
