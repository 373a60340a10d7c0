import JSONTree
import TestSupport
import Testing

@testable import RecordSpecCommand
@testable import ScenarioFormat

/// Tests for `recordspec import --update`.
struct UpdateCommandTests {
  private let suite: CommandSuite

  init() throws {
    suite = try CommandSuite()
    try suite.folder.write("", to: ".recordspec.yaml")
  }

  private func path(_ name: String) -> String { suite.folder.path + "/" + name }

  private func importFirst(_ entries: String...) async throws {
    try suite.folder.write(archive(entries), to: "first.har")
    let imported = await suite.recordspec("import", path("first.har"), "--output", path("Scenarios/books"))
    #expect(imported.status == 0, "\(imported.errors)")
    #expect(await suite.recordspec("bless", "books").status == 0)
  }

  private func update(
    _ entries: String..., at name: String = "books", arguments: [String] = []
  ) async throws -> CommandSuite.Outcome {
    try suite.folder.write(archive(entries), to: "again.har")
    return await suite.recordspec(["import", path("again.har"), "--update", name] + arguments)
  }

  private var files: [String: String] {
    suite.folder.tree.filter { $0.key.hasPrefix("Scenarios/") || $0.key.hasPrefix("Golden/") }
  }

  private static let base = "https://api.test/"

