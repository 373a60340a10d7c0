import Foundation

@testable import ScenarioComparison
@testable import ScenarioFormat
@testable import ScenarioReport

/// The scenario and model files of the repository.
enum RepositoryFiles {
  static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .appendingPathComponent("../../..").standardizedFileURL.path

  /// Returns the files below a folder of the repository, sorted by path.
  static func files(below folder: String) -> [FormatFile] {
    let names =
      FileManager.default.enumerator(atPath: "\(root)/\(folder)")?.compactMap { $0 as? String } ?? []
    return names.filter { $0.hasSuffix(".yaml") && !$0.hasSuffix(".recordspec.yaml") }.sorted().compactMap {
      let path = "\(root)/\(folder)/\($0)"
      return FileManager.default.contents(atPath: path).map { FormatFile(path: path, bytes: Array($0)) }
    }
  }

  /// The examples of the articles. Parts of scenarios are completed.
  static var examples: [FormatFile] {
    get throws {
      try ["RecordSpec", "RecordEngine"].flatMap(Article.names).flatMap { name in
        let article = try Article(name)
        let scenarios = article.scenarios.map { ("line-\($0.line).yaml", $0.text) }
        let files = article.blocks(in: "yaml").compactMap { block in
          block.fileName.map { ("line-\(block.line)-\(FilePath.name(of: $0))", block.text) }
        }
        return (scenarios + files).map {
          FormatFile(path: "/\(name)/\($0.0)", bytes: Array($0.1.utf8))
        }
      }
    }
  }
}
