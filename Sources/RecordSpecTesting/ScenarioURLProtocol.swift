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

  /// A protocol that is passed to a task.
  // Unchecked: the loading system starts a protocol before it stops it, and its client may be called from any thread.
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
      let load = started.load
      do {
        let (body, response) = try await server.response(to: request)
        load.client?.urlProtocol(load, didReceive: response, cacheStoragePolicy: .notAllowed)
        load.client?.urlProtocol(load, didLoad: body)
        load.client?.urlProtocolDidFinishLoading(load)
      } catch {
        load.client?.urlProtocol(load, didFailWithError: error)
      }
    }
  }

  override func stopLoading() { work?.cancel() }
}

/// A protocol whose class differs from those with other type arguments.
private final class NumberedURLProtocol<Number>: ScenarioURLProtocol {}

/// A number as a type: `Next<Next<Zero>>` is two.
private protocol TypeNumber {
  static var protocolClass: ScenarioURLProtocol.Type { get }
  static var next: any TypeNumber.Type { get }
}

private enum Zero: TypeNumber {
  static var protocolClass: ScenarioURLProtocol.Type { NumberedURLProtocol<Zero>.self }
  static var next: any TypeNumber.Type { Next<Zero>.self }
}

private enum Next<Number: TypeNumber>: TypeNumber {
  static var protocolClass: ScenarioURLProtocol.Type { NumberedURLProtocol<Next>.self }
  static var next: any TypeNumber.Type { Next<Next>.self }
}

/// The classes of protocols, with the servers of the scenarios that use them. A class is used again when its scenario has
/// ended, so that there are as many as scenarios have run at the same time.
// Unchecked: all mutable state is read and written only under `lock`.
final class URLProtocolPool: @unchecked Sendable {
  static let shared = URLProtocolPool()

  private let lock = NSLock()
  private var free: [ScenarioURLProtocol.Type] = []
  private var unused: any TypeNumber.Type = Zero.self
  private var servers: [ObjectIdentifier: AppServer] = [:]

  func takeClass(for server: AppServer) -> ScenarioURLProtocol.Type {
    lock.withLock {
      let taken = free.popLast() ?? newClass()
      servers[ObjectIdentifier(taken)] = server
      return taken
    }
  }

  func giveBack(_ used: ScenarioURLProtocol.Type) {
    lock.withLock {
      servers[ObjectIdentifier(used)] = nil
      free.append(used)
    }
  }

  func server(of used: ScenarioURLProtocol.Type) -> AppServer? {
    lock.withLock { servers[ObjectIdentifier(used)] }
  }

  private func newClass() -> ScenarioURLProtocol.Type {
    defer { unused = unused.next }
    return unused.protocolClass
  }
}
