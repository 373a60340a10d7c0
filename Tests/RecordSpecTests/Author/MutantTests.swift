import Foundation
import RecordSpec
import Testing

/// Mutants fit the sources and the rules, so that a change to either does not strand them. Whether scenarios catch them
/// is for `scripts/mutants` to see, which takes minutes.
@Suite struct MutantTests {
  private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .appendingPathComponent("../../..").standardizedFileURL
  private static let folder = root.appendingPathComponent("Tests/Mutants")

  /// One file of the folder.
  private struct Mutant {
    struct Block {
      var file: String
      var find: String
      var replacement: String
    }

    var name: String
    var blocks: [Block] = []
    /// Nil if the file is well formed.
    var mistake: String?

    /// `merge.once` of `merge.once+linked`.
    var rule: String { String(name.prefix { $0 != "+" }) }

    init(name: String, text: String) {
      self.name = name
      var lines = text.split(separator: "\n", omittingEmptySubsequences: false)[...]
      func take(until end: String) -> String? {
        guard let index = lines.firstIndex(where: { $0 == end }) else { return nil }
        defer { lines = lines[(index + 1)...] }
        return lines[..<index].joined(separator: "\n")
      }
      guard let title = lines.popFirst(), title.hasPrefix("# ") else {
        mistake = "does not begin with '# ' and what is switched off"
        return
      }
      var file: String?
      while let line = lines.popFirst(), !(line.isEmpty && lines.isEmpty) {
        if line.hasPrefix("file: ") {
          file = String(line.dropFirst("file: ".count))
        } else if line == "<<<<", let file, let find = take(until: "===="), let new = take(until: ">>>>") {
          blocks.append(Block(file: file, find: find, replacement: new))
        } else {
          mistake = "has '\(line)' where 'file: …' or a block of '<<<<', '====' and '>>>>' is expected"
          return
        }
      }
      if blocks.isEmpty { mistake = "has no block of '<<<<', '====' and '>>>>'" }
    }
  }

  private func mutants() throws -> [Mutant] {
    let names = try FileManager.default.contentsOfDirectory(atPath: Self.folder.path)
      .filter { $0.hasSuffix(".mutant") }.sorted()
    try #require(!names.isEmpty)
    return try names.map { name in
      let text = try String(contentsOf: Self.folder.appendingPathComponent(name), encoding: .utf8)
      return Mutant(name: String(name.dropLast(".mutant".count)), text: text)
    }
  }

  @Test func mutantsAreWellFormed() throws {
    #expect(try mutants().compactMap { mutant in mutant.mistake.map { "\(mutant.name) \($0)" } } == [])
    let blind = try mutants().filter { !$0.blocks.contains { $0.replacement.contains("isMutated") } }
    #expect(blind.map(\.name) == [], "what they put in place does not ask 'isMutated'")
  }

  @Test func mutantsAreNamedAfterRulesThatAreBuilt() throws {
    let strangers = try mutants().filter { Rule.rule($0.rule)?.isPlanned ?? true }
    #expect(strangers.map(\.name) == [])
  }

  @Test func whatMutantsFindStandsOnce() throws {
    var sources: [String: String] = [:]
    var misfits: [String] = []
    for mutant in try mutants() {
      for block in mutant.blocks {
        let source =
          sources[block.file]
          ?? (try? String(contentsOf: Self.root.appendingPathComponent(block.file), encoding: .utf8))
        guard let source else {
          misfits.append("\(mutant.name): there is no file \(block.file)")
          continue
        }
        sources[block.file] = source
        let count = source.components(separatedBy: block.find).count - 1
        if count != 1 {
          misfits.append("\(mutant.name): stands \(count) times in \(block.file): \(block.find)")
        }
      }
    }
    #expect(misfits == [])
  }

  @Test func everyBuiltRuleHasAMutantOrAReason() throws {
    let text = try String(contentsOf: Self.folder.appendingPathComponent("README.md"), encoding: .utf8)
    let excused = Set(text.matches(of: /(?m)^- `([a-z.-]+)`:/).map { String($0.1) })
    let mutated = Set(try mutants().map(\.rule))
    #expect(
      Rule.all.filter { !$0.isPlanned && $0.provenBy == nil }.map(\.id)
        .filter { !mutated.contains($0) && !excused.contains($0) } == [])
    #expect(excused.filter { mutated.contains($0) || Rule.rule($0) == nil }.sorted() == [])
  }
}
