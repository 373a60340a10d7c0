import JSONTree
import TestSupport
import Testing

@testable import RecordSpec
@testable import ScenarioComparison
@testable import ScenarioFormat

struct StepPairingTests {
  /// Returns steps from a short notation: `a1` requests the address `a` with the outcome 1, and `s` saves.
  private func steps(_ text: String) -> [StepPairing.Step] {
    text.split(separator: " ").map { word in
      if word == "s" { return ["save": true] }
      return [
        "request": "Post", "urn": .string(String(word.prefix(1))),
        "records": .string(String(word.dropFirst())),
      ]
    }
  }

  /// Returns the pairing in a short notation, such as `0-0 1-2 gone 3 new 1`.
  private func pairing(_ recorded: String, _ actual: String) -> String {
    let pairing = StepPairing(recorded: steps(recorded), actual: steps(actual))
    return
      (pairing.pairs.map { "\($0.recorded)-\($0.actual)" } + pairing.gone.map { "gone \($0)" }
      + pairing.new.map { "new \($0)" }).joined(separator: " ")
  }

  @Test(arguments: [
    ("", "", ""),
    ("a1 s b1", "a1 s b1", "0-0 1-1 2-2"),
    // Inserted steps: between others, at the start and at the end.
    ("a1 b1 c1", "a1 x1 b2 c1", "0-0 1-2 2-3 new 1"),
    ("a1 b1", "x1 a2 b2", "0-1 1-2 new 0"),
    ("a1 b1", "a2 b2 x1", "0-0 1-1 new 2"),
    // Removed steps.
    ("a1 x1 b1 s", "a2 b2 s", "0-0 2-1 3-2 gone 1"),
    // The same request several times: the outcomes determine the pairs.
    ("a1 a2 a3", "a1 a2 a2 a3", "0-0 1-1 2-3 new 2"),
    ("a1 a2 a3", "a1 a3", "0-0 2-1 gone 1"),
    // Steps that differ only in their outcomes are paired.
    ("a1 a2 a3", "a2 a3 a4", "0-0 1-1 2-2"),
    // A different address changes the step. A different kind of step is a different step.
    ("a1 b1 s", "a1 c1 s", "0-0 1-1 2-2"),
    ("a1 s b1", "a1 c1 b1", "0-0 2-2 gone 1 new 1"),
    ("s s s", "", "gone 0 gone 1 gone 2"),
  ])
  func stepsArePairedByWhatTheyDo(recorded: String, actual: String, pairs: String) {
    #expect(pairing(recorded, actual) == pairs)
  }

  @Test func theOrderOfFieldsIsNoDifference() {
    let pairing = StepPairing(
      recorded: [["records": "1", "request": "Post", "urn": "a"], ["save": true]],
      actual: [["save": true], ["request": "Post", "urn": "a", "records": "1"], ["save": true]])
    #expect(pairing.new == [0])
  }

  /// Only inserted steps are reported as new.
  @Test(arguments: 0..<40) func stepsThatArePutInAreNew(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    let recorded = (0..<Int.random(in: 0...12, using: &generator)).map { _ in
      steps(["a1", "a2", "b1", "s"].randomElement(using: &generator) ?? "s")[0]
    }
    var actual = recorded
    let count = Int.random(in: 1...3, using: &generator)
    for _ in 0..<count {
      actual.insert(
        contentsOf: steps("x1"), at: Int.random(in: 0...actual.count, using: &generator))
    }
    let pairing = StepPairing(recorded: recorded, actual: actual)
    #expect(pairing.gone == [])
    #expect(pairing.new == actual.indices.filter { actual[$0]["urn"] == "x" })
    #expect(pairing.pairs.map(\.recorded) == Array(recorded.indices))
    #expect(pairing.pairs.map(\.actual) == pairing.pairs.map(\.actual).sorted())
  }

  @Test func hugeFilesArePairedByPosition() {
    // A short file is paired by content: all steps but the first and the last match the step one position later.
    func pairing(_ count: Int) -> StepPairing {
      let middle = (0..<count).map { "a\($0)" }
      func steps(_ names: [String]) -> [StepPairing.Step] { names.map { self.steps($0)[0] } }
      return StepPairing(
        recorded: steps(["first"] + middle + ["last"]), actual: steps(["x", "y"] + middle + ["z"]))
    }
    let huge = pairing(5000)
    #expect(huge.pairs.count == 5002 && huge.pairs.allSatisfy { $0.recorded == $0.actual })
    #expect(huge.new == [5002])
    #expect(pairing(5).pairs.filter { $0.actual == $0.recorded + 1 }.count >= 5)
  }
}
