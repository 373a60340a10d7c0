import Foundation
import RecordEngine
import RecordEngineHTTP
import Testing

@testable import ScenarioFormat
@testable import ScenarioReport

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Tests for the command as a separate process, with an app that sends real requests.
@Suite(.timeLimit(.minutes(5))) struct ServeCommandTests {
  /// The app of the article: it reads all pages, follows a redirect, loses a connection and asks for a misspelled address.
  @Test func anAppRunsAgainstTheScenarioOfTheArticle() async throws {
    let blocks = try Article("RecordSpec/ServingResponses").blocks
    let suite = try CommandSuite()
    try suite.folder.write(
      #require(blocks.first { $0.fileName == "Scenarios/books.yaml" }).text, to: "Scenarios/books.yaml")
    let command = try suite.start("serve books --port 0")
    command.waitForOutput()
    let url = try command.localURL()

    let scenario = try #require(suite.folder.load("Scenarios/books.yaml").scenario)
    let container = try PersistentContainer(
      model: scenario.model,
      configuration: .init(server: RecordEngineHTTP.HTTPServer(baseURL: url, paging: .linkHeader())))
    let context = container.makeContext()
    var keys: [String?] = []
    let clock = ContinuousClock()
    let start = clock.now
    for try await page in container.pages(RecordRequest(entity: "Book", urn: "books"), context: context) {
      keys += page.records.map { $0["isbn"] as String? }
    }
    #expect(keys == ["a-1", "a-2"])
    #expect(clock.now - start >= .milliseconds(100))
    let moved = try await container.request("Book", urn: "books/old", context: context)
    #expect(moved.records.map { $0["isbn"] as String? } == ["a-1"])
    let lost = await #expect(throws: URLError.self) {
      _ = try await container.request("Book", urn: "books/lost", context: context)
    }
    #expect(lost?.code == .networkConnectionLost)
    let misspelled = await #expect(throws: RequestFailure.self) {
      _ = try await container.request("Book", urn: "boks", context: context)
    }
    #expect(misspelled?.status == 404)

    command.send(SIGTERM)
    let outcome = command.end()
    #expect(outcome.status == 1)
    #expect(outcome.errors == "")
    let console = try #require(blocks.first { $0.language == "console" }).text.split(separator: "\n")
      .dropFirst()
    let texts = blocks.filter { $0.language == "text" }.map(\.text)
    let shown = console.map { $0 + "\n" }.joined() + "\n" + texts.joined(separator: "\n")
    #expect(outcome.output == shown.replacing("127.0.0.1:8080", with: "127.0.0.1:\(url.port ?? 0)"))
  }

  @Test func everyRequestHasAResponse() async throws {
    let suite = try CommandSuite(["a": scenario()])
    let command = try suite.start("serve a --port 0")
    command.waitForOutput()
    let server = RecordEngineHTTP.HTTPServer(baseURL: try command.localURL())
    let response = try await server.response(to: ServerRequest(urn: "posts"))
    #expect(response.status == 200)
    #expect(response.header("Content-Type") == "application/json")
    command.send(SIGINT)
    let outcome = command.end()
    #expect(outcome.status == 0)
    #expect(outcome.output.hasSuffix("\n1 request, 0 without a response\n"), "\(outcome.output)")
  }

  /// The response to HEAD has the headers of the body, but no body.
  @Test func aResponseToHEADHasNoBody() async throws {
    let suite = try CommandSuite([
      "a": """
      title: A
      model: {entities: {Post: {attributes: {id: string}}}}
      responses: {HEAD posts: {body: [{id: x}]}}
      steps: [{fetch: Post}]

      """
    ])
    let command = try suite.start("serve a --port 0")
    command.waitForOutput()
    var request = URLRequest(url: try command.localURL().appendingPathComponent("posts"))
    request.httpMethod = "HEAD"
    let (body, response) = try await URLSession(configuration: .ephemeral).data(for: request)
    let http = try #require(response as? HTTPURLResponse)
    #expect(http.statusCode == 200 && body.isEmpty)
    #expect(http.value(forHTTPHeaderField: "Content-Length") == String(#"[{"id":"x"}]"#.utf8.count))
    #expect(http.value(forHTTPHeaderField: "Content-Type") == "application/json")
    command.send(SIGTERM)
    let outcome = command.end()
    #expect(outcome.status == 0 && outcome.output.contains("HEAD /posts: 200, 12 bytes"), "\(outcome.output)")
  }

  @Test func aUsedPortIsRefused() async throws {
    let suite = try CommandSuite(["a": scenario()])
    let command = try suite.start("serve a --port 0")
    command.waitForOutput()
    let port = try #require(command.localURL().port)
    let second = try suite.start("serve a --port \(port)").end()
    command.send(SIGTERM)
    _ = command.end()
    #expect(second.status == 3)
    #expect(second.output == "")
    #expect(
      second.errors == """
        error: cannot listen on port \(port): Address already in use
        help: choose another port with '--port'; '--port 0' chooses a free one

        """)
  }

  @Test func aScenarioWithoutResponsesIsRefused() async throws {
    let suite = try CommandSuite([
      "a": "title: A\nmodel: {entities: {Post: {attributes: {id: string}}}}\nsteps: [{fetch: Post}]\n"
    ])
    let outcome = await suite.recordspec("serve", "a")
    #expect(outcome.status == 64)
    #expect(outcome.errors == "error: the scenario 'a' has no 'responses' to serve\n")
  }
}

extension RunningCommand {
  /// Returns the local URL that the first lines of the output name.
  fileprivate func localURL() throws -> URL {
    let match = try #require(outputSoFar.firstMatch(of: /is (http:\S+)/))
    return try #require(URL(string: String(match.1)))
  }
}
