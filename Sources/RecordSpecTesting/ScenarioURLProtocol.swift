internal import Foundation
internal import ScenarioRun

#if canImport(FoundationNetworking)
  internal import FoundationNetworking
#endif

/// A protocol that answers all requests of one session from the server of a scenario.
///
/// A session knows its protocols only by their classes. Each running scenario therefore has a class of its own: a
/// ``NumberedURLProtocol`` of another type argument.
class ScenarioURLProtocol: URLProtocol {
  private var work: Task<Void, Never>?
  private let lock = NSLock()
  /// A Boolean value that indicates whether the client must not be called anymore.
  private var isStopped = false

  /// A protocol that is passed to a task.
  // Unchecked: the loading system starts a protocol before it stops it, and the lock is held while its client is called.
  private struct Started: @unchecked Sendable {
    let load: ScenarioURLProtocol
  }

  override class func canInit(with request: URLRequest) -> Bool { true }

  override class func canonicalRequest(for request: URLRequest) -> URLRequest { request }

  override func startLoading() {
    guard let server = URLProtocolPool.shared.server(of: type(of: self)) else {
      client?.urlProtocol(self, didFailWithError: URLError(.cancelled))
      return
    }
    let started = Started(load: self)
    work = Task { [request] in
      let result: Result<(Data, HTTPURLResponse), any Error>
      do {
        result = .success(try await server.response(to: request))
      } catch {
        result = .failure(error)
      }
      started.load.finish(with: result)
    }
  }

  private func finish(with result: Result<(Data, HTTPURLResponse), any Error>) {
    lock.withLock {
      guard !isStopped else { return }
      switch result {
      case .success(let (body, response)):
        client?.urlProtocol(self, didReceive: response, cacheStoragePolicy: .notAllowed)
        client?.urlProtocol(self, didLoad: body)
        client?.urlProtocolDidFinishLoading(self)
      case .failure(let error): client?.urlProtocol(self, didFailWithError: error)
      }
    }
  }

  override func stopLoading() {
    work?.cancel()
    // The client may stop the protocol while it is called.
    if lock.try() {
      isStopped = true
      lock.unlock()
    }
  }
}

/// A protocol whose class differs from those with other type arguments.
private final class NumberedURLProtocol<Number>: ScenarioURLProtocol {}

/// A binary number as a type, the lowest digit outside: `One<Zero<End>>` is one.
private protocol TypeNumber {}

extension TypeNumber {
  fileprivate static var protocolClass: ScenarioURLProtocol.Type { NumberedURLProtocol<Self>.self }
  fileprivate static func with(digit: Int) -> any TypeNumber.Type {
    digit == 0 ? Zero<Self>.self : One<Self>.self
  }
}

private enum End: TypeNumber {}
private enum Zero<Rest: TypeNumber>: TypeNumber {}
private enum One<Rest: TypeNumber>: TypeNumber {}

/// The classes of protocols, with the servers of the scenarios that use them. No class is used twice: a session that an app has
/// made for itself can outlive its scenario, and must not reach the server of another one.
// Unchecked: all mutable state is read and written only under `lock`.
final class URLProtocolPool: @unchecked Sendable {
  static let shared = URLProtocolPool()

  private let lock = NSLock()
  private var count = 0
  private var servers: [ObjectIdentifier: AppServer] = [:]

  func takeClass(for server: AppServer) -> ScenarioURLProtocol.Type {
    lock.withLock {
      count += 1
      let taken = Self.number(count).protocolClass
      servers[ObjectIdentifier(taken)] = server
      return taken
    }
  }

  private static func number(_ value: Int) -> any TypeNumber.Type {
    value == 0 ? End.self : number(value / 2).with(digit: value % 2)
  }

  func giveBack(_ used: ScenarioURLProtocol.Type) {
    lock.withLock { servers[ObjectIdentifier(used)] = nil }
  }

  func server(of used: ScenarioURLProtocol.Type) -> AppServer? {
    lock.withLock { servers[ObjectIdentifier(used)] }
  }
}
