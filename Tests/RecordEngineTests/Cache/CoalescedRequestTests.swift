import RecordModel
import Testing

@testable import RecordEngine

/// Tests for the roles of identical requests. Rule: `cache.concurrent`.
@Suite struct CoalescedRequestTests {
  private let requests = CoalescedRequests()
  private let request: PreparedRequest

  init() throws {
    let container = try RequestFixture.container(CannedServer([:]))
    request = try container.pipeline.prepare(
      RecordRequest(RequestFixture.Post.self, urn: "a"))
  }

  /// Returns the role of a request for an address.
  private func join(_ url: String = "a", mayFollow: Bool = true) -> CoalescedRequests.Role {
    requests.join(
      CoalescedRequests.Key(key: .test(url), headers: [:]), request, mayFollow: mayFollow)
  }

  private func leader(_ role: CoalescedRequests.Role) -> CoalescingLeader? {
    if case .leads(let leader) = role { leader } else { nil }
  }

  private func leaderOf(_ role: CoalescedRequests.Role) throws -> CoalescedRequest {
    guard case .follows(let shared) = role else {
      Issue.record("the request leads")
      throw CancellationError()
    }
    return shared
  }

  /// A request that joins before the end, and waits after it, does not wait.
  @Test(arguments: [true, false]) func theFirstEndCounts(isStored: Bool) async throws {
    var lead = leader(join())
    #expect(lead != nil)
    let shared = try leaderOf(join())
    if isStored { lead?.hasStored() }
    lead = nil
    let end = try await shared.waitForEnd(
      RequestToken(), isHeldBack: { Issue.record("the request waits") },
      goesOn: { Issue.record("the request has waited") })
    #expect(end == (isStored ? .stored : .notStored))
    lead = leader(join())
    #expect(lead != nil)
  }

  @Test func aCancelledRequestGoesOn() async throws {
    let lead = leader(join())
    let shared = try leaderOf(join())
    let token = RequestToken()
    token.cancel()
    var isHeldBack = false
    await confirmation { goesOn in
      _ = await #expect(throws: RequestFailure.self) {
        try await shared.waitForEnd(token, isHeldBack: { isHeldBack = true }, goesOn: { goesOn() })
      }
    }
    #expect(isHeldBack)
    withExtendedLifetime(lead) {}
  }

  @Test func aRequestThatMayNotFollowIsNotFollowedEither() {
    let first = leader(join(mayFollow: false))
    let second = leader(join())
    #expect(first != nil && second != nil)
    #expect(leader(join()) == nil)
    #expect(leader(join(mayFollow: false)) != nil)
    withExtendedLifetime((first, second)) {}
  }

  @Test func onlyRequestsToAChangedAddressAreOutdated() {
    let (first, other) = (leader(join("a")), leader(join("b")))
    requests.outdate(url: "a")
    #expect(first?.isOutdated == true && other?.isOutdated == false)
    let second = leader(join("a"))
    #expect(second?.isOutdated == false)
    #expect(leader(join("a")) == nil && leader(join("b")) == nil)
    withExtendedLifetime((first, second, other)) {}
  }

  /// A request that the server itself makes would otherwise wait for its own end.
  @Test func aRequestWithinAnotherDoesNotFollowIt() async throws {
    let lead = try #require(leader(join()))
    try await lead.asking { #expect(leader(join()) != nil) }
    #expect(leader(join()) == nil)
  }
}
