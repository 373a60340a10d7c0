import Foundation
import JSONTree
import TestSupport
import Testing

@testable import ScenarioComparison
@testable import ScenarioFormat
@testable import ScenarioReport
@testable import ScenarioRun

/// Tests for `recordspec import`.
struct ImportCommandTests {
  private let suite: CommandSuite

  init() throws {
    suite = try CommandSuite()
    try suite.folder.write("", to: ".recordspec.yaml")
  }

  private func path(_ name: String) -> String { suite.folder.path + "/" + name }

  /// The scenario is below the folder of scenarios, however it is named.
  @Test(arguments: [
    ("books", "Scenarios/books.yaml"), ("list/books.yaml", "Scenarios/list/books.yaml"),
    ("$/Scenarios/a/books", "Scenarios/a/books.yaml"),
    ("$/Scenarios/../Scenarios/books", "Scenarios/books.yaml"),
  ])
  func theScenarioIsInTheSuite(output: String, file: String) async throws {
    try suite.folder.write(archive(entry("https://api.test/books", text: #"[{"id": 1}]"#)), to: "a.har")
    let imported = await suite.recordspec(
      "import", path("a.har"), "-o", output.replacing("$", with: suite.folder.path))
    #expect(imported.status == 0, "\(imported.errors)")
    #expect(suite.folder.tree.keys.contains(file), "\(suite.folder.tree.keys.sorted())")
    let others = Set(suite.folder.tree.keys).subtracting(["a.har", ".recordspec.yaml"])
    #expect(others.allSatisfy { $0.hasPrefix("Scenarios/") }, "\(others.sorted())")
    let name = file.dropFirst("Scenarios/".count).dropLast(".yaml".count)
    #expect(imported.output.hasSuffix("next: recordspec bless \(name)\n"), "\(imported.output)")
  }

  @Test(arguments: [
    (
      "../books",
      "error: '../books' is outside of the folder of scenarios 'Scenarios'\nhelp: write a name below it, such as 'books'"
    ),
    ("$/books", "error: 'books' is outside of the folder of scenarios"),
    ("./books", "error: './books' is outside of"),
    ("a/../../books", "error: 'a/../../books' is outside of"),
    ("_a/books", "folders whose names start with '_'"),
    ("app.model.yaml", "is the name of a model file"), ("old", "'Scenarios/old.yml' exists, and would"),
  ])
  func aScenarioOutsideTheSuiteIsAnError(output: String, message: String) async throws {
    try suite.folder.write(archive(entry("https://api.test/books", text: #"[{"id": 1}]"#)), to: "a.har")
    try suite.folder.write(scenario(), to: "Scenarios/old.yml")
    let before = suite.folder.tree
    let refused = await suite.recordspec(
      "import", path("a.har"), "-o", output.replacing("$", with: suite.folder.path))
    #expect(refused.status == 64 && refused.output == "" && suite.folder.tree == before)
    #expect(refused.errors.contains(message), "\(refused.errors)")
  }

  @Test(arguments: [
    (
      ["import", "https://api.test/books"],
      "save the session first: curl -i https://api.test/books > session.txt"
    ),
    (
      ["new", "a", "--response", "https://api.test/books"],
      "save the response first: curl https://api.test/books > response.json"
    ),
  ])
  func aURLIsNoFile(arguments: [String], advice: String) async {
    let refused = await suite.recordspec(arguments)
    #expect(
      refused
        == .init(
          status: 2, output: "",
          errors: """
            https://api.test/books: error: this is a URL, not a file [unreadable-file]
                  = help: \(advice)

            """), "\(refused.errors)")
  }

  /// The body of a response is no recording. It leads to 'recordspec new'.
  @Test(arguments: [
    #"[{"id": 1, "title": "Salt"}, {"id": 2}]"#, #"{"data": [{"id": 1}], "total": 1}"#, "{}",
    #"{"id": 1, "url": "https://api.test/books/1", "status": "open"}"#,
  ])
  func theBodyOfAResponseIsNoRecording(body: String) async throws {
    try suite.folder.write(body, to: "books.json")
    let refused = await suite.recordspec("import", path("books.json"))
    #expect(refused.status == 2 && refused.output == "")
    #expect(
      refused.errors.hasPrefix(
        "books.json:1:1: error: this is the body of a response, not a recorded session"),
      "\(refused.errors)")
    #expect(
      refused.errors.hasSuffix(
        "help: write a scenario of it with 'recordspec new NAME --response books.json'\n"),
      "\(refused.errors)")
  }

  /// Imports a recording, and runs the scenario until it passes.
  private func pass(
    _ recording: String, _ arguments: [String] = [], file: String = "session.har"
  ) async throws -> String {
    try suite.folder.write(recording, to: file)
    let imported = await suite.recordspec(
      ["import", path(file), "--output", path("Scenarios/books")] + arguments)
    #expect(imported.status == 0, "\(imported.errors)")
    #expect(
      imported.output.hasSuffix("next: recordspec run books\nnext: recordspec bless books\n"),
      "\(imported.output)")
    let blessed = await suite.recordspec("bless")
    #expect(blessed.status == 0, "\(blessed.output)\(blessed.errors)")
    let run = await suite.recordspec("run")
    #expect(run.status == 0, "\(run.output)")
    let checked = await suite.recordspec("check")
    // A property of the model may be in no response.
    let isWarned = checked.output.contains("[missing-property]")
    #expect(checked.output.hasSuffix(isWarned ? "1 valid, 0 invalid, 1 warning\n" : "1 valid, 0 invalid\n"))
    return try suite.folder.read("Scenarios/books.yaml")
  }

  /// The last lines name what to check first, and count the rest.
  @Test func weakGuessesAreCounted() async throws {
    let book =
      #"{"id": 1, "title": "Salt", "a": null, "b": null, "c": null, "d": null, "tags": [], "note": {"x": 1}}"#
    try suite.folder.write(archive(entry("https://api.test/books", text: "[\(book)]")), to: "session.har")
    let imported = await suite.recordspec("import", path("session.har"), "--output", path("Scenarios/books"))
    #expect(
      imported.output.hasSuffix(
        """
        check 6 weak guesses in Scenarios/books.model.yaml:
          Book.a, Book.b, Book.c and 1 more: only nulls, so that the type is unknown
          Book.tags: only empty lists
          Book: the primary key has a single value
        next: check the guesses, which are the comments in Scenarios/books.model.yaml
        next: recordspec run books
        next: recordspec bless books

        """), "\(imported.output)\(imported.errors)")
  }

  @Test func aSessionBecomesAScenario() async throws {
    let to = { (location: String) in [("Location", location)] }
    let scenario = try await pass(
      archive(
        entry(
          "https://api.test/books", text: #"{"books": [{"id": 1}]}"#,
          headers: [("ETag", "v1"), ("Server", "x")]),
        entry("https://api.test/books", text: #"{"books": []}"#),
        entry("https://api.test/books", status: 304),
        entry("https://api.test/old", status: 301, headers: to("/books/1")),
        entry("https://api.test/books/1", text: #"{"id": 1, "title": "Salt"}"#),
        entry("https://api.test/books", method: "POST", status: 422, text: #"{"error": "x"}"#),
        entry("https://api.test/books/1", method: "DELETE", status: 204, content: "{}"),
        entry("https://people.test/people", text: #"[{"id": 7, "name": "x"}]"#),
        entry("https://api.test/logo.png", type: "image/png", text: "x")))
    #expect(
      scenario == """
        title: A recorded session with api.test
        model: books.model.yaml
        baseURL: "https://api.test/"
        servers: {Person: "https://people.test/"}
        options: {drift: true}

        responses:
          books:
            - bodyFile: _recordings/books/01-books.json
              headers: {ETag: v1}
            - {bodyFile: _recordings/books/02-books.json}
            - {status: 304}
          old:
            status: 301
            headers: {Location: "/books/1"}
          books/1: {bodyFile: _recordings/books/03-books.json}
          POST books: {bodyFile: _recordings/books/04-books.json, status: 422}
          DELETE books/1: {status: 204}
          "https://people.test/people": {bodyFile: _recordings/books/05-people.json}

        steps:
          - {request: Book, urn: books}
          - request: Book
            urn: books
            expect: {records: []}
          # 304 is a success only with 'cache: true' in the entity, for a stored response
          - request: Book
            urn: books
            expect:
              failure: {status: 304}
          - request: Book
            urn: old
            options: {responseKeyPath: []}
          - request: Book
            urn: books
            method: POST
            expect:
              failure: {status: 422}
          - {request: Book, urn: books/1, method: DELETE}
          - {request: Person, urn: "https://people.test/people"}

        """, "\(scenario)")
  }

  /// Exchanges that recorders write in unusual ways become scenarios that pass.
  @Test func unusualExchangesPass() async throws {
    let scenario = try await pass(
      archive(
        entry("https://api.test/", text: #"{"id": 1, "title": "Salt"}"#),
        entry("https://api.test", text: #"{"id": 1, "title": "Salt"}"#),
        entry("https://api.test/books?id=1&id=2", text: #"[{"id": 1, "title": "Salt"}]"#),
        entry("https://api.test/none", text: "null"),
        entry("https://api.test/books", status: 206, text: #"[{"id": 3, "title": "Tide"}]"#),
        entry(
          "https://api.test/books", status: 206, text: #"[{"id": 3, "title": "Tide"}]"#,
          requestHeaders: [("Range", "books=0-0")]),
        entry("https://api.test/cached", status: 304, text: #"[{"id": 4, "title": "Foam"}]"#),
        entry("https://api.test/out", status: 302, headers: [("Location", "https://other.test/lists/1")]),
        entry("https://other.test/lists/1", text: #"{"id": 1, "size": 2}"#)))
    for part in [
      "\n  \"/\":\n    - ", "- {request: Book, urn: \"/\"}\n", "urn: \"books?id=1&id=2\"",
      "urn: none\n    expect: {records: []}", "urn: books\n    expect:\n      failure: {status: 206}",
      "headers: {Range: books=0-0}",
      "# recorded with status 304, and with the body in the cache of the client\n",
      "- {request: List, urn: out}",
    ] {
      #expect(scenario.contains(part), "\(part) in \(scenario)")
    }
    #expect(!scenario.contains("servers:"))
  }

  /// The server of an entity is the one that its bodies are sent to.
  @Test func aBodyIsSentToTheServerOfItsEntity() async throws {
    let scenario = try await pass(
      #"""
      [{"url": "https://api.test/ping", "status": 204, "response": ""},
       {"url": "https://log.test/logs", "method": "POST", "status": 200, "body": {"a": 1}, "response": {"id": 1}}]
      """#)
    #expect(scenario.contains("servers: {Log: \"https://log.test/\"}"), "\(scenario)")
    #expect(scenario.contains("urn: \"https://api.test/ping\""))
  }

  /// The engine sends the bodies of an entity to one server only. The step expects this failure.
  @Test func whatTheEngineRefusesIsExpected() async throws {
    let recording = #"""
      [{"url": "https://api.test/books", "status": 200, "response": [{"id": 1}]},
       {"url": "https://a.test/books", "method": "POST", "status": 201, "body": {"n": 1}, "response": {"id": 2}},
       {"url": "https://b.test/books", "method": "POST", "status": 201, "body": {"n": 2}, "response": {"id": 3}}]
      """#
    let scenario = try await pass(recording)
    #expect(
      scenario.split(separator: "\n").count { $0.contains("failure: untrusted-origin") } == 2, "\(scenario)")
    #expect(scenario.contains("optional: true"))
    let again = await suite.recordspec("import", path("session.har"), "--output", path("Scenarios/again"))
    #expect(again.status == 0)
    #expect(
      again.errors.contains(
        "warning: step 2 expects the failure 'untrusted-origin': the body is not sent to another origin"),
      "\(again.errors)")
  }

  /// Only failing responses have JSON objects.
  @Test func errorsAreNoSamplesOfAModel() async throws {
    let text = #"[{"url": "https://api.test/me", "status": 401, "response": {"message": "no"}}]"#
    try suite.folder.write(text, to: "a.json")
    let refused = await suite.recordspec("import", path("a.json"))
    #expect(refused.status == 2)
    #expect(
      refused.errors.contains(
        "only failing responses contain JSON objects, such as the one to 'GET https://api.test/me' with status 401\n"
          + "help: record successful responses too, or name a model with '--model'"), "\(refused.errors)")
  }

  @Test func bodiesThatWereNotRecordedAreNamed() async throws {
    try suite.folder.write(
      archive(entry("https://api.test/a", text: #"[{"id": 1}]"#), entry("https://api.test/b", content: "{}")),
      to: "a.har")
    let imported = await suite.recordspec("import", path("a.har"))
    #expect(
      imported.output.contains(
        "left out: 1 response whose body the recording does not contain\nhelp: to import these responses"),
      "\(imported.output)")
  }

  /// The trial of a scenario does not read the graph after each step.
  @Test(.timeLimit(.minutes(10))) func aLongSessionIsImportedInLinearTime() async throws {
    var number = 0
    let factor = try await Growth.factor(from: 30) { size in
      number += 1
      let exchanges = (0..<size).map { page in
        let items = (0..<10).map {
          #"{"id": \#(page * 10 + $0), "title": "t\#($0)", "shop": {"id": \#(page % 7)}}"#
        }
        return
          #"{"url": "https://api.test/books?n=\#(page)", "status": 200, "response": [\#(items.joined(separator: ","))]}"#
      }
      try suite.folder.write("[" + exchanges.joined(separator: ",") + "]", to: "long\(number).json")
      return number
    } work: { number in
      let imported = await suite.recordspec("import", path("long\(number).json"), "--force")
      #expect(imported.status == 0, "\(imported.errors)")
    }
    #expect(factor < Growth.bound, "\(factor)")
  }

  @Test(arguments: [
    (
      #"{"items": [{"id": 1}], "links": {"next": "books?p=2"}}"#, "books?p=2",
      "paging:\n  address: {at: links.next}"
    ),
    (
      #"{"items": [{"id": 1}], "next_cursor": "x1"}"#, "books?after=x1",
      "paging:\n  cursor: {at: next_cursor, parameter: after}"
    ),
  ])
  func pagesAreOneStep(first: String, next: String, paging: String) async throws {
    let scenario = try await pass(
      archive(
        entry("https://api.test/books", text: first),
        entry("https://api.test/" + next, text: #"{"items": [{"id": 2}]}"#),
        entry("https://api.test/films", text: #"[{"id": 2}]"#)))
    #expect(scenario.contains(paging), "\(scenario)")
    #expect(scenario.contains("- {page: Book, urn: books, upTo: all}"), "\(scenario)")
    #expect(scenario.contains("- {request: Film, urn: films}"))
  }

  @Test(arguments: [
    (["books?page=1", "books?page=2"], "\"pages\": 2", "pageNumber: {pageCount: pages}", "all"),
    (["books", "books?page=2", "books?page=3"], "\"total\": 9", "pageNumber: {total: total}", "3"),
    (
      ["books?p=0&size=1", "books?p=1&size=1"], "\"total\": 2",
      "pageNumber: {parameter: p, firstPage: 0, sizeParameter: size, total: total}", "all"
    ),
    (
      ["books?skip=0&limit=1", "books?limit=1&skip=1"], "\"total\": 2",
      "offset: {parameter: skip, total: total}", "all"
    ),
    (["books?offset=5", "books?offset=6"], "\"count\": 1", "offset", "2"),
    // These are not the next page.
    (["books?page=1", "books?page=3"], "\"pages\": 3", nil, "1"),
    (["books?offset=0&limit=1", "books?offset=5&limit=1"], "\"total\": 9", nil, "1"),
    (["books?year=1", "books?year=2"], "\"total\": 9", nil, "1"),
  ])
  func numberedPagesAreOneStep(urls: [String], more: String, paging: String?, upTo: String) async throws {
    let entries = urls.enumerated().map { index, url in
      entry("https://api.test/\(url)", text: "{\"books\": [{\"id\": \(index)}], \(more)}")
    }
    let scenario = try await pass(archive(entries))
    #expect(scenario.contains("upTo: \(upTo)}") == (paging != nil), "\(scenario)")
    guard let paging else {
      #expect(!scenario.contains("paging:"), "\(scenario)")
      return
    }
    #expect(
      scenario.contains(paging == "offset" ? "paging: offset\n" : "paging:\n  \(paging)\n"), "\(scenario)")
  }

  /// The golden file records the drift of the responses, and the output names it.
  @Test(arguments: [
    (#"[{"id": 1, "title": "x"}]"#, nil, nil), (#"[{"id": 1}]"#, "id: int64", nil),
    (#"[{"id": 1, "title": "x"}]"#, "id: int64", "Book: no property reads 'title'"),
    (#"[{"id": 1}]"#, "id: int64, title: string", "Book: some responses have no 'title'"),
    (#"[{"id": "1"}]"#, "id: int64", "Book: unexpected types: 'id'"),
    (
      #"[{"id": "1", "a": 1, "d": 1, "c": 1, "b": 1}]"#, "id: int64",
      "Book: no property reads 'a', 'b', 'c' and 1 more; unexpected types: 'id'"
    ),
  ])
  func driftIsReported(response: String, attributes: String?, line: String?) async throws {
    if let attributes {
      try suite.folder.write(
        "entities: {Book: {primaryKey: id, attributes: {\(attributes)}}}", to: "Scenarios/_app.model.yaml")
    }
    let arguments = attributes == nil ? [] : ["--model", path("Scenarios/_app.model.yaml")]
    let scenario = try await pass(archive(entry("https://api.test/books", text: response)), arguments)
    #expect(scenario.contains("\noptions: {drift: true}\n"), "\(scenario)")
    let golden = try suite.folder.read("Golden/books.json")
    #expect(golden.contains(#""drift": {}"#) == (line == nil), "\(golden)")
    let start = "\ndrift: on; the golden file also records "
    let words = "differences between the responses and the model"
    let again = await suite.recordspec(
      ["import", path("session.har"), "--output", "books", "--force"] + arguments)
    #expect(
      again.output.contains(line.map { "\(start)these \(words):\n  \($0)\n" } ?? "\(start)\(words)\n"),
      "\(again.output)")
  }

  @Test func bodiesOfRequestsAreKept() async throws {
    let scenario = try await pass(
      #"""
      [{"url": "https://api.test/books", "method": "POST", "status": 201, "response": {"id": 1},
        "body": {"title": "Salt", "author_email": "ada@x.test"}},
       {"url": "https://api.test/books", "method": "POST", "status": 201, "response": {"id": 2}, "body": "title=Tide",
        "reqheaders": {"content-type": "application/x-www-form-urlencoded"}},
       {"url": "https://api.test/books", "method": "PUT", "status": 200, "response": {"id": 3}, "body": "<x>",
        "reqheaders": {"content-type": "text/xml"}}]
      """#)
    #expect(scenario.contains("json: {title: Salt, author_email: person1@example.com}"), "\(scenario)")
    #expect(scenario.contains("form: {title: Tide}"))
    #expect(scenario.contains("# the body of the request (text/xml) is not imported"))
  }

  @Test func aModelOfTheUserIsUsed() async throws {
    try suite.folder.write(
      """
      entities:
        Book: {primaryKey: id, attributes: {id: int64, title: string}}
        User: {primaryKey: id, attributes: {id: int64}}
      """,
      to: "Scenarios/_models/app.model.yaml")
    let scenario = try await pass(
      archive(entry("https://api.test/x", text: #"{"data": [{"id": 1, "title": "Salt"}]}"#)),
      ["--model", path("Scenarios/_models/app.model.yaml")])
    #expect(scenario.contains("model: _models/app.model.yaml\n"))
    #expect(scenario.contains("# guessed: 'Book' reads 2 of 2 keys of the items, 'User' 1"))
    #expect(scenario.contains("options: {responseKeyPath: data}"), "\(scenario)")
    #expect(!suite.folder.tree.keys.contains("Scenarios/books.model.yaml"))
  }

  @Test func anEntityThatDoesNotFitIsAWarning() async throws {
    try suite.folder.write(
      """
      entities:
        Item: {primaryKey: isbn, attributes: {isbn: string}}
        Book: {parent: Item, attributes: {title: {type: string, from: name}, pages: int32}}
        Shop: {primaryKey: id, attributes: {id: int64, name: string, town: string}}
      """,
      to: "Scenarios/_models/app.model.yaml")
    let bodies = [
      #"[{"id": 1, "name": "x", "a": 1, "b": 2, "c": 3, "d": 4, "e": 5, "f": 6}]"#,
      #"[{"name": "x", "pages": 2}]"#,
      #"[{"zip": 1}]"#, #"[{"zip": 1}]"#, "[]",
    ]
    try suite.folder.write(
      archive(bodies.enumerated().map { entry("https://api.test/x\($0)", text: $1) }.joined(separator: ",")),
      to: "a.har")
    let imported = await suite.recordspec(
      "import", path("a.har"), "--model", path("Scenarios/_models/app.model.yaml"))
    #expect(imported.status == 0)
    #expect(
      imported.errors == """
        warning: 'Book' does not fit the items of 'x1': of their keys, it reads only 'name', 'pages'; they lack 'isbn'; their primary key 'isbn' is missing
        help: name another entity in the step, or change the model
        warning: 'Item' does not fit the items of 'x2': it reads none of their keys; they lack 'isbn'; their primary key 'isbn' is missing; it does not read 'zip'
        help: name another entity in the step, or change the model

        """, "\(imported.errors)")
  }

  @Test func aRecordingWithoutURLNeedsOne() async throws {
    for name in ["books", "films"] {
      try suite.folder.write("HTTP/2 200\n\n[{\"id\": 1}]\n", to: "\(name).txt")
    }
    try suite.folder.write(archive(entry("https://api.test/x", text: #"[{"id": 1}]"#)), to: "x.har")
    let two = await suite.recordspec(
      "import", path("books.txt"), path("films.txt"), "--url", "https://api.test/books")
    #expect(two.status == 64 && two.output == "")
    #expect(
      two.errors == """
        error: '--url' is the URL of one recording, but 2 contain none: 'books.txt', 'films.txt'
        help: import them one by one; without '--url', the name of each file becomes its path

        """, "\(two.errors)")
    let none = await suite.recordspec("import", path("x.har"), "--url", "https://api.test/books")
    #expect(none.status == 64)
    #expect(
      none.errors
        == "error: '--url' has no effect, because the recordings contain the URLs of their requests\n")
    #expect(suite.folder.tree["Scenarios/books.yaml"] == nil && suite.folder.tree["Scenarios/x.yaml"] == nil)
    let guessed = await suite.recordspec("import", path("books.txt"), path("x.har"))
    #expect(guessed.status == 0)
    #expect(
      guessed.errors == """
        warning: 'books.txt' does not contain the URL of its request; 'https://api.test/books' is made up
        help: import it again with '--url URL --force' to name the URL

        """, "\(guessed.errors)")
    let named = await suite.recordspec(
      "import", path("films.txt"), path("x.har"), "--url", "https://api.test/films?a=1")
    #expect(named.status == 0 && named.errors == "")
    #expect(try suite.folder.read("Scenarios/films.yaml").contains("films?a=1:"))
  }

  @Test(arguments: [nil, "app.model.yaml"])
  func aRecordingWhoseExchangesAreAllLeftOutIsAnError(model: String?) async throws {
    try suite.folder.write(
      "entities: {Book: {primaryKey: id, attributes: {id: int64}}}", to: "app.model.yaml")
    try suite.folder.write(archive(entry("https://api.test/x", type: "image/png", text: "x")), to: "a.har")
    let options = model.map { ["--model", path($0)] } ?? []
    let refused = await suite.recordspec(["import", path("a.har")] + options)
    #expect(refused.status == 2 && refused.output == "")
    #expect(refused.errors == "error: the recording contains nothing to import; left out: 1 image\n")
  }

  @Test func nothingIsOverwrittenWithoutBeingTold() async throws {
    let recording = archive(entry("https://api.test/books", text: #"[{"id": 1, "password": "hunter22"}]"#))
    try suite.folder.write(recording, to: "books.har")
    try suite.folder.write("mine", to: "Scenarios/books.model.yaml")
    let before = suite.folder.tree
    let refused = await suite.recordspec("import", path("books.har"))
    #expect(refused.status == 64 && refused.output == "")
    #expect(
      refused.errors == """
        error: 'Scenarios/books.model.yaml' exists already
        error: no file was written; '--force' replaces existing files

        """, "\(refused.errors)")
    #expect(suite.folder.tree == before)
    #expect(await suite.recordspec("import", path("books.har"), "--force").status == 0)
    #expect(!suite.folder.tree.contains { $0.key.hasPrefix("Scenarios/") && $0.value.contains("hunter22") })
    let kept = await suite.recordspec("import", path("books.har"), "--force", "--keep-values")
    #expect(kept.output.contains("replaced: nothing"))
    #expect(suite.folder.tree.contains { $0.key.hasPrefix("Scenarios/") && $0.value.contains("hunter22") })
  }

  /// A body of an earlier import may contain what is replaced now.
  @Test func bodiesOfAnEarlierImportAreNamed() async throws {
    let url = "https://api.test/users/ada?access_token=hunter22"
    try suite.folder.write(archive(entry(url, text: #"[{"id": 1, "login": "ada"}]"#)), to: "a.har")
    #expect(await suite.recordspec("import", path("a.har"), "--keep-values").errors == "")
    try suite.folder.write("{}", to: "Scenarios/_recordings/a/99-former.json")
    let again = await suite.recordspec("import", path("a.har"), "--force", "--keep-values")
    #expect(again.status == 0)
    #expect(
      again.errors
        == "warning: 'Scenarios/_recordings/a/99-former.json' is not used; remove it if it is from an earlier import\n",
      "\(again.errors)")
    #expect(suite.folder.tree.keys.contains("Scenarios/_recordings/a/99-former.json"))
  }

  @Test func noFileIsWrittenThroughALink() async throws {
    try suite.folder.write(archive(entry("https://api.test/books", text: #"[{"id": 1}]"#)), to: "books.har")
    try suite.folder.makeFolder("elsewhere")
    try suite.folder.link("Scenarios/_recordings", to: path("elsewhere"))
    let refused = await suite.recordspec("import", path("books.har"), "--force")
    #expect(refused.status == 3 && refused.errors.contains("leads out of the folder"), "\(refused.errors)")
    #expect(!suite.folder.tree.keys.contains("Scenarios/books.yaml"))
  }

  @Test(arguments: [
    (#"{"log": {"entries": 1}}"#, "expected a list for 'entries'", 2 as Int32),
    ("[1]", "expected an object", 2),
    (#"[{"url": "https://api.test/a", "status": 200, "response": [1, 2]}]"#, "contains a JSON object", 2),
    (
      #"[{"url": "https://api.test/a", "status": 200, "response": "<p>"}]"#,
      "left out: 1 other response without JSON", 2
    ),
    (
      #"[{"url": "https://api.test/a", "status": 200, "response": 1}, {"url": "https://api.test/b", "status": 999}]"#,
      """
      error: no model can be inferred, because no response of the recording contains a JSON object; left out: 1 response \
      with an invalid status
      help: name a model with '--model'

      """, 2
    ),
  ])
  func whatCannotBeImportedIsAnError(recording: String, message: String, status: Int32) async throws {
    try suite.folder.write(recording, to: "a.json")
    let refused = await suite.recordspec("import", path("a.json"))
    #expect(refused.status == status && refused.errors.contains(message), "\(refused.errors)")
    #expect(suite.folder.tree.keys.sorted() == [".recordspec.yaml", "a.json"])
  }

  @Test func aFolderAmongTheRecordingsIsAnError() async throws {
    try suite.folder.write(#"[{"url": "https://api.test/a", "response": {"id": 1}}]"#, to: "a.json")
    try suite.folder.makeFolder("Books")
    let refused = await suite.recordspec("import", path("a.json"), path("Books"))
    #expect(refused.status == 2)
    #expect(refused.errors.contains("Books: error: this is a folder, not a recording [unreadable-file]\n"))
    #expect(refused.errors.contains("help: name the scenario to write with '--output"))
    #expect(suite.folder.tree.keys.sorted() == [".recordspec.yaml", "a.json"])
  }

  @Test func aModelThatIsTooWideIsAnError() async throws {
    let members = (0..<2500).map { "\"k\($0)\": 1" }.joined(separator: ", ")
    try suite.folder.write(archive(entry("https://api.test/x", text: "{\(members)}")), to: "a.har")
    let refused = await suite.recordspec("import", path("a.har"))
    #expect(refused.status == 2 && refused.errors.contains("at most 1996 are allowed"), "\(refused.errors)")
    #expect(refused.errors.hasSuffix("error: no file was written; name a model with '--model'\n"))
  }

  @Test func aModelOutsideTheProjectIsAnError() async throws {
    let other = try TemporaryFolder()
    try other.write("entities: {Book: {attributes: {id: int64}}}", to: "a.model.yaml")
    try suite.folder.write(archive(entry("https://api.test/x", text: #"[{"id": 1}]"#)), to: "a.har")
    let refused = await suite.recordspec("import", path("a.har"), "--model", other.path + "/a.model.yaml")
    #expect(refused.status == 2, "\(refused.output)")
    #expect(
      refused.errors.hasPrefix("Scenarios/a.yaml: error: ") && refused.errors.contains("[outside-file]"))
    #expect(suite.folder.tree.keys.sorted() == [".recordspec.yaml", "a.har"])
    let allowed = await suite.recordspec(
      "import", path("a.har"), "--model", other.path + "/a.model.yaml", "--allow-outside", other.path)
    #expect(allowed.status == 0, "\(allowed.errors)")
  }

  /// The model of random records reads them without a diagnostic.
  @Test(arguments: sampled(Array(1...60 as ClosedRange<UInt64>)))
  func anInferredModelReadsItsResponses(seed: UInt64) async throws {
    var records = RandomRecords(seed: seed)
    let responses = records.responses()
    let exchanges = responses.enumerated().map { index, response in
      JSONValue.object([
        "url": .string("https://api.test/\(response.name)?n=\(index)"), "status": 200,
        "response": response.json,
      ])
    }
    try suite.folder.write(JSONValue.array(exchanges).compactText(), to: "a.json")
    let imported = await suite.recordspec("import", path("a.json"), "--keep-values")
    try #require(imported.status == 0, "seed \(seed): \(imported.errors)")
    let loaded = Scenario.load(path: path("Scenarios/a.yaml"), root: path("Scenarios"))
    let scenario = try #require(loaded.scenario, "seed \(seed): \(loaded.diagnostics.map(\.message))")
    let executed = await ScenarioExecution.execute(scenario, on: .memory)
    #expect(executed.findings.map(\.message) == [], "seed \(seed)")
    for step in executed.snapshot.steps {
      #expect(step.diagnostics.map(\.code) == [], "seed \(seed): \(JSONValue.array(exchanges).compactText())")
    }
    #expect(!executed.snapshot.graph.records.isEmpty, "seed \(seed)")
  }
}

/// Random records of a few entities, as responses.
private struct RandomRecords {
  private var generator: SeededGenerator
  private let words = ["book", "author", "tag", "shop", "film", "city"]

  init(seed: UInt64) { generator = SeededGenerator(seed: seed) }

  private mutating func number(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &generator) }

  mutating func responses() -> [(name: String, json: JSONValue)] {
    (0..<number(1...3)).map { _ in
      let entity = number(0...5)
      let items = (0..<number(1...4)).map { _ in item(entity, number(1...9), depth: 0) }
      let list = JSONValue.array(items)
      let name = words[entity] + "s"
      switch number(0...2) {
      case 0: return (name, list)
      case 1: return (name, ["total": 3, "items": list])
      default: return (name, ["data": .object([name: list])])
      }
    }
  }

  /// Returns a record. Its identifier determines its values, so that equal identifiers mean equal records.
  private func item(_ entity: Int, _ id: Int, depth: Int) -> JSONValue {
    var members: JSONObject = ["id": .number(JSONNumber(Int64(id)))]
    for index in 0..<(entity % 3 + 2) {
      let key = "\(words[entity])_\(["size", "title", "price", "is_open", "made_at"][index])"
      switch index {
      case 0: members[key] = .number(JSONNumber(Int64(id) * 1000))
      case 1: members[key] = id % 4 == 0 ? .null : .string("text \(id)")
      case 2: members[key] = .number(JSONNumber(digits: "\(id).5") ?? JSONNumber(0))
      default: members[key] = .boolean(id % 2 == 0)
      }
    }
    members["made_at"] = .string("2031-05-0\(id)T10:00:00Z")
    guard depth < 2 else { return .object(members) }
    // Whether a record has other records depends only on its entity.
    if entity % 2 == 0 {
      members[words[(entity + 1) % 6]] = item((entity + 1) % 6, id * 2 % 9 + 1, depth: depth + 1)
    }
    if entity % 3 == 0 {
      members[words[(entity + 2) % 6] + "s"] = .array(
        (0..<id % 4).map { item((entity + 2) % 6, (id + $0) % 9 + 1, depth: depth + 1) })
    }
    if entity == 4 { members["place"] = ["street": "x", "number": .number(JSONNumber(Int64(id)))] }
    return .object(members)
  }
}
