import Foundation
import TestSupport
import Testing

@testable import RecordEngine

/// Tests for calls of servers, in a task from the start or on the current thread until they suspend. Rules: `request.once`, `request.cancel`.
@Suite struct ServerCallTests {
  @Test(arguments: [false, true]) func aCallEndsWithTheResult(_ startsImmediately: Bool) async throws {
    let answer = try await ServerCall.answer(RequestToken(), startsImmediately: startsImmediately) { 7 }
    #expect(answer == 7)
    await #expect(throws: SessionTimeout.self) {
      try await ServerCall.answer(RequestToken(), startsImmediately: startsImmediately) {
        throw SessionTimeout()
      }
    }
  }

  @Test func anImmediateCallStartsOnTheThreadOfItsCaller() async throws {
    let thread = "\(pthread_self())"
    #expect(
      try await ServerCall.answer(RequestToken(), startsImmediately: true) {
        "\(pthread_self())" == thread
      })
  }

  @Test(arguments: [false, true]) func aCanceledRequestDoesNotAskTheServer(_ startsImmediately: Bool) async {
    let token = RequestToken()
    token.cancel()
    let asked = EventCounter()
    await #expect(throws: RequestFailure.self) {
      try await ServerCall.answer(token, startsImmediately: startsImmediately) {
        asked.note()
      }
    }
    #expect(asked.count == 0)
  }

  /// The server cancels the request before it first suspends. The call ends, and its task is canceled.
  @Test(arguments: [false, true]) func aRequestIsCanceledWhileItsCallStarts(
    _ startsImmediately: Bool
  ) async {
    let token = RequestToken()
    let (canceled, end) = (EventCounter(), Gate())
    await #expect(throws: RequestFailure.self) {
      try await ServerCall.answer(token, startsImmediately: startsImmediately) {
        token.cancel()
        for _ in 0..<1_000_000 where !Task.isCancelled { await Task.yield() }
        if Task.isCancelled { canceled.note() }
        await end.open()
      }
    }
    await end.pass()
    #expect(canceled.count == 1)
  }
}
