import Foundation
import Testing

/// Checks the architecture by reading the sources.
@Suite struct LayeringTests {
  private static let package = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  private static func paths(below folder: String) -> [String] {
    let found = FileManager.default.enumerator(atPath: package.appendingPathComponent(folder).path)
    return (found?.compactMap { $0 as? String } ?? []).map { "\(folder)/\($0)" }.sorted()
  }

  private let files: [SwiftFile]

  init() throws {
    files = try Self.paths(below: "Sources").filter { $0.hasSuffix(".swift") }.map { path in
      let source = try String(contentsOf: Self.package.appendingPathComponent(path), encoding: .utf8)
      return SwiftFile(path: path, source: source)
    }
  }

  @Test func theSourcesWereRead() {
    let modules = Set(files.map(\.module))
    #expect(modules == Set(House.recordSpec.rooms.keys))
    let declared = Set(files.flatMap { $0.declarations.map(\.name) })
    #expect(
      declared.isSuperset(of: [
        "JSONDocument", "EntityDescription", "ManagedObjectModel", "Scenario", "SourceFile",
      ]))
    let imported = Set(files.flatMap { $0.imports.map(\.module) })
    #expect(imported.isSuperset(of: ["OrderedCollections", "JSONTree", "RecordModel", "ArgumentParser"]))
  }

  @Test func theHouseIsInOrder() {
    for violation in House.recordSpec.violations(in: files) { Issue.record("\(violation)") }
  }

  @Test func membersWereRead() {
    let members = files.flatMap(\.members)
    #expect(members.contains { $0.owner == "RequestOptions" && $0.name == "hooks" && $0.isInExtension })
    #expect(members.contains { $0.owner == "AttributeType" && $0.name == "uuid" && $0.kind == .enumCase })
    #expect(members.count { $0.kind == .initializer } > 200)
  }

  @Test func contributorsReadTheOrderThatIsHeld() throws {
    let text = try String(contentsOf: Self.package.appendingPathComponent("CONTRIBUTING.md"), encoding: .utf8)
    let table = House.recordSpec.orderTable
    #expect(text.contains("\n\n\(table)\n\n"), "CONTRIBUTING.md states another order than House:\n\(table)")
  }

  @Test func foldersDifferInMoreThanCase() {
    // Hidden folders are those of local runs.
    let folders = (Self.paths(below: "Sources") + Self.paths(below: "Tests")).filter { !$0.contains("/.") }
      .map { ($0 as NSString).deletingLastPathComponent }
    #expect(folders.contains("Sources/RecordSpec/Scenario"))
    #expect(House.caseViolations(in: folders).isEmpty)
  }
}
