import Foundation
import TestSupport
import Testing

@testable import RecordSpec
@testable import RecordSpecCommand

/// Tests for `recordspec new`.
struct NewCommandTests {
  private let suite: CommandSuite

  init() throws {
    suite = try CommandSuite()
    try suite.folder.write("", to: ".recordspec.yaml")
  }

  private func path(_ name: String) -> String { suite.folder.path + "/" + name }

  private static let model = """
    dateFormat: yyyy-MM-dd
    entities:
      Book:
        primaryKey: isbn
        responseKeyPath: data.books
        attributes:
          isbn: string
          pages: {type: int32, from: info.page_count}
          title: {type: string, from: info.title}
          isRead: boolean
          published: date
          cover: binary
          price: decimal
          code: uuid
          link: uri
          extra: transformable
        relationships: {author: {to: Author, inverse: books}}
      Author:
        primaryKey: id
        attributes: {id: int64, name: string}
        relationships: {books: {toMany: Book, inverse: author}}

    """

  /// Runs the scenario as new, blesses it, and expects it to be valid without warnings.
  private func pass(_ name: String, records: String) async throws {
    let new = await suite.recordspec("run", name)
    #expect(new.status == 1 && new.output.hasPrefix("NEW   \(name): "), "\(new.output)\(new.errors)")
    #expect(new.output.contains(records), "\(new.output)")
    let blessed = await suite.recordspec("bless", name)
    #expect(blessed.status == 0, "\(blessed.output)\(blessed.errors)")
    #expect(await suite.recordspec("run", name).output == "1 passed, 0 failed, 0 skipped\n")
  }

