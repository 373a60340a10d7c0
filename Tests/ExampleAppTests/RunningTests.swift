import Foundation
import Testing

struct RunningTests {
  @Test func passingScenariosHaveNoErrors() async throws {
    #expect(try await errors(in: LibraryTests.folder) == [])
  }

  @Test func errorsAreReportedAtTheirLines() async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "RunningTests-\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let file = folder.appending(path: "a.yaml")
    try "title: A\nstepz: []\nstepx: []\n".write(to: file, atomically: true, encoding: .utf8)
    let errors = try await errors(in: folder)
    let places = errors.compactMap { $0.firstMatch(of: #/a\.yaml:(\d+):1: error: unknown key/#)?.1 }
    #expect(places == ["2", "3"], "\(errors)")
  }
}
