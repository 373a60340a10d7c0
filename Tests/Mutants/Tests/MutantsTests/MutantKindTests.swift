import Testing

@testable import Mutants

/// Each kind of mutant is found, and planting it keeps the meaning of the source.
@Suite struct MutantKindTests {
  /// Returns the planted source for each mutant of a kind alone. The number of the mutant is 7.
  private func planted(_ source: String, _ kind: MutantKind) -> [String] {
    MutantFinder.plants(in: source, path: "F.swift").filter { $0.mutant.kind == kind }
      .map { PlantedFile(source: source, plants: [(number: 7, plant: $0)]).text }
  }

  @Test(
    arguments: [
      ("if a { b() }", ["if plantedTrue(7, a) { b() }"], ["if plantedFalse(7, a) { b() }"]),
      (
        "guard try a() else { return }", ["guard try plantedTrue(7, a()) else { return }"],
        ["guard try plantedFalse(7, a()) else { return }"]
      ),
      ("while a { b() }", [], ["while plantedFalse(7, a) { b() }"]),
      ("while true { b() }", [], []),
      ("repeat { b() } while a", [], ["repeat { b() } while plantedFalse(7, a)"]),
      ("let x = a ? b : c", ["let x = plantedTrue(7, a) ? b : c"], ["let x = plantedFalse(7, a) ? b : c"]),
      (
        "for x in y where a { z() }", ["for x in y where plantedTrue(7, a) { z() }"],
        ["for x in y where plantedFalse(7, a) { z() }"]
      ),
      (
        "switch x { case let y where a: z() }", ["switch x { case let y where plantedTrue(7, a): z() }"],
        ["switch x { case let y where plantedFalse(7, a): z() }"]
      ),
      // Each operand of a conjunction is removed, and the whole never holds.
      (
        "if a && b { c() }", ["if plantedTrue(7, a) && b { c() }", "if a && plantedTrue(7, b) { c() }"],
        ["if plantedFalse(7, a && b) { c() }"]
      ),
      (
        "if a || b { c() }", ["if plantedTrue(7, a || b) { c() }"],
        ["if plantedFalse(7, a) || b { c() }", "if a || plantedFalse(7, b) { c() }"]
      ),
      (
        "if a, b { c() }", ["if plantedTrue(7, a), b { c() }", "if a, plantedTrue(7, b) { c() }"],
        ["if a, b, !planted(7) { c() }"]
      ),
      (
        "if !(a && b) { c() }",
        ["if !(plantedTrue(7, a) && b) { c() }", "if !(a && plantedTrue(7, b)) { c() }"],
        ["if !(plantedFalse(7, a && b)) { c() }"]
      ),
      // A bound value cannot be forced.
      ("if let a { b() }", [], ["if let a, !planted(7) { b() }"]),
      ("if case .a = b { c() }", [], ["if case .a = b, !planted(7) { c() }"]),
      ("let x = a == b", ["let x = plantedTrue(7, a == b)"], ["let x = plantedFalse(7, a == b)"]),
      ("let x = !a", ["let x = plantedTrue(7, !a)"], ["let x = plantedFalse(7, !a)"]),
      (
        "let x = y.filter { $0.a }", ["let x = y.filter { plantedTrue(7, $0.a) }"],
        ["let x = y.filter { plantedFalse(7, $0.a) }"]
      ),
      ("let x = y.sorted { $0 < $1 }", [], ["let x = y.sorted { plantedFalse(7, $0 < $1) }"]),
      ("f(a: true)", [], ["f(a: plantedFalse(7, true))"]),
      ("f(a: false)", ["f(a: plantedTrue(7, false))"], []),
      (
        "func f() -> Bool { a }", ["func f() -> Bool { plantedTrue(7, a) }"],
        ["func f() -> Bool { plantedFalse(7, a) }"]
      ),
      (
        "var f: Bool { switch x { case 1: a default: false } }",
        [
          "var f: Bool { switch x { case 1: plantedTrue(7, a) default: false } }",
          "var f: Bool { switch x { case 1: a default: plantedTrue(7, false) } }",
        ],
        ["var f: Bool { switch x { case 1: plantedFalse(7, a) default: false } }"]
      ),
    ] as [(String, [String], [String])])
  func conditions(source: String, alwaysTrue: [String], alwaysFalse: [String]) {
    #expect(planted(source, .alwaysTrue) == alwaysTrue)
    #expect(planted(source, .alwaysFalse) == alwaysFalse)
  }

