import TestSupport
import Testing

@testable import RecordSpecCommand
@testable import ScenarioFormat
@testable import ScenarioRun

struct DeltaDebuggingTests {
  /// A property of a file that depends on some of its parts in a random way.
  private struct Property {
    /// The parts that the property needs.
    var needed: Set<Int> = []
    /// The parts that can only be removed together.
    var pairs: [[Int]] = []
    private(set) var tests = 0

    init(_ parts: RemovableParts, _ generator: inout SeededGenerator) {
      for part in parts.parts.indices {
        if Int.random(in: 0..<12, using: &generator) == 0 { needed.insert(part) }
        if part > 0, Int.random(in: 0..<6, using: &generator) == 0 {
          pairs.append([part, Int.random(in: 0..<part, using: &generator)])
        }
      }
    }

    mutating func test(_ parts: RemovableParts, _ removed: Set<Int>) -> Bool {
      tests += 1
      return holds(parts, removed)
    }

    func holds(_ parts: RemovableParts, _ removed: Set<Int>) -> Bool {
      needed.allSatisfy { isPresent($0, parts, removed) }
        && pairs.allSatisfy { pair in Set(pair.map { isPresent($0, parts, removed) }).count == 1 }
    }

    func isPresent(_ part: Int, _ parts: RemovableParts, _ removed: Set<Int>) -> Bool {
      var part: Int? = part
      while let current = part {
        if removed.contains(current) { return false }
        part = parts.parts[current].parent
      }
      return true
    }
  }

  /// Returns a random list or mapping in brackets.
  private static func text(_ depth: Int, _ generator: inout SeededGenerator) -> String {
    guard depth > 0, Int.random(in: 0..<4, using: &generator) > 0 else { return "1" }
    let members = (0..<Int.random(in: 1...5, using: &generator)).map { _ in text(depth - 1, &generator) }
    if Bool.random(using: &generator) { return "[" + members.joined(separator: ", ") + "]" }
    return "{" + members.enumerated().map { "k\($0): \($1)" }.joined(separator: ", ") + "}"
  }

  private static func parts(_ generator: inout SeededGenerator) throws -> RemovableParts {
    let members = (0..<6).map { "k\($0): \(text(4, &generator))\n" }.joined()
    return RemovableParts(try #require(YAMLParser.parse(file(members)).root))
  }

  @Test(arguments: 1...(isTestingAll ? 200 : 20) as ClosedRange<UInt64>)
  func noSinglePartOfTheResultCanBeRemoved(seed: UInt64) async throws {
    var generator = SeededGenerator(seed: seed)
    let parts = try Self.parts(&generator)
    var property = Property(parts, &generator)
    var search = DeltaDebugging(parts: parts, linked: property.pairs, maximumTests: 100_000)
    await search.search { property.test(parts, $0) }
    #expect(!search.isCutShort)
    #expect(search.testCount == property.tests)
    #expect(property.holds(parts, search.removed))
    // The obviously right check: try each part, and each set of linked parts, alone.
    let present = parts.parts.indices.filter { property.isPresent($0, parts, search.removed) }
    for part in present { #expect(!property.holds(parts, search.removed.union([part])), "part \(part)") }
    for pair in property.pairs where pair.allSatisfy(present.contains) {
      #expect(!property.holds(parts, search.removed.union(pair)), "parts \(pair)")
    }
  }

  @Test func everythingIsRemovedFromAFileThatNeedsNothing() async throws {
    var generator = SeededGenerator(seed: 1)
    let parts = try Self.parts(&generator)
    var search = DeltaDebugging(parts: parts, maximumTests: 100)
    await search.search { _ in true }
    #expect(String(decoding: parts.text(without: search.removed), as: UTF8.self) == " {}")
    #expect(search.testCount < 10)
  }

  @Test func aNeedleIsFoundInFewTests() async throws {
    let parts = RemovableParts(
      try #require(
        YAMLParser.parse(file("a: [\((0..<4096).map(String.init).joined(separator: ", "))]\n")).root))
    let needle = try #require(parts.number(at: "a/2718"))
    var search = DeltaDebugging(parts: parts, maximumTests: 1000)
    await search.search { !$0.contains(needle) && !$0.contains(0) }
    #expect(String(decoding: parts.text(without: search.removed), as: UTF8.self) == "a: [2718]\n")
    #expect(search.testCount < 60)
  }

  @Test(arguments: [0, 1, 17]) func theSearchIsBounded(maximumTests: Int) async throws {
    var generator = SeededGenerator(seed: 3)
    let parts = try Self.parts(&generator)
    var count = 0
    var search = DeltaDebugging(parts: parts, maximumTests: maximumTests)
    await search.search { _ in
      count += 1
      return count.isMultiple(of: 2)
    }
    #expect(count == maximumTests && search.testCount == maximumTests && search.isCutShort)
  }
}
