import Foundation
import Testing

@testable import ScenarioFormat
@testable import ScenarioReport

/// Tests that compare the article on warnings with the code.
@Suite struct WarningsArticleTests {
  private let article: Article

  init() throws { article = try Article("RecordSpec/Warnings") }

  /// The headings of the third level, each with the text below it.
  private var sections: [(heading: String, text: String)] {
    article.text.components(separatedBy: "\n### ").dropFirst().map { section in
      let lines = section.components(separatedBy: "\n")
      let end = lines.firstIndex { $0.hasPrefix("## ") } ?? lines.endIndex
      return (lines[0], lines[1..<end].joined(separator: "\n"))
    }
  }

  @Test func everyWarningHasASection() {
    #expect(sections.map(\.heading).sorted() == WarningCodes.all)
  }

  /// The example of a warning is the file in `Format/warned`, which has this warning and no other one.
  @Test func theExamplesAreTheWarnedFiles() throws {
    for (code, text) in sections {
      let model = "\(WarnedFiles.folder)/_models/\(code).xcdatamodel/contents"
      let isXcode = FileManager.default.fileExists(atPath: model)
      let file = try String(
        contentsOfFile: isXcode ? model : "\(WarnedFiles.folder)/\(code).yaml", encoding: .utf8)
      #expect(text.contains("\n```\(isXcode ? "xml" : "yaml")\n\(file)```\n"), "\(code)")
      // A sentence before the example, and one after it.
      #expect(text.components(separatedBy: "```").allSatisfy { $0.count > 10 }, "\(code)")
    }
  }

  @Test func theOutputIsThatOfTheExample() async throws {
    let warnings = await WarnedFiles.warnings(about: "unread-key")
    let text = DiagnosticRenderer().text(of: warnings)
      .replacing(WarnedFiles.folder + "/unread-key.yaml", with: "Scenarios/posts.yaml")
    #expect(article.blocks(in: "").map(\.text) == [text])
  }

  @Test func theExamplesOfAllowingHaveNoWarning() async throws {
    let folder = try TemporaryFolder()
    let allowed = article.scenarios.filter {
      $0.text.contains("no-inverse:\n") || $0.text.contains("no-inverse: tags")
    }
    .prefix(2)
    #expect(allowed.count == 2)
    for (line, text) in allowed {
      try folder.write(text, to: "line-\(line).yaml")
      let warnings = await WarnedFiles.warnings(about: "line-\(line)", in: folder.path)
      #expect(DiagnosticRenderer().text(of: warnings) == "", "\(line)")
    }
  }
}
