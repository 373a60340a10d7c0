import Testing

@testable import RecordSpecCommand
@testable import ScenarioFormat
@testable import ScenarioReport

struct WatchListTests {
  /// The stamps of files and folders at one time, by path. The stamp is an arbitrary number.
  private typealias World = [String: Int]

  private static let before: World = [
    "S": 1, "S/a.yaml": 1, "S/b.yaml": 1, "S/m.model.yaml": 1, "G/a.json": 1, "G/b.json": 1, "S/body.json": 1,
  ]

  private static func stamp(_ world: World) -> (String) -> FileStamp? {
    { path in world[path].map { FileStamp(seconds: $0) } }
  }

  private static func stamped(_ paths: [String], _ world: World) -> [StampedFile] {
    paths.map { StampedFile($0, stamp: stamp(world)($0)) }
  }

  private static let files = ["a", "b"].map { ScenarioFile(path: "S/\($0).yaml", name: $0) }
  private static let dependencies = [
    "a": ["S/a.yaml", "S/m.model.yaml", "S/body.json", "S/body.json", "G/a.json"],
    "b": ["S/b.yaml", "S/m.model.yaml", "S/missing.json", "G/b.json"],
  ]

  private static func list() -> WatchList {
    var list = WatchList()
    list.update(
      files.map { ($0, stamped(dependencies[$0.name] ?? [], before)) }, places: stamped(["S"], before))
    return list
  }

  struct Case: CustomStringConvertible {
    var description: String
    /// The stamps that differ; 0 for a removed file.
    var saved: [String: Int]
    var changes: [String]
    /// The scenarios that are no longer current.
    var outdated: [String]
  }

  @Test(arguments: [
    Case(description: "nothing", saved: [:], changes: [], outdated: []),
    Case(description: "scenario", saved: ["S/a.yaml": 2], changes: ["changed S/a.yaml"], outdated: ["a"]),
    Case(description: "golden file", saved: ["G/b.json": 2], changes: ["changed G/b.json"], outdated: ["b"]),
    Case(
      description: "model of both", saved: ["S/m.model.yaml": 2], changes: ["changed S/m.model.yaml"],
      outdated: ["a", "b"]),
    Case(description: "body", saved: ["S/body.json": 2], changes: ["changed S/body.json"], outdated: ["a"]),
    Case(
      description: "missing body", saved: ["S/missing.json": 1], changes: ["new S/missing.json"],
      outdated: ["b"]),
    Case(
      description: "removed files", saved: ["G/a.json": 0, "S/b.yaml": 0],
      changes: ["removed G/a.json", "removed S/b.yaml"], outdated: ["a", "b"]),
    Case(description: "folder", saved: ["S": 2], changes: ["changed S"], outdated: []),
    Case(description: "another file", saved: ["S/other.json": 2], changes: [], outdated: []),
  ])
  func aChangeConcernsTheScenariosThatReadTheFile(_ test: Case) {
    let list = Self.list()
    var now = Self.before
    for (path, stamp) in test.saved { now[path] = stamp == 0 ? nil : stamp }
    let changes = list.changes(Self.stamp(now))
    #expect(changes.map { "\($0.kind.rawValue) \($0.path)" } == test.changes)
    let outdated = Self.files.filter { !list.isCurrent($0, Self.stamp(now)) }.map(\.name)
    #expect(outdated == test.outdated)
  }

  /// A file that is saved while one scenario runs is current for those that read it later.
  @Test func eachScenarioHasTheStampThatItRead() {
    var now = Self.before
    now["S/m.model.yaml"] = 2
    var list = Self.list()
    list.update(
      [(Self.files[0], Self.stamped(Self.dependencies["a"] ?? [], now)), (Self.files[1], nil)],
      places: Self.stamped(["S"], now))
    #expect(list.isCurrent(Self.files[0], Self.stamp(now)))
    #expect(!list.isCurrent(Self.files[1], Self.stamp(now)))
    #expect(list.changes(Self.stamp(now)).map(\.path) == ["S/m.model.yaml"])
  }

  @Test func aScenarioThatIsNotListedIsNotCurrent() {
    var list = Self.list()
    let stamp = Self.stamp(Self.before)
    #expect(!list.isCurrent(ScenarioFile(path: "S/c.yaml", name: "c"), stamp))
    list.update([(Self.files[0], nil)], places: [])
    #expect(list.isCurrent(Self.files[0], stamp))
    #expect(!list.isCurrent(Self.files[1], stamp))
    // The files of a scenario that was dropped are not watched.
    #expect(list.changes { $0 == "S/b.yaml" ? nil : stamp($0) } == [])
  }
}