  /// Returns the entries of a session in which a book is created, listed, changed and read.
  private func session(_ book: Int, _ other: Int, _ user: Int, _ day: String, _ hash: String, _ login: String)
    -> [String]
  {
    let time = "\(day)T08:00:00Z"
    func item(_ id: Int, _ title: String, _ updated: String) -> String {
      #"""
      {"id": \#(id), "title": "\#(title)", "node": "\#(hash)\#(id == book ? "a" : "b")", "created_at": "\#(time)",
       "updated_at": "\#(updated)", "url": "https://api.test/books/\#(id)?author_id=\#(user)",
       "author": {"id": \#(user), "login": "\#(login)"}}
      """#.replacing("\n", with: "")
    }
    let later = "\(day)T09:30:00Z"
    return [
      entry(
        Self.base + "books", method: "POST", status: 201, text: item(book, "Salt", time),
        headers: [
          ("Location", "/books/\(book)"), ("ETag", "W/\\\"\(hash)c\\\""),
          (
            "Last-Modified",
            "\(day.hasPrefix("2031") ? "Tue" : "Wed"), \(day.suffix(2)) Oct 2030 08:00:00 GMT"
          ),
        ]),
      entry(
        Self.base + "books", text: "[\(item(other, "Tide", time)), \(item(book, "Salt", time))]",
        headers: [("Link", "<https://api.test/books/\(other)/next>; rel=\\\"up\\\"")]),
      entry(Self.base + "books/\(book)", method: "PATCH", text: item(book, "Salted", later)),
      entry(Self.base + "books/\(book)", text: item(book, "Salted", later)),
    ]
  }

  private static let (hash, otherHash) = ("9f8e7d6c5b4a39281706f5e4", "0a1b2c3d4e5f60718293a4b5")

  /// Other identifiers, times, hashes and names in the same places are no change.
  @Test(arguments: [(57, 55, 102), (12, 11, 103), (7, 12, 11), (12, 11, 7)])
  func anEqualSessionChangesNothing(book: Int, other: Int, user: Int) async throws {
    try suite.folder.write(
      archive(session(12, 11, 7, "2031-01-05", Self.hash, "ada.l")), to: "first.har")
    let imported = await suite.recordspec("import", path("first.har"), "--output", path("Scenarios/books"))
    #expect(imported.status == 0, "\(imported.errors)")
    #expect(await suite.recordspec("bless").status == 0)
    let before = files
    try suite.folder.write(
      archive(session(book, other, user, "2032-11-30", Self.otherHash, "bea.k")), to: "again.har")
    for name in [
      "books", path("Scenarios/books.yaml"), path("Scenarios"), path("Scenarios/_recordings/books/"),
    ] {
      let updated = await suite.recordspec("import", path("again.har"), "--update", name)
      #expect(
        updated
          == .init(
            status: 0,
            output:
              "unchanged: the new session has the same 4 responses, apart from identifiers and times\n",
            errors: ""), "\(name): \(updated)")
      #expect(files == before)
    }
  }

  @Test func changesOfTheAPIAreReported() async throws {
    try await importFirst(
      entry(
        Self.base + "users",
        text:
          #"[{"id": 1, "name": "x", "size": 3, "tags": ["a"], "rank": 2}, {"id": 2, "name": "y", "size": 4}]"#
      ),
      entry(Self.base + "1/users/1", text: #"{"id": 1, "old": true}"#),
      entry(Self.base + "list", text: #"[{"id": 9}]"#), entry(Self.base + "gone", text: #"{"id": 3}"#),
      entry(Self.base + "nulls", text: #"{"id": 3, "a": null, "b": 1, "c": {"d": 1}}"#))
    let updated = try await update(
      entry(
        Self.base + "users",
        text: #"[{"id": 51, "name": 5, "tags": [7], "rank": 2}, {"id": 52, "name": 6, "new": null}]"#),
      entry(Self.base + "1/users/51", text: #"{"id": 51, "young": false}"#),
      entry(Self.base + "list", status: 403, text: #"{"message": "no"}"#),
      entry(Self.base + "nulls", text: #"{"id": 3, "a": "x", "b": null, "c": {"d": 1.5}}"#),
      entry(Self.base + "more", text: "[]"), entry(Self.base + "more", text: "[]"))
    #expect(updated.status == 1)
    let start = updated.output.split(separator: "changed in the API:\n").last ?? ""
    #expect(
      start.hasPrefix(
        """
          GET /users: [].size is gone
          GET /users: [].new is new (null)
          GET /users: [].name was text, is number
          GET /users: [].tags[] was text, is number
          GET /1/users/{id}: old is gone, young is new; perhaps it was renamed
          GET /list: status 200 is now status 403
          GET /nulls: b was number, is null
        not in the scenario: GET https://api.test/more (2 times); it was not imported
        kept: GET gone, because the new session has no response to this request
        FAIL  books: A recorded session with api.test

        """
      ), "\(updated.output)")
    #expect(
      updated.output.hasSuffix("next: otherwise, take back the files, for example with 'git restore'\n"))
    let scenario = try suite.folder.read("Scenarios/books.yaml")
    #expect(scenario.contains("list: {bodyFile: _recordings/books/03-list.json, status: 403}"), "\(scenario)")
    let body = try suite.folder.read("Scenarios/_recordings/books/01-users.json")
    #expect(body.contains(#"{ "id": 1, "name": 5, "tags": [7], "rank": 2 }"#), "\(body)")
  }

  /// Everything else in the scenario stays as it is, also beside what changes.
  @Test func theScenarioKeepsItsText() async throws {
    let text = """
      # A title
      title:   My title # beside
      model: {entities: {Book: {primaryKey: id, attributes: {id: int64, title: string}}}}

      responses:
        books/7: # first
          - status: 404   # none yet
            # the body
            body: {message: 'none', "list": [1,  2]}
            delay: 1s
          - {optional: true, body: {id: 7, title: Salt}, headers: {ETag: "1", X-Own: a}}   # then
        books:
          body:
          - id: 7   # the first
            title: Salt
          - id: 8

      steps: [{request: Book, urn: books/7, expect: {failure: {status: 404}}}, {request: Book, urn: books}]
      """
    try suite.folder.write(text, to: "Scenarios/books.yaml")
    let updated = try await update(
      entry(Self.base + "books/57", status: 410, text: #"{"message": "gone", "list": [1, 2], "x": 1}"#),
      entry(
        Self.base + "books/57", status: 201, text: #"{"id": 57, "title": "Tide"}"#, headers: [("Vary", "a")]),
      entry(Self.base + "books", text: #"[{"id": 57, "title": "Foam", "n": {"a": [1]}}, {"id": 58}]"#))
    #expect(updated.status == 1 && updated.errors == "", "\(updated)")
    #expect(
      try suite.folder.read("Scenarios/books.yaml")
        == text.replacing("status: 404   #", with: "status: 410   #")
        .replacing(#"{message: 'none', "list": [1,  2]}"#, with: #"{message: gone, "list": [1,  2], x: 1}"#)
        .replacing(
          "title: Salt}, headers: {ETag: \"1\", X-Own: a}}",
          with: "title: Tide}, headers: {X-Own: a, Vary: a}, status: 201}"
        )
        .replacing("title: Salt\n    -", with: "title: Foam\n      n: {a: [1]}\n    -"))
  }

  /// Responses that shared a body differ now.
  @Test func aSharedBodyIsSplit() async throws {
    let body = #"{"id": 1, "title": "Salt"}"#
    try await importFirst(
      entry(Self.base + "books/1", text: body), entry(Self.base + "books/1", text: body),
      entry(Self.base + "other", text: body))
    let updated = try await update(
      entry(Self.base + "books/1", text: body),
      entry(Self.base + "books/1", text: #"{"id": 1, "title": "Tide"}"#))
    #expect(updated.status == 1, "\(updated)")
    let scenario = try suite.folder.read("Scenarios/books.yaml")
    #expect(
      scenario.contains(
        """
          books/1:
            - {bodyFile: _recordings/books/01-books.json}
            - {bodyFile: _recordings/books/02-books.json}
          other: {bodyFile: _recordings/books/01-books.json}
        """), "\(scenario)")
    #expect(try suite.folder.read("Scenarios/_recordings/books/02-books.json").contains("Tide"))
  }

  /// The first and the last response to a request that is repeated more or less often belong together.
  @Test(arguments: [2, 5])
  func repeatedRequestsKeepTheirEnd(count: Int) async throws {
    func poll(_ states: [String], _ id: Int) -> [String] {
      states.map { entry(Self.base + "jobs/\(id)", text: #"{"id": \#(id), "state": "\#($0)"}"#) }
    }
    try suite.folder.write(archive(poll(["queued", "running", "done"], 7)), to: "first.har")
    let imported = await suite.recordspec("import", path("first.har"), "--output", path("Scenarios/books"))
    #expect(imported.status == 0, "\(imported.errors)")
    let states = ["queued"] + Array(repeating: "running", count: count - 2) + ["done"]
    try suite.folder.write(archive(poll(states, 57)), to: "again.har")
    let updated = await suite.recordspec("import", path("again.har"), "--update", "books")
    let rest = count > 3 ? "not in the scenario: GET https://api.test/jobs/57 (2 times)" : "kept: GET jobs/7"
    #expect(updated.status == 0 && updated.output.contains(rest), "\(updated)")
  }

  /// An identifier that stands for two old ones, or shares an old one, is not replaced.
  @Test func conflictsStay() async throws {
    func entries(_ owner: Int, _ editor: Int) -> String {
      entry(Self.base + "notes", text: #"[{"owner_id": \#(owner), "editor_id": \#(editor), "text": "a"}]"#)
    }
    try await importFirst(entries(12, 12))
    let updated = try await update(entries(57, 58))
    #expect(
      updated.errors
        == "warning: these identifiers stay as recorded, because they stand for several old ones, or several stand for one: '57', '58'\n"
    )
    #expect(updated.output.contains("changed in the API: nothing; only values differ\n"))
    let body = try suite.folder.read("Scenarios/_recordings/books/01-notes.json")
    #expect(body.contains("57") && body.contains("58"), "\(body)")
  }

  @Test func otherRequestsAreRefused() async throws {
    try await importFirst(entry(Self.base + "books", text: #"[{"id": 1}]"#))
    let before = files
    let refused = try await update(entry("https://other.test/songs", text: #"[{"id": 1}]"#))
    #expect(
      refused
        == .init(
          status: 2, output: "",
          errors: """
            error: the recording has none of the requests of 'books': they are relative to 'https://api.test/', such as \
            'books', and the first one of the recording is 'GET https://other.test/songs'
            help: record the requests of the scenario, or write a new one with '--output NAME'

            """), "\(refused)")
    #expect(files == before)
    let combined = try await update(
      entry(Self.base + "books", text: "[]"), arguments: ["--output", "more"])
    #expect(
      combined.status == 64 && combined.errors.contains("'--output' cannot be combined with '--update'"))
  }

  /// Aliases would change in several places.
  @Test func aliasesAreRefused() async throws {
    let text = """
      title: Aliases
      model: {entities: {Book: {primaryKey: id, attributes: {id: int64}}}}
      responses: {books: &first {body: [{id: 1}]}, other: *first}
      steps: [{request: Book, urn: books}, {request: Book, urn: other}]
      """
    try suite.folder.write(text, to: "Scenarios/books.yaml")
    let before = files
    let refused = try await update(
      entry(Self.base + "books", text: #"[{"id": 1, "a": 1}]"#),
      entry(Self.base + "other", text: #"[{"id": 1}]"#))
    #expect(refused.status == 2 && refused.output == "", "\(refused)")
    #expect(refused.errors.contains("written in a form that cannot be replaced"), "\(refused.errors)")
    #expect(files == before)
  }

  /// A new name gets a pseudonym that no old one has.
  @Test func newNamesGetNewPseudonyms() async throws {
    func users(_ users: [(Int, String)]) -> String {
      let items = users.map { #"{"id": \#($0.0), "login": "\#($0.1)"}"# }
      return entry(Self.base + "users", text: "[\(items.joined(separator: ", "))]")
    }
    try await importFirst(users([(1, "ada.l"), (2, "max.w")]))
    let updated = try await update(users([(1, "ada.l"), (2, "max.w"), (3, "bea.k")]))
    #expect(updated.output.contains("  login: 'bea.k' -> user-3\n"), "\(updated.output)")
    let body = try suite.folder.read("Scenarios/_recordings/books/01-users.json")
    #expect(body.contains(#"{ "id": 1, "login": "user-1" }"#), "\(body)")
    #expect(body.contains(#"{ "id": 3, "login": "user-3" }"#), "\(body)")
  }
}

/// Tests for the old values of new ones.
struct RoleVotesTests {
  /// The pairs, and the new values without one, as `new old`.
  @Test(arguments: [
    (["57 12", "57 12", "58 11"], ["57": "12", "58": "11"], []),
    (["57 12", "58 12"], [:], ["57", "58"]), (["57 12", "57 11"], [:], ["57"]),
    (["57 12", "57 12", "57 11", "58 11"], ["57": "12", "58": "11"], []),
    (["57 12", "57 12", "58 12"], ["57": "12"], ["58"]),
    (["57 7", "57 7", "58 8", "58 7"], ["57": "7", "58": "8"], []),
    (["2 1", "3 2", "4 3"], ["2": "1", "3": "2", "4": "3"], []),
    // 1 keeps its value, so that 2 cannot get it.
    (["2 1", "3 2", "1"], [:], ["2", "3"]), (["1 1", "2"], ["1": "1"], []),
  ])
  func theMappingIsInjective(pairs: [String], values: [String: String], conflicts: [String]) {
    var votes = RoleVotes()
    for pair in pairs {
      let parts = pair.split(separator: " ").map(String.init)
      votes.see(parts[0])
      if parts.count == 2 { votes.add(new: parts[0], old: parts[1]) }
    }
    let mapping = votes.mapping
    #expect(mapping.values == values && mapping.conflicts == conflicts, "\(mapping)")
  }
}
