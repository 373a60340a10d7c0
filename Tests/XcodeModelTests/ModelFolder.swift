import Foundation
import RecordModel

@testable import XcodeModel

/// A folder for one test, which is removed at its end.
final class ModelFolder {
  let path: String

  init() throws {
    path = FileManager.default.temporaryDirectory.appendingPathComponent("XcodeModelTests-\(UUID())").path
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  /// Writes a file to the folder, and returns its path.
  @discardableResult
  func write(_ text: String, to name: String) throws -> String { try write(Data(text.utf8), to: name) }

  @discardableResult
  func write(_ data: Data, to name: String) throws -> String {
    let file = URL(fileURLWithPath: path + "/" + name)
    try FileManager.default.createDirectory(
      at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try data.write(to: file)
    return file.path
  }

  /// Returns the problem as one line, with a location relative to this folder.
  func text(_ problem: XcodeDataModel.Problem) -> String {
    Self.text(problem).replacing(path + "/", with: "")
  }

  static func text(_ problem: XcodeDataModel.Problem) -> String {
    "\(problem.problem.severity) \(problem.problem.code) \(problem.location): \(problem.problem.message)"
      + (problem.problem.advice.map { "; \($0)" } ?? "")
  }

  /// Reads a model of these lines, which start on line 2 of the file `contents`.
  static func read(_ lines: String) -> (model: XcodeDataModel, problems: [String]) {
    let text = "<model type=\"com.apple.IDECoreDataModeler.DataModel\">\n\(lines)\n</model>\n"
    let model = XcodeDataModel(parsing: Array(text.utf8), file: "contents")
    return (model, model.problems.map(Self.text))
  }
}
