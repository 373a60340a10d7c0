import Dispatch
import RecordEngine
import Testing

/// Tests for requests with callbacks. Rule: `request.callback`.
@Suite struct CallbackTests {
  typealias Fixture = RequestFixture

  private static let paging = Paging { page in
    PageManager(nextPage: page.responseObject?["next"]?.string.map { ServerRequest(urn: $0) })
  }

  private static let withMetaData = {
    var options = RequestOptions()
    options.keyPathForMetaData = "next"
    return options
  }()

  private static func server() -> TestServer {
    TestServer(
      paging: paging,
      [
        "posts": ["data": [["id": "1", "user": "7"]], "next": "more"], "more": ["data": [["id": "2"]]],
        "users/7/posts/1": ["data": ["id": "1", "text": "in full"], "next": "fresh"],
      ])
  }

  private static func container() throws -> PersistentContainer { try Fixture.container(server()) }

  @Test func handlersAreCalledOnTheQueue() async throws {
    let queue = DispatchQueue(label: "callbacks")
    let server = Self.server()
    let container = try Fixture.container(server)
    let ends = await withCheckedContinuation { continuation in
      queue.async {
        let context = container.makeContext()
        var ends: [String] = []
        func note(_ end: String) {
          dispatchPrecondition(condition: .onQueue(queue))
          ends.append(end)
        }
        func fetchFirst(_ urn: String, then: @escaping () -> Void) {
          container.startRequest(
            RecordRequest<Fixture.Post>(urn: urn, options: Self.withMetaData),
            fetchFirst: RecordFetchRequest("Post"), context: context, callbackQueue: queue,
            stored: { note("\($0.count) stored") },
            result: { result in
              note("\(result.records.count) \(result.metaData?.string ?? "-")")
              then()
            },
            failure: { _ in
              note("failure")
              then()
            })
        }
        container.startRequest(
          RecordRequest<Fixture.Post>(urn: "posts"), context: context, callbackQueue: queue,
          result: { result in
            note("result \(result.records.compactMap(\.key))")
            container.startDetailRequest(
              of: result.records[0], query: ["full": "1"], options: Self.withMetaData, callbackQueue: queue,
              result: { result in
                note("detail \(result.records.map(\.text)) \(result.metaData?.string ?? "-")")
                note("\(server.requests.last?.query ?? [:])")
                fetchFirst("posts") { fetchFirst("missing") { continuation.resume(returning: ends) } }
              }, failure: { note("\($0)") })
          }, failure: { note("\($0)") })
      }
    }
    #expect(
      ends == [
        "result [\"1\"]", "detail [Optional(\"in full\")] fresh", "[\"full\": \"1\"]", "1 stored", "1 more",
        "1 stored",
        "failure",
      ])
  }

  @Test func pagesAndBatchesComeToTheQueue() async throws {
    let queue = DispatchQueue(label: "callbacks")
    let container = try Self.container()
    let ends = await withCheckedContinuation { continuation in
      queue.async {
        let context = container.makeContext()
        var ends: [String] = []
        container.startPagedRequest(
          RecordRequest<Fixture.Post>(urn: "posts"), context: context, callbackQueue: queue,
          result: { page in
            dispatchPrecondition(condition: .onQueue(queue))
            ends += page.records.compactMap(\.key)
            guard page.pageManager?.nextPage == nil else { return true }
            container.startBatchedRequests(context: context, callbackQueue: queue) { batch in
              batch.request(RecordRequest<Fixture.Post>(urn: "posts")) { _ in ends.append("posts") }
              batch.request(RecordRequest<Fixture.Post>(urn: "missing")) { _ in ends.append("missing") }
            } completion: {
              dispatchPrecondition(condition: .onQueue(queue))
              continuation.resume(returning: ends)
            }
            return true
          }, failure: { ends.append("\($0)") })
      }
    }
    #expect(Array(ends.prefix(2)) == ["1", "2"])
    #expect(ends.dropFirst(2).sorted() == ["missing", "posts"])
  }

  @Test func theMainQueueIsTheMainActor() async throws {
    let container = try Self.container()
    await withCheckedContinuation { continuation in
      Task { @MainActor in
        let context = container.makeContext()
        container.startRequest(
          RecordRequest<Fixture.Post>(urn: "posts"), context: context,
          result: { result in
            MainActor.assumeIsolated { #expect(result.records.count == 1) }
            continuation.resume()
          },
          failure: { error in
            Issue.record(error)
            continuation.resume()
          })
      }
    }
  }
}
