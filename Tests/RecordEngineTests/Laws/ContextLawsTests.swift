import RecordModel
import Testing

@testable import RecordEngine

/// Tests that apply random edits, saves, rollbacks, merges and requests to two contexts and their children, and compare
/// the contexts with a simple graph. Each step preserves all invariants. Rules: `save.*`, `context.*`.
@Suite struct ContextLawsTests {
  @Test(arguments: StoreKind.chosen, randomSeeds(8)) func contextsAreWhatTheirChangesSay(
    kind: StoreKind, seed: UInt64
  ) async throws {
    guard try await run(kind, seed, steps: Array(1...60)) != nil else { return }
    let steps = try await shrunk(Array(1...60)) { try await run(kind, seed, steps: $0) != nil }
    let (done, mistakes) = try await run(kind, seed, steps: steps) ?? ([], [])
    Issue.record("\((["\(kind), seed \(seed), steps \(steps)"] + done + mistakes).joined(separator: "\n"))")
  }

  /// Runs some of the steps of a seed, and skips the others.
  ///
  /// - Returns: The steps and the errors after the last one, or nil without errors.
  private func run(
    _ kind: StoreKind, _ seed: UInt64, steps: [Int], isolation: isolated (any Actor)? = #isolation
  ) async throws -> (done: [String], mistakes: [String])? {
    let (server, model) = (NextResponse(), try ObviousGraph.model())
    let store = try TestStore(kind, model.schema)
    defer { withExtendedLifetime(store) {} }
    let container = PersistentContainer(
      model: model, store: store.store, configuration: .init(server: server))
    var world = ContextWorld(container, server)
    var done: [String] = []
    for step in steps {
      // Each step has its own random numbers, so that it hardly changes when earlier steps are removed.
      done.append(try await world.step(RandomNumbers(seed: seed &* 1_299_709 &+ UInt64(step))))
      let mistakes = try world.mistakes()
      if !mistakes.isEmpty { return (done, mistakes) }
    }
    return nil
  }

  /// Returns a minimal list of steps that fails: no single step can be removed. The last steps are removed first.
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
