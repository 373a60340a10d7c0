import Foundation
import SwiftParser
import Testing

@testable import Mutants

@Suite struct PlantedFileTests {
  private func planted(_ source: String) -> PlantedFile {
    let plants = MutantFinder.plants(in: source, path: "F.swift")
    return PlantedFile(source: source, plants: plants.enumerated().map { (number: $0, plant: $1) })
  }

  @Test func mutantsAreNested() {
    #expect(
      planted("let x = a < b ?? c").text
        == "let x = plantedTrue(0, plantedFalse(1, plantedLess(2, a , plantedFallback(3, b , c))))")
    #expect(
      planted("if let a, b + c > d { e() }").text
        == "if let a, plantedTrue(1, plantedGreater(3, plantedPlus(2, b , c) , d)), !planted(0) { e() }")
  }

  @Test func errorsLeadToTheInnermostMutant() {
    let file = planted("f()\nlet x = (a ?? b) + c")
    #expect(file.text == "if !planted(0) { f() }\nlet x = plantedPlus(2, (plantedFallback(1, a , b)) , c)")
    #expect(file.mutant(atLine: 1, column: 18) == 0)
    #expect(file.mutant(atLine: 2, column: 45) == 1)
    #expect(file.mutant(atLine: 2, column: 54) == 2)
    // Outside of all mutants, the nearest on the line is returned.
    #expect(file.mutant(atLine: 2, column: 5) == 2)
    #expect(file.mutant(atLine: 9, column: 1) == nil)
  }

  /// Sources with all their mutants planted are valid Swift, on the same lines.
  @Test func theEngineCanBePlanted() throws {
    let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("../../../..").standardizedFileURL
    let folder = root.appendingPathComponent("Sources/RecordEngine/Cache")
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
    var count = 0
    for name in names where name.hasSuffix(".swift") {
      let source = try String(contentsOf: folder.appendingPathComponent(name), encoding: .utf8)
      let file = planted(source)
      count += file.ranges.count
      #expect(!Parser.parse(source: file.text).hasError, "\(name)")
      #expect(file.text.filter { $0 == "\n" }.count == source.filter { $0 == "\n" }.count, "\(name)")
    }
    #expect(count > 100)
  }
}
