/// Requests that have reached the server and wait there until the scenario lets them be answered, one by one.
///
/// Which request is which is carried by the task that sends it, so that nothing depends on who comes first.
actor HeldRequests {
  @TaskLocal static var name: String?

  /// A continuation for each request that waits; nil once it may pass.
  private var waiting: [String: CheckedContinuation<Void, Never>] = [:]
  private var released: Set<String> = []
  private var areAllReleased = false
  private var arrived: Set<String> = []
  private var awaitingArrival: [String: CheckedContinuation<Void, Never>] = [:]

  /// Called by the server for each request: a request with a name waits for its release.
  func pass() async {
    guard let name = Self.name else { return }
    noteArrival(of: name)
    if areAllReleased || released.remove(name) != nil { return }
    await withCheckedContinuation { waiting[name] = $0 }
  }

  /// Also for a request that has ended without ever reaching the server.
  func noteArrival(of name: String) {
    if let continuation = awaitingArrival.removeValue(forKey: name) {
      continuation.resume()
    } else {
      arrived.insert(name)
    }
  }

  /// Waits until the request has reached the server, or has ended before that.
  func arrival(of name: String) async {
    if arrived.remove(name) != nil { return }
    await withCheckedContinuation { awaitingArrival[name] = $0 }
  }

  /// The request has ended, and its name is free.
  func forget(_ name: String) {
    arrived.remove(name)
    released.remove(name)
  }

  /// Lets all requests be answered, those that are still to come too: nobody goes on to await them.
  func releaseAll() {
    areAllReleased = true
    for (_, continuation) in waiting.sorted(by: { $0.key < $1.key }) { continuation.resume() }
    waiting = [:]
  }

  /// Lets the request be answered.
  func release(_ name: String) {
    if let continuation = waiting.removeValue(forKey: name) {
      continuation.resume()
    } else {
      released.insert(name)
    }
  }
}
