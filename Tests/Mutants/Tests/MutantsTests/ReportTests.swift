import Testing

@testable import Mutants

@Suite struct ReportTests {
  private func mutant(_ file: String, _ line: Int, _ text: String) -> Mutant {
    Mutant(file: file, line: line, column: 1, kind: .removed, function: "f()", text: text)
  }

  @Test func survivorsAreListed() {
    let report = MutationReport(
      [
        (mutant: mutant("A/b.swift", 1, "a()"), verdict: .caught),
        (mutant: mutant("A/b.swift", 2, "b()"), verdict: .survived(runs: 3)),
        (mutant: mutant("A/c.swift", 4, "d()"), verdict: .notReached),
        (mutant: mutant("A/c.swift", 5, "e()"), verdict: .timedOut),
        (mutant: mutant("A/c.swift", 6, "g()"), verdict: .crashed),
        (mutant: mutant("A/c.swift", 7, "h()"), verdict: .doesNotCompile),
      ])
    #expect(report.survivors.map(\.mutant.text) == ["b()", "d()"])
    #expect(report.tally().score == 60)
    #expect(report.tally { $0.file == "A/b.swift" }.score == 50)
    #expect(report.tally { $0.file == "A/d.swift" }.score == nil)
    #expect(report.text.contains("A/b.swift:2:1:removed  survived 3 runs\n    `b()` is removed\n"))
    #expect(report.text.contains("A/c.swift:4:1:removed  not reached\n"))
  }

  @Test(arguments: ["A | f() | unknown | a", "A | f() | removed", "A | f() | removed x | a"])
  func otherLinesAreNoKeys(line: String) { #expect(Mutant.Key(line: line) == nil) }
}

@Suite struct SelectionTests {
  private let mutants = (1...200).map {
    Mutant(
      file: $0 % 2 == 0 ? "A/b.swift" : "AB/c.swift", line: $0, column: 1, kind: .removed, function: "",
      text: "")
  }

  @Test func foldersFilesAndIdentifiersSelect() throws {
    #expect(try Selection(paths: ["A/"]).numbers(of: mutants).count == 100)
    #expect(try Selection(paths: ["A/b.swift", "AB"]).numbers(of: mutants).count == 200)
    #expect(try Selection(only: ["A/b.swift:2:1:removed"]).numbers(of: mutants) == [1])
    #expect(throws: MutantsError.self) { try Selection(paths: ["C"]).numbers(of: mutants) }
    #expect(throws: MutantsError.self) { try Selection(only: ["A/b.swift:1:1:removed"]).numbers(of: mutants) }
  }

  /// A report lists the keys of its survivors.
  @Test func aReportSelects() throws {
    let verdicts: [MutantVerdict] = [.survived(runs: 3), .caught, .notReached]
    let report = MutationReport(zip(mutants, verdicts).map { (mutant: named($0), verdict: $1) })
    let keys = Mutant.Key.keys(in: report.text)
    #expect(try Selection(listed: keys).numbers(of: mutants.map(named)) == [0, 2])
    #expect(throws: MutantsError.self) { try Selection(listed: []).numbers(of: mutants) }
  }

  /// Returns a mutant whose key no other mutant has.
  private func named(_ mutant: Mutant) -> Mutant {
    var named = mutant
    (named.function, named.text) = ("f\(mutant.line)()", "a | b")
    return named
  }

  @Test func aSeedDecidesTheSample() throws {
    let sample = try Selection(sample: 20, seed: "a").numbers(of: mutants)
    #expect(sample.count == 20 && sample == sample.sorted() && Set(sample).count == 20)
    #expect(try Selection(sample: 20, seed: "a").numbers(of: mutants) == sample)
    #expect(try Selection(sample: 20, seed: "b").numbers(of: mutants) != sample)
    #expect(try Selection(sample: 900, seed: "b").numbers(of: mutants).count == 200)
  }
}

@Suite struct SourceGlobsTests {
  @Test func globsIncludeAndExclude() throws {
    let globs = SourceGlobs("# Comment\nA/*\n!A/C/*\n")
    #expect(try globs.select(from: ["B/a", "A/C/a", "A/b", "A/B/c"]) == ["A/B/c", "A/b"])
    #expect(throws: MutantsError.self) { try globs.select(from: ["A/b"]) }
  }
}