  @Test(arguments: ["posts", "posts.yaml", "feed/home/posts"])
  func aTemplateRuns(name: String) async throws {
    let written = await suite.recordspec("new", name)
    let plain = name.replacing(".yaml", with: "")
    #expect(written.status == 0 && written.errors == "", "\(written.errors)")
    #expect(
      written.output == """
        wrote Scenarios/\(plain).yaml: an example
        wrote Scenarios/scenario.schema.json: the schema for editors
        next: recordspec run \(plain)

        """, "\(written.output)")
    let up = name.contains("/") ? "../../" : ""
    let text = try suite.folder.read("Scenarios/\(plain).yaml")
    #expect(
      text.hasPrefix(
        """
        # yaml-language-server: $schema=\(up)scenario.schema.json
        # $schema: \(up)scenario.schema.json

        # The title
        """), "\(text)")
    #expect(try suite.folder.read("Scenarios/scenario.schema.json") == FormatSchema(of: .scenario).text)
    try await pass(plain, records: "2 Post")
    #expect(await suite.recordspec("check", "--strict").status == 0)
    let second = await suite.recordspec("new", "second", "--title", "It's: a title")
    #expect(!second.output.contains("schema"))
    #expect(try suite.folder.read("Scenarios/second.yaml").contains("\ntitle: \"It's: a title\"\n"))
  }

  @Test func aResponseBecomesAScenario() async throws {
    try suite.folder.write(Self.model, to: "App/app.model.yaml")
    try suite.folder.write(
      #"{"data": {"books": [{"isbn": "a", "info": {"title": "Salt", "page_count": 9}, "isRead": true, "price": 3, "published": "2031-01-05"}]}}"#,
      to: "App/books.json")
    try suite.folder.write(#"[{"id": 7, "name": "Ada"}]"#, to: "App/people.json")
    let arguments = ["--response", path("App/books.json"), "--response", path("App/people.json")]
    let written = await suite.recordspec(
      ["new", "a/list", "--model", path("App/app.model.yaml")] + arguments)
    #expect(written.status == 0 && written.errors == "", "\(written.errors)")
    #expect(written.output.hasPrefix("wrote Scenarios/a/list.yaml: 2 responses, 2 steps\n"))
    #expect(
      try suite.folder.read("Scenarios/a/list.yaml") == """
        # yaml-language-server: $schema=../scenario.schema.json
        # $schema: ../scenario.schema.json

        title: Responses become Book and Author records
        model: "../../App/app.model.yaml"
        baseURL: "https://api.test/"

        responses:
          # guessed: the address is made up from the name of the file
          books: {bodyFile: "../../App/books.json"}
          # guessed: the address is made up from the name of the file
          people: {bodyFile: "../../App/people.json"}

        steps:
          # guessed: 'Book' reads 5 of 5 keys of the items
          - {request: Book, urn: books}
          # guessed: 'Author' reads 2 of 2 keys of the items
          - {request: Author, urn: people}

        """)
    #expect(suite.folder.tree.keys.filter { $0.hasPrefix("Scenarios/") }.count == 2)
    try await pass("a/list", records: "1 Book")
  }

  @Test func theNamedEntityIsRequested() async throws {
    try suite.folder.write(Self.model, to: "Scenarios/app.model.yaml")
    try suite.folder.write(#"[{"isbn": "a", "id": 3}]"#, to: "Scenarios/_recordings/all.json")
    let written = await suite.recordspec(
      "new", "all", "--response", path("Scenarios/_recordings/all.json"), "--entity", "Author", "--title", "T"
    )
    #expect(written.status == 0 && written.errors == "", "\(written.errors)")
    let text = try suite.folder.read("Scenarios/all.yaml")
    #expect(text.contains("title: T\nmodel: app.model.yaml\n"), "\(text)")
    #expect(text.hasSuffix("\nsteps:\n  - {request: Author, urn: all}\n"), "\(text)")
    try await pass("all", records: "1 Author")
  }

  /// A model is inferred if there is none. A response that the scenario must not name is copied with its bytes.
  @Test func responsesOutsideOfTheProjectAreCopied() async throws {
    let other = try TemporaryFolder()
    let body = "[ {\"id\":1,   \"title\": \"Salt\"} ]"
    try other.write(body, to: "a/books.json")
    try other.write("[]", to: "b/books.json")
    try suite.folder.write("", to: "Scenarios/.keep")
    let written = await suite.recordspec(
      "new", "a/list", "--response", other.path + "/a/books.json", "--response", other.path + "/b/books.json")
    #expect(written.status == 0 && written.errors == "", "\(written.errors)")
    #expect(
      written.output == """
        wrote Scenarios/a/list.yaml: 2 responses, 2 steps
        wrote Scenarios/a/list.model.yaml: 1 guessed entity
        wrote Scenarios/a/_recordings/list/books.json: a copy of a response
        wrote Scenarios/a/_recordings/list/books2.json: a copy of a response
        wrote Scenarios/scenario.schema.json: the schema for editors
        wrote Scenarios/model.schema.json: the schema for editors
        model: Scenarios/a/list.model.yaml, inferred from the responses
        drift: off; to record differences between the responses and the model, write 'options: {drift: true}' in the scenario
        check 1 weak guess in Scenarios/a/list.model.yaml:
          Book: the primary key has a single value
        next: recordspec run a/list

        """, "\(written.output)")
    #expect(try suite.folder.read("Scenarios/a/_recordings/list/books.json") == body)
    #expect(
      try suite.folder.read("Scenarios/a/list.model.yaml")
        .hasPrefix(
          "# yaml-language-server: $schema=../model.schema.json\n# $schema: ../model.schema.json\n\n"))
    try await pass("a/list", records: "1 Book")
  }

  /// Responses of one scenario with the same body share its copy. Another scenario has its own, which `--force` can
  /// replace alone.
  @Test func aResponseIsCopiedOnce() async throws {
    let other = try TemporaryFolder()
    try other.write(#"[{"id": 1}]"#, to: "a/books.json")
    try other.write(#"[{"id": 1}]"#, to: "b/books.json")
    func copies() -> [String] { suite.folder.tree.keys.filter { $0.contains("_recordings/") }.sorted() }
    let bodies = ["a", "b"].flatMap { ["--response", "\(other.path)/\($0)/books.json"] }
    var expected: [String] = []
    for name in ["first", "second"] {
      #expect(await suite.recordspec(["new", name, "--infer-model"] + bodies).status == 0)
      expected.append("Scenarios/_recordings/\(name)/books.json")
      #expect(copies() == expected)
      let text = try suite.folder.read("Scenarios/\(name).yaml")
      #expect(text.ranges(of: "bodyFile: _recordings/\(name)/books.json").count == 2, "\(text)")
    }
  }

  @Test func aModelAloneHasAMadeUpResponse() async throws {
    try suite.folder.write(Self.model, to: "Scenarios/_models/app.model.yaml")
    let written = await suite.recordspec("new", "books")
    #expect(written.status == 0 && written.errors == "", "\(written.errors)")
    let text = try suite.folder.read("Scenarios/books.yaml")
    #expect(text.contains("\nmodel: _models/app.model.yaml\n"), "\(text)")
    #expect(text.contains("# made up from the model; replace it with a response of the server"), "\(text)")
    try await pass(
      "books",
      records: """
        1 Book  Book/isbn {code: "00000000-0000-0000-0000-000000000001", isRead: true, isbn: "isbn", \
        link: "https://api.test/1", pages: 1, price: 1, published: "2031-01-05T00:00:00Z", title: "title"}
        """.prefix(90) + "")
    #expect(await suite.recordspec("new", "people", "--entity", "Author").status == 0)
    #expect(
      try suite.folder.read("Scenarios/people.yaml").hasSuffix("- {request: Author, urn: authors}\n"))
  }

  /// Each error leads to the fix, and nothing is written.
  @Test(
    arguments: sampled([
      (["new", "../a"], "error: '../a' is outside of the folder of scenarios", 64 as Int32),
      (["new", "/tmp/a"], "error: '/tmp/a' is outside of the folder of scenarios", 64),
      (["new", "_a/b"], "folders whose names start with '_' contain no scenarios", 64),
      (["new", "a/.b"], "starts with '.'", 64), (["new", "a.model"], "is the name of a model file", 64),
      (["new", "a/"], "is not the name of a scenario", 64),
      (["new", "./"], "'./' is not the name of a sc", 64),
      (["new", "/"], "'/' is not the name of a scenario", 64),
      (["new", "./Scenarios"], "help: write a name below it, or use another", 64),
      (["new", "$/Scenarios"], "'Scenarios' is not the name of a scenario", 64),
      (["new", ".."], "help: write a name below it, or use another", 64),
      (["new", "$/Scenarios/a/.."], "/a/..' is not the name of a scenario", 64),
      (["new", "../Scenarios"], "help: write a name below it, or use another", 64),
      (["new", "../x/b"], "help: write a name below it, such as 'b', or use another", 64),
      (["new", ""], "must not be empty", 64),
      (["new", "a\u{7}"], "contains a control character", 64),
      (["new", "a.yaml/b"], "which is named like a scenario", 64),
      (["new", "old", "--force"], "'Scenarios/old.yml' exists, and would have the same golden file", 64),
      (["new", "now.yml", "--force"], "replace this file with '--force' and the name 'now.yaml'", 64),
      (
        ["import", "$/session.json", "--output", "now.yml", "--force"],
        "'Scenarios/now.yaml' exists, and would",
        64
      ),
      (["new", "old.yml"], "'Scenarios/old.yml' exists already", 64),
      (["new", "a", "--model", "$/ap.model.yaml"], "did you mean '$/app.model.yaml'?", 2),
      (["new", "a", "--model", "$/bad.model.yaml"], "$/bad.model.yaml:1:16: error: unknown key", 2),
      (
        ["new", "a", "--model", "$/app.model.yaml", "--entity", "Bok"],
        "has no entity 'Bok'; did you mean 'Book'?", 64
      ),
      (["new", "a", "--entity", "Book"], "'--entity' needs a model; name one with '--model'", 64),
      (["new", "a", "--response", "$/bad.json"], "$/bad.json:2:3: error: invalid JSON", 2),
      (["new", "a", "--response", "$/empty.json"], "the file is empty", 2),
      (["new", "a", "--response", "$/bok.json"], "did you mean '$/book.json'?", 2),
      (["new", "a", "--response", "$/number.json"], "name a model with '--model'", 2),
      (["new", "a", "--response", "$/session.json"], "'recordspec import $/session.json'", 2),
      (["new", "a", "--model", "$/shape.model.yaml"], "name the body of a response with '--response'", 2),
    ]))
  func errorsLeadToTheFix(arguments: [String], message: String, status: Int32) async throws {
    for (name, text) in [
      ("Scenarios/old.yml", scenario()), ("Scenarios/now.yaml", scenario()), ("app.model.yaml", Self.model),
      ("bad.model.yaml", "entities: {A: {atributes: {}}}"), ("bad.json", "[\n  x]"), ("empty.json", ""),
      ("book.json", "[{\"isbn\": \"a\"}]"), ("number.json", "1"),
      ("session.json", #"[{"url": "https://api.test/a", "status": 200, "response": []}]"#),
      ("shape.model.yaml", "entities: {A: {primaryKey: d, attributes: {d: binary}}}"),
    ] { try suite.folder.write(text, to: name) }
    let before = suite.folder.tree
    let outcome = await suite.recordspec(arguments.map { $0.replacing("$", with: suite.folder.path) })
    #expect(outcome.status == status, "\(outcome.errors)")
    #expect(outcome.errors.contains(message.replacing("$/", with: "")), "\(outcome.errors)")
    #expect(outcome.output == "" && suite.folder.tree == before)
  }

  /// A name instead of the path of a model file leads to the file.
  @Test func theNameOfAModelLeadsToItsFile() async throws {
    try suite.folder.write(Self.model, to: "Scenarios/_models/books.model.yaml")
    for name in ["books", "books.yaml", "Scenarios/boks.model.yaml"] {
      let outcome = try suite.bash("$recordspec new a --model \(name)")
      #expect(
        outcome
          == .init(
            status: 2, output: "",
            errors: """
              \(name): error: the file '\(name)' does not exist [unreadable-file]
                    = help: did you mean 'Scenarios/_models/books.model.yaml'?

              """), "\(outcome.errors)")
    }
  }

  /// In a folder below a project, no second folder of scenarios is begun by mistake.
  @Test(arguments: ["new a", "import ../../a.json"])
  func noFolderIsBegunBelowAProject(command: String) async throws {
    try suite.folder.write("", to: ".recordspec.yaml")
    try suite.folder.write(scenario(), to: "Scenarios/a.yaml")
    try suite.folder.write(#"[{"url": "https://api.test/a", "response": {"id": 1}}]"#, to: "a.json")
    try suite.folder.makeFolder("docs/more")
    let before = suite.folder.tree
    let refused = try suite.bash("cd docs/more && $recordspec \(command)")
    #expect(
      refused
        == .init(
          status: 64, output: "",
          errors: """
            error: there is no folder 'Scenarios' here, but there is one in a folder above
            help: run the command in '../..', or add '--scenarios ../../Scenarios'; 'recordspec init' lays out another project here

            """), "\(refused.errors)")
    #expect(suite.folder.tree == before)
    #expect(
      try suite.bash("cd docs/more && $recordspec init --no-example && $recordspec \(command)").status == 0)
  }

  private static let films = """
    entities:
      Film: {primaryKey: id, attributes: {id: int64, director: string}}

    """

  /// Several model files leave the example with its own model, unless an entity selects one.
  @Test func severalModelsAreAChoice() async throws {
    try suite.folder.write(Self.model, to: "Scenarios/a.model.yaml")
    try suite.folder.write(Self.films, to: "Scenarios/b.model.yaml")
    let example = await suite.recordspec("new", "books/list")
    #expect(example.status == 0 && example.errors == "", "\(example.errors)")
    #expect(
      example.output.contains(
        "\nmodel: in the scenario; to use 'Scenarios/a.model.yaml' or 'Scenarios/b.model.yaml', name it with '--model'\n"
      ), "\(example.output)")
    try await pass("books/list", records: "2 Post")
    let film = await suite.recordspec("new", "film", "--entity", "Film")
    #expect(
      film.output.contains("\nmodel: Scenarios/b.model.yaml, the only model file with the entity 'Film'\n"),
      "\(film.output)\(film.errors)")
    let unknown = await suite.recordspec("new", "unknown", "--entity", "Fill")
    #expect(
      unknown
        == .init(
          status: 64, output: "",
          errors:
            "error: none of 'Scenarios/a.model.yaml' and 'Scenarios/b.model.yaml' has an entity 'Fill'; did you mean 'Film'?\n"
        ))
  }

  /// A model file with errors might fit, too, so its errors are warnings.
  @Test func aModelWithErrorsIsReportedBesideAnother() async throws {
    try suite.folder.write(Self.films, to: "Scenarios/a.model.yaml")
    try suite.folder.write("entities: {Film: {atributes: {}}}\n", to: "Scenarios/bad.model.yaml")
    let film = await suite.recordspec("new", "film", "--entity", "Film")
    #expect(film.status == 0)
    #expect(
      film.output.contains("\nmodel: Scenarios/a.model.yaml, the only model file with the entity 'Film'\n"),
      "\(film.output)")
    #expect(
      film.errors.hasPrefix("Scenarios/bad.model.yaml:1:19: warning: unknown key 'atributes'"),
      "\(film.errors)")
    // Without another model, they are errors.
    let other = await suite.recordspec("new", "other", "--entity", "Fill")
    #expect(other.status == 2 && other.errors.hasPrefix("Scenarios/bad.model.yaml:1:19: error:"), "\(other)")
  }

  /// Without '--model', the model file that fits the responses is used. If none does, a model is inferred.
  @Test func theModelFitsTheResponses() async throws {
    try suite.folder.write(Self.model, to: "Scenarios/a.model.yaml")
    try suite.folder.write(#"[{"id": 1, "director": "Varda"}]"#, to: "films.json")
    try suite.folder.write(#"[{"id": 7, "name": "Ada"}]"#, to: "people.json")
    func new(_ name: String, _ arguments: String...) async -> CommandSuite.Outcome {
      await suite.recordspec(
        ["new", name, "--response"] + arguments.map { $0.hasSuffix(".json") ? path($0) : $0 })
    }
    let inferred = await new("films", "films.json")
    #expect(
      inferred.output.contains(
        "\nmodel: Scenarios/films.model.yaml, inferred from the responses; they do not fit 'Scenarios/a.model.yaml', which you can name with '--model'\n"
      ), "\(inferred.output)\(inferred.errors)")
    try await pass("films", records: "1 Film")
    // The inferred model is now one of two, and the only one that fits.
    let fitting = await new("more/films", "films.json")
    #expect(
      fitting.output.contains(
        "\nmodel: Scenarios/films.model.yaml, the only model file that fits the responses\n"),
      "\(fitting.output)\(fitting.errors)")
    #expect(try suite.folder.read("Scenarios/more/films.yaml").contains("\nmodel: \"../films.model.yaml\"\n"))
    #expect(
      await new("people", "people.json").output.contains("\nmodel: Scenarios/a.model.yaml, the only model"))
    // Responses that need both models fit none of them.
    #expect(
      await new("both", "films.json", "--response", "people.json").output.contains(
        "both.model.yaml, inferred"))
    let ambiguous = await new("again", "films.json")
    #expect(
      ambiguous
        == .init(
          status: 64, output: "",
          errors: """
            error: 2 model files fit the responses: 'Scenarios/both.model.yaml' and 'Scenarios/films.model.yaml'
            help: name one with '--model', or infer a new one with '--infer-model'

            """), "\(ambiguous)")
    #expect(
      await new("again", "films.json", "--infer-model").output.contains(
        "\nmodel: Scenarios/again.model.yaml, inf"))
    #expect(
      await new("film", "films.json", "--model", path("Scenarios/a.model.yaml")).output.contains(
        "a.model.yaml\n"))
  }

  /// Responses are validated first, because they decide which model is used.
  @Test func responsesAreReadBeforeTheModel() async throws {
    try suite.folder.write("entities: {A: {atributes: {}}}", to: "bad.model.yaml")
    try suite.folder.write("[", to: "bad.json")
    let outcome = await suite.recordspec(
      "new", "a", "--model", path("bad.model.yaml"), "--response", path("bad.json"))
    #expect(
      outcome.status == 2 && outcome.errors.hasPrefix("bad.json:1:2: error: invalid JSON"), "\(outcome)")
    for (arguments, message) in [
      (["--infer-model"], "'--infer-model' needs the body of a response"),
      (["--infer-model", "--model", "a", "--response", "b"], "cannot be combined with '--model'"),
      (["--infer-model", "--entity", "A", "--response", "b"], "cannot be combined with '--entity'"),
    ] {
      let refused = await suite.recordspec(["new", "a"] + arguments)
      #expect(refused.status == 64 && refused.errors.contains(message), "\(refused.errors)")
    }
  }

  /// An invalid model file matters only if no other one fits.
  @Test func aBrokenModelIsReportedIfNoneFits() async throws {
    try suite.folder.write("entities: {A: {atributes: {}}}", to: "Scenarios/bad.model.yaml")
    try suite.folder.write(Self.films, to: "Scenarios/films.model.yaml")
    try suite.folder.write(#"[{"id": 1, "director": "Varda"}]"#, to: "films.json")
    try suite.folder.write(#"[{"code": 1}]"#, to: "others.json")
    #expect(await suite.recordspec("new", "films", "--response", path("films.json")).status == 0)
    let refused = await suite.recordspec("new", "others", "--response", path("others.json"))
    #expect(
      refused.status == 2 && refused.errors.hasPrefix("Scenarios/bad.model.yaml:1:16: error: unknown key"),
      "\(refused)")
  }

  @Test func existingFilesAreReplacedOnlyByForce() async throws {
    try suite.folder.write("[{\"id\": 1}]", to: "books.json")
    try suite.folder.write("mine", to: "Scenarios/books.yaml")
    let before = suite.folder.tree
    let refused = await suite.recordspec("new", "books", "--response", path("books.json"))
    #expect(refused.status == 64 && refused.output == "")
    #expect(
      refused.errors == """
        error: 'Scenarios/books.yaml' exists already
        error: no file was written; '--force' replaces existing files

        """, "\(refused.errors)")
    #expect(suite.folder.tree == before)
    #expect(await suite.recordspec("new", "books", "--response", path("books.json"), "--force").status == 0)
    try await pass("books", records: "1 Book")
  }

  /// Files are written all or none: the schema cannot be written, because a folder has its name.
  @Test func nothingIsWrittenInPart() async throws {
    try suite.folder.write("", to: "Scenarios/books")
    let before = suite.folder.tree
    let outcome = await suite.recordspec("new", "books/list")
    #expect(
      outcome.status == 3 && outcome.errors.hasPrefix("error: no file was written: "), "\(outcome.errors)")
    #expect(suite.folder.tree == before)
  }
}
