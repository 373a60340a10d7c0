import Foundation
import RecordSpecTesting
import Testing

struct LibraryTests {
  static let folder = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "Library/Scenarios")

  @Test(arguments: try Scenarios(in: folder))
  func conforms(_ scenario: ScenarioTest) async throws {
    try await scenario.test(model: Library.model, registering: app)
  }

  @Test func theModelFileIsCurrent() throws {
    let file = Self.folder.appending(path: "_models/library.model.yaml")
    let yaml = try Library.model.yaml()
    #expect(try String(contentsOf: file, encoding: .utf8) == yaml)
  }
}
