import Testing

@testable import RecordEngine
@testable import ScenarioFormat
@testable import ScenarioReport
@testable import ScenarioRun

/// Tests for the files of a scenario.
@Suite struct ScenarioStoreTests {
  /// Waiting for the disk would take most of the time of a scenario, and its files are removed when it ends.
  @Test func theFilesOfAScenarioAreNeverFlushed() throws {
    let loaded = try #require(try scenario().scenario)
    let server = ScenarioServer(loaded)
    let store = try ScenarioStore(.sqlite, for: loaded, server.clock)
    defer { store.remove() }
    let container = try store.open(
      server: server, cache: nil, [:], ScenarioRegistrations(), recordsProvenance: false)
    let file = try #require(container.coordinator.store as? SQLiteStore)
    #expect(try file.connection.integer("PRAGMA synchronous") == 0)
  }
}
