import Foundation
import RecordModel
import Testing

@testable import RecordEngine
@testable import ScenarioComparison
@testable import ScenarioFormat
@testable import ScenarioRun

/// Tests for dumps that are SQLite files.
struct SQLiteDumpTests {
  private static func file(_ statements: String...) throws -> (TemporaryFolder, path: String) {
    let folder = try TemporaryFolder()
    let path = folder.path + "/app.sqlite"
    let connection = try SQLiteConnection(path: path, mayCreate: true, listWidth: 1)
    for statement in statements { try connection.run(statement) }
    return (folder, path)
  }

  @Test func keysAndReferencesComeFromTheSchema() throws {
    let (folder, path) = try Self.file(
      "CREATE TABLE user (id INTEGER PRIMARY KEY, name TEXT)",
      "CREATE TABLE post (id INTEGER PRIMARY KEY, author INTEGER REFERENCES user, text TEXT, score REAL, raw BLOB)",
      "CREATE TABLE post_tag (tag TEXT, post_id INTEGER REFERENCES post(id), PRIMARY KEY (post_id, tag))",
      "CREATE TABLE log (text TEXT)", "CREATE TABLE grdb_migrations (identifier TEXT)",
      "CREATE TABLE android_metadata (locale TEXT)", "CREATE VIEW all_posts AS SELECT * FROM post",
      "INSERT INTO user VALUES (7, 'Ada')", "INSERT INTO post VALUES (1, 7, NULL, 1.0, x'00ff')",
      "INSERT INTO post_tag VALUES ('sea', 1)", "INSERT INTO log VALUES ('x')")
    defer { _ = folder }
    let dump = try SQLiteDump.read(path)
    #expect(
      try dump.graph(by: TableRules()).goldenForm.compactText()
        == #"{"log":{"log~1":{"text":"x"}},"post":{"post/1":{"author":"user/7","id":1,"raw":"AP8=","score":1}},"post_tag":{"post_tag/1,sea":{"post_id":1,"tag":"sea"}},"user":{"user/7":{"id":7,"name":"Ada"}}}"#
    )
    // A table that the scenario describes is read as it is described there.
    var rule = TableRule("post")
    rule.key = ["id"]
    let described = try dump.graph(by: TableRules([rule])).goldenForm.compactText()
    #expect(described.contains(#""author":7"#))
    var typed = TableRule("post")
    (typed.usesSchema, typed.types) = (true, ["id": .boolean])
    let completed = try dump.graph(by: TableRules([typed])).goldenForm.compactText()
    #expect(completed.contains(#""post/true":{"author":"user/7","id":true"#), "\(completed)")
    typed.types = ["di": .boolean]
    #expect(throws: TableDumpProblem.self) { try dump.graph(by: TableRules([typed])) }
    var ignored = TableRule("user")
    ignored.isIgnored = true
    #expect(try dump.graph(by: TableRules([ignored])).goldenForm.compactText().contains(#""author":7"#))
  }

  @Test func generatedColumnsAndOtherForeignKeysAreReadAsTheyAre() throws {
    let (folder, path) = try Self.file(
      "CREATE TABLE user (id INTEGER PRIMARY KEY, sid INTEGER UNIQUE)",
      "CREATE TABLE post (id INTEGER PRIMARY KEY, twice INTEGER AS (id * 2), text TEXT, author INTEGER REFERENCES user(sid))",
      "INSERT INTO user VALUES (1, 2), (2, 1)", "INSERT INTO post (id, text, author) VALUES (5, 'a', 1)")
    defer { _ = folder }
    #expect(
      try SQLiteDump.read(path).graph(by: TableRules()).goldenForm.compactText().hasPrefix(
        #"{"post":{"post/5":{"author":1,"id":5,"text":"a","twice":10}}"#))
  }

  @Test func aMissingFileAndAFileOfAnotherKindAreNamed() throws {
    let folder = try TemporaryFolder()
    #expect(throws: Breakage.self) { try SQLiteDump.read(folder.path + "/none.sqlite") }
    try folder.write("no database at all, but long enough to look like one", to: "text.sqlite")
    do {
      _ = try SQLiteDump.read(folder.path + "/text.sqlite")
      Issue.record("a text file was read")
    } catch {
      #expect(error.message.contains("text.sqlite' cannot be read: file is not a database"))
    }
  }
}