  @Test(
    arguments: [
      ("let x = a < b", .boundary, ["let x = plantedLess(7, a , b)"]),
      ("let x = a <= b", .boundary, ["let x = plantedLessOrEqual(7, a , b)"]),
      ("let x = a > b", .boundary, ["let x = plantedGreater(7, a , b)"]),
      ("let x = a >= b", .boundary, ["let x = plantedGreaterOrEqual(7, a , b)"]),
      ("let x = y.sorted { $0 < $1 }", .boundary, []),
      ("let x = a + b", .arithmetic, ["let x = plantedPlus(7, a , b)"]),
      ("let x = a - b", .arithmetic, ["let x = plantedMinus(7, a , b)"]),
      ("let x = \"a\" + b + c", .arithmetic, []),
      ("let x = [a] + b", .arithmetic, []),
      ("let x = a * b + c", .arithmetic, ["let x = plantedPlus(7, a * b , c)"]),
      ("let x = y[a..<b]", .range, ["let x = y[a..<plantedOneLess(7, b)]"]),
      ("for x in 0...b { y() }", .range, ["for x in 0...plantedOneLess(7, b) { y() }"]),
      ("let x = a ?? b", .fallback, ["let x = plantedFallback(7, a , b)"]),
      ("func f() -> Int? { a }", .returnedNil, ["func f() -> Int? { plantedNil(7, a) }"]),
      (
        "func f() -> Int? { x(); return a }", .returnedNil,
        ["func f() -> Int? { x(); return plantedNil(7, a) }"]
      ),
      ("func f() -> Int? { x(); return nil }", .returnedNil, []),
      (
        "var f: Int? { if a { b } else { nil } }", .returnedNil,
        ["var f: Int? { if a { plantedNil(7, b) } else { nil } }"]
      ),
      ("func f() -> [Int] { a }", .returnedEmpty, ["func f() -> [Int] { plantedEmpty(7, a) }"]),
      ("func f() -> [Int: Int] { a }", .returnedEmpty, ["func f() -> [Int: Int] { plantedEmpty(7, a) }"]),
      ("func f() -> [Int] { [] }", .returnedEmpty, []),
      (
        "func f() { a(); b = c }", .removed,
        ["func f() { if !planted(7) { a() }; b = c }", "func f() { a(); if !planted(7) { b = c } }"]
      ),
      ("func f() { try a() }", .removed, ["func f() { if !planted(7) { try a() } }"]),
      ("func f() { a += 1 }", .removed, ["func f() { if !planted(7) { a += 1 } }"]),
      // Another mutant removes these.
      ("func f() { if a { b() } }", .removed, []),
      ("func f() { for a in b { c() } }", .removed, []),
      // Without these, the source is incomplete.
      ("func f() { let a: Int; a = 1 }", .removed, []),
      ("func f() { let (a, b): (Int, Int); (a, b) = (1, 2) }", .removed, []),
      ("init() { a = 1 }", .removed, []),
      ("func f() -> Int { a() }", .removed, []),
      ("func f() { let x = switch y { case 1: a() default: b() } }", .removed, []),
      ("for x in y { z() }", .skipped, ["for x in y where !planted(7) { z() }"]),
      (
        "switch x { case 1, 2: y() default: z() }", .skipped,
        ["switch x { case 1 where !planted(7), 2 where !planted(7): y() default: z() }"]
      ),
      ("switch x { case .a: y() case .b: z() }", .skipped, []),
    ] as [(String, MutantKind, [String])])
  func others(source: String, kind: MutantKind, expected: [String]) {
    #expect(planted(source, kind) == expected)
  }

  @Test(arguments: [
    "func f(a: Bool = true, b: Int = c + d) {}", "enum E: Int { case a = 1 + 2 }",
    "@available(macOS, x: true) func f() {}",
    "switch x { case true: break }", "#if a && b\nf(true)\n#endif",
  ])
  func nothingIsPlantedWhereTheCompilerOrCallersEvaluate(source: String) {
    #expect(MutantFinder.plants(in: source, path: "F.swift").map(\.mutant.id) == [])
  }

  @Test(arguments: [
    "func f() { a.reserveCapacity(b + c); d() }",
    "func reserveCapacity(_ a: Int) { if a < b { grow(); c() } }",
  ])
  func nothingIsPlantedInWhatOnlyMakesRoom(source: String) {
    #expect(MutantFinder.plants(in: source, path: "F.swift").map(\.mutant.text).filter { $0 != "d()" } == [])
  }

  @Test func aMutantIsNamedByWhereItIsAndKnownByWhatItIs() throws {
    let source = "extension A {\n  func f(_ a: Int, b: Int) -> Bool {\n    a <\n      b\n  }\n}\n"
    let mutant = try #require(
      MutantFinder.plants(in: source, path: "S/F.swift").map(\.mutant).first { $0.kind == .boundary })
    #expect(mutant.id == "S/F.swift:3:7:boundary")
    #expect(mutant.key.line == "S/F.swift | A.f(_:b:) | boundary | a < b")
    #expect(Mutant.Key(line: mutant.key.line) == mutant.key)
  }

  @Test func equalConditionsOfAFunctionAreNumbered() {
    let source = "func f() { if a { b() }; if a { c() } }; func g() { if a { d() } }"
    let keys = MutantFinder.plants(in: source, path: "F").map(\.mutant.key).filter { $0.kind == .alwaysTrue }
    #expect(keys.map(\.line) == ["F | f() | true | a", "F | f() | true 2 | a", "F | g() | true | a"])
    #expect(keys.map { Mutant.Key(line: $0.line) } == keys)
  }
}
