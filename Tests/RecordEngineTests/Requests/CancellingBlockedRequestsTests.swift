import RecordModel
import Testing

@testable import RecordEngine

/// Tests for canceled requests while a hook blocks the population of their response, or of the response for which they wait.
/// Rule: `request.cancel`.
@Suite struct CancellingBlockedRequestsTests {
  typealias Fixture = RequestFixture

  /// Lets all other tasks proceed as far as they can.
  private static func settle() async { for _ in 0..<200 { await Task.yield() } }

  /// Requests a user, and blocks the population of the response. Returns the hook and the number of users.
  @MainActor private func blockedRequest(
    _ context: ManagedObjectContext, _ container: PersistentContainer
  ) async -> (holdup: Holdup, count: Task<Int, any Error>) {
    let holdup = Holdup()
    let count = Task {
      try await container.request("User", urn: "a", options: holdup.options, context: context).records.count
    }
    await holdup.pass()
    return (holdup, count)
  }

  /// The canceled requests wait until the response of another request is populated.
  @Test(.timeLimit(.minutes(10))) @MainActor func aRequestIsCancelledBehindAnother() async throws {
    let server = TestServer { Holdup.echo($0) }
    let container = try Fixture.container(server)
    let context = container.makeContext()
    let (holdup, first) = await blockedRequest(context, container)
    func behind() -> Task<DiagnosticCode?, Never> {
      Task {
        await Fixture.code {
          _ = try await container.request(
            "User", urn: "b", options: Fixture.options(domain: "screen"), context: context)
        }
      }
    }
    let (byDomain, byTask) = (behind(), behind())
    while server.requests.count < 3 { await Task.yield() }
    await Self.settle()
    byTask.cancel()
    #expect(await byTask.value == .cancelled)
    container.cancelRequests(domain: "screen")
    #expect(await byDomain.value == .cancelled)
    // A canceled request does not block the requests behind it.
    let last = Task { try await container.request("User", urn: "c", context: context).records.count }
    await Self.settle()
    holdup.letGo()
    #expect(try await [first.value, last.value] == [1, 1])
    #expect(try context.fetch(RecordFetchRequest("User")).compactMap { $0["id"] } == ["a", "c"])
  }

  /// In a batch, a request that waits does not delay the cancellation of others.
  @Test(.timeLimit(.minutes(10))) @MainActor func aBatchGoesOnBehindAnother() async throws {
    let silent = CancellingTests.SilentServer()
    let server = TestServer { request in
      request.urn == "silent" ? try await silent.response(to: request) : Holdup.echo(request)
    }
    let container = try Fixture.container(server)
    let context = container.makeContext()
    let (holdup, first) = await blockedRequest(context, container)
    var ends: [String] = []
    let batch = Task {
      await container.batch(context: context) { batch in
        for urn in ["answered", "silent", "later"] {
          batch.request(RecordRequest(entity: "User", urn: urn, options: Fixture.options(domain: urn))) {
            result in
            ends.append(((try? result.get()) == nil ? "no " : "") + urn)
          }
        }
      }
    }
    while server.requests.count < 4 { await Task.yield() }
    await Self.settle()
    for domain in ["silent", "answered"] {
      container.cancelRequests(domain: domain)
      while !ends.contains("no " + domain) { await Task.yield() }
    }
    #expect(ends == ["no silent", "no answered"])
    holdup.letGo()
    await batch.value
    #expect(try await first.value == 1)
    #expect(ends == ["no silent", "no answered", "later"])
    await silent.end()
  }

  /// The canceled request waits for the previous page.
  @Test(.timeLimit(.minutes(10))) @MainActor func aPageIsCancelledBehindAnother() async throws {
    let silent = CancellingTests.SilentServer()
    let container = try Fixture.container(silent)
    var options = Fixture.options(domain: "screen")
    options.paging = Paging { _ in PageManager() }
    let pages = container.pages(
      Fixture.User.self, urn: "a", options: options, context: container.makeContext())
    func next() -> Task<DiagnosticCode?, Never> {
      Task { await Fixture.code { _ = try await pages.nextPage() } }
    }
    let first = next()
    await silent.arrival.pass()
    let behind = next()
    await Self.settle()
    behind.cancel()
    #expect(await behind.value == .cancelled)
    container.cancelRequests(domain: "screen")
    #expect(await first.value == .cancelled)
    #expect(container.inFlightDomains.isEmpty)
    await silent.end()
  }

  @Test(.timeLimit(.minutes(10))) @MainActor func aTaskIsCancelledWhileItsResponseIsPopulated() async throws {
    let container = try Fixture.container(TestServer { Holdup.echo($0) })
    let context = container.makeContext()
    let holdup = Holdup()
    let task = Task {
      await Fixture.code {
        _ = try await container.request("User", urn: "a", options: holdup.options, context: context)
      }
    }
    await holdup.pass()
    task.cancel()
    holdup.letGo()
    #expect(await task.value == .cancelled)
    #expect(try context.fetch(RecordFetchRequest("User")).isEmpty)
  }
}
