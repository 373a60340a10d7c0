import Foundation
import Testing

@testable import ScenarioFormat
@testable import ScenarioReport

/// Tests for the files in `Format/warned`. Each has one warning, and the exact message in the file next to it.
///
/// `RECORD_WARNED=1 swift test --filter WarnedFilesTests` updates the messages for review, except in CI.
@Suite struct WarnedFilesTests {
  @Test func everyWarningHasAFile() {
    #expect(WarnedFiles.names == WarningCodes.all)
  }

  @Test(arguments: WarnedFiles.names)
  func hasItsWarning(name: String) async throws {
    let warnings = await WarnedFiles.warnings(about: name)
    #expect(warnings.map(\.code.rawValue) == [name])
    #expect(warnings.map(\.severity) == [.warning])
    let actual = DiagnosticRenderer().text(of: warnings).replacing(WarnedFiles.folder + "/", with: "")
    let path = "\(WarnedFiles.folder)/\(name).txt"
    if Self.isRecording { try Data(actual.utf8).write(to: URL(fileURLWithPath: path)) }
    let data = try #require(
      FileManager.default.contents(atPath: path), "RECORD_WARNED=1 writes \(name).txt:\n\(actual)")
    #expect(actual == String(decoding: data, as: UTF8.self))
  }

  @Test func noTextIsLeftOver() throws {
    let all = try FileManager.default.contentsOfDirectory(atPath: WarnedFiles.folder)
    let texts = all.filter { $0.hasSuffix(".txt") }.map { String($0.dropLast(4)) }
    #expect(texts.sorted() == WarnedFiles.names)
  }

  private static var isRecording: Bool {
    let environment = ProcessInfo.processInfo.environment
    let isCI = !["", "0", "false"].contains(environment["CI"] ?? "")
    return environment["RECORD_WARNED"] == "1" && !isCI
  }

  // MARK: Allowing

  /// Every warning except those of `allows` itself and of `ignores` can be silenced, in its file or in the scenario.
  @Test(arguments: WarnedFiles.names.filter { !["unread-key", "unused-allows"].contains($0) })
  func canBeAllowed(name: String) async throws {
    let folder = try TemporaryFolder()
    let text = try String(contentsOfFile: "\(WarnedFiles.folder)/\(name).yaml", encoding: .utf8)
    let allowed =
      text.contains("allows: {")
      ? text.replacing("allows: {", with: "allows: {\(name): intended, ")
      : text.replacing("\nmodel:", with: "\nallows: {\(name): intended}\nmodel:")
    try folder.write(allowed, to: "a.yaml")
    let model = "_models/\(name).xcdatamodel/contents"
    if let contents = FileManager.default.contents(atPath: "\(WarnedFiles.folder)/\(model)") {
      try folder.write(String(decoding: contents, as: UTF8.self), to: model)
    }
    let warnings = await WarnedFiles.warnings(about: "a", in: folder.path)
    #expect(DiagnosticRenderer().text(of: warnings) == "")
  }

  @Test func unreadKeysAreIgnored() async throws {
    let folder = try TemporaryFolder()
    let text = try String(contentsOfFile: "\(WarnedFiles.folder)/unread-key.yaml", encoding: .utf8)
    try folder.write(
      text.replacing("primaryKey: id,", with: "primaryKey: id, ignores: [txet],"), to: "a.yaml")
    #expect(await WarnedFiles.warnings(about: "a", in: folder.path).isEmpty)
  }

  @Test(arguments: [
    ("no-invers: x", "unknown warning 'no-invers'", "did you mean 'no-inverse'?"),
    ("unread-key: x", "'unread-key' cannot be allowed", "list the keys in 'ignores' of the entity"),
    (
      "unused-allows: x", "'unused-allows' cannot be allowed",
      "remove the entry of 'allows' that silences nothing"
    ),
    ("no-inverse: ''", "'no-inverse' must not be empty", ""),
    ("no-inverse: {Post.tags: ''}", "'Post.tags' must not be empty", ""),
    ("no-inverse: [Post.tags]", "expected a string for 'no-inverse', found a list", "write Post.tags"),
  ])
  func anInvalidEntryIsRefused(entry: String, message: String, advice: String) throws {
    let folder = try TemporaryFolder()
    let text = try String(contentsOfFile: "\(WarnedFiles.folder)/no-inverse.yaml", encoding: .utf8)
    try folder.write(text.replacing("\nmodel:", with: "\nallows: {\(entry)}\nmodel:"), to: "a.yaml")
    let loaded = folder.load("a.yaml")
    let errors = loaded.diagnostics.filter { $0.severity == .error }
    #expect(loaded.scenario == nil)
    #expect(errors.map(\.message) == [message])
    #expect(errors.map { $0.advice ?? "" } == [advice])
  }

  /// A pattern limits an entry to properties, entities, keys or values.
  @Test(arguments: [
    ("Post.tags", []), ("Post.*", []), ("*.tags", []), ("Post.tag", ["no-inverse", "unused-allows"]),
    ("Tag.*", ["no-inverse", "unused-allows"]),
  ])
  func anEntryCanBeLimitedToNames(pattern: String, codes: [String]) async throws {
    let folder = try TemporaryFolder()
    let text = try String(contentsOfFile: "\(WarnedFiles.folder)/no-inverse.yaml", encoding: .utf8)
    try folder.write(
      text.replacing("\nmodel:", with: "\nallows: {no-inverse: {\"\(pattern)\": never deleted}}\nmodel:"),
      to: "a.yaml")
    let warnings = await WarnedFiles.warnings(about: "a", in: folder.path)
    #expect(warnings.map(\.code.rawValue).sorted() == codes)
  }
}
