import Foundation
import RecordSpec
import Testing

/// Tests for the files in `Format/refused`. Each has one error, and the exact message in the file next to it.
///
/// `RECORD_REFUSED=1 swift test --filter RefusedFilesTests` updates the messages for review, except in CI.
@Suite struct RefusedFilesTests {
  /// The folder of the files. Paths in messages are relative to it.
  private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent()
    .appendingPathComponent("Format/refused").path

  static let names: [String] = {
    let all = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return all.filter { $0.hasSuffix(".yaml") && !$0.hasSuffix(".model.yaml") }.map { String($0.dropLast(5)) }
      .sorted()
  }()

  @Test func thereAreFiles() {
    #expect(Self.names.count >= 40)
  }

  @Test(arguments: names)
  func isRefusedWithItsMessage(name: String) throws {
    let loaded = Scenario.load(path: "\(Self.folder)/\(name).yaml", root: Self.folder)
    let isAccepted = loaded.scenario != nil
    #expect(!isAccepted)
    #expect(loaded.diagnostics.count == 1, "expected exactly one message")
    let actual = DiagnosticRenderer().text(of: loaded.diagnostics).replacingOccurrences(
      of: Self.folder + "/", with: "")
    let path = "\(Self.folder)/\(name).txt"
    if Self.isRecording {
      try Data(actual.utf8).write(to: URL(fileURLWithPath: path))
    }
    guard let data = FileManager.default.contents(atPath: path) else {
      Issue.record("\(name).txt is missing; RECORD_REFUSED=1 writes it. The message is:\n\(actual)")
      return
    }
    let expected = String(decoding: data, as: UTF8.self)
    if actual != expected {
      Issue.record("the message about \(name).yaml has changed:\n\(Self.difference(expected, actual))")
    }
  }

  @Test func noTextIsLeftOver() throws {
    let all = try FileManager.default.contentsOfDirectory(atPath: Self.folder)
    let texts = all.filter { $0.hasSuffix(".txt") }.map { String($0.dropLast(4)) }
    #expect(Set(texts).subtracting(Self.names).sorted() == [])
  }

  private static var isRecording: Bool {
    let environment = ProcessInfo.processInfo.environment
    let isCI = !["", "0", "false"].contains(environment["CI"] ?? "")
    return environment["RECORD_REFUSED"] == "1" && !isCI
  }

  /// Returns a diff of the lines: `-` for a line of the file, and `+` for a line of the message.
  private static func difference(_ expected: String, _ actual: String) -> String {
    let old = expected.components(separatedBy: "\n")
    let new = actual.components(separatedBy: "\n")
    let change = new.difference(from: old)
    var lines: [String] = []
    var newPosition = 0
    let removed = Dictionary(uniqueKeysWithValues: change.removals.map { ($0.offset, $0.element) })
    let inserted = Dictionary(uniqueKeysWithValues: change.insertions.map { ($0.offset, $0.element) })
    for (position, line) in old.enumerated() {
      while let line = inserted[newPosition] {
        lines.append("+ " + line)
        newPosition += 1
      }
      if removed[position] != nil {
        lines.append("- " + line)
      } else {
        lines.append("  " + line)
        newPosition += 1
      }
    }
    while let line = inserted[newPosition] {
      lines.append("+ " + line)
      newPosition += 1
    }
    return lines.joined(separator: "\n")
  }
}

extension CollectionDifference.Change {
  fileprivate var offset: Int {
    switch self {
    case .insert(let offset, _, _), .remove(let offset, _, _): offset
    }
  }

  fileprivate var element: ChangeElement {
    switch self {
    case .insert(_, let element, _), .remove(_, let element, _): element
    }
  }
}
