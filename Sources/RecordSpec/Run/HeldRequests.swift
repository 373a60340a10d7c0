/// Requests that have reached the server and wait there for their answers, by the scenario's clock.
///
/// A request with a name, which is its tag, is answered when a step awaits it; one whose answer takes time also when the clock gets there
/// before. A request without a name is one that a step waits for. Whoever is waited for lets time pass up to its answer, and
/// with it come, one after the other, the answers that are due before.
actor HeldRequests {
  private struct Held {
    /// When the answer is due by the clock; nil if only a step can let it come.
    var due: Duration?
    /// The order of arrival.
    var number: Int
    var continuation: CheckedContinuation<Void, Never>
  }

  private let clock: VirtualClock
  private var held: [String: Held] = [:]
  /// What a step waits for.
  private var awaited: Set<String> = []
  /// What has had an answer and goes on: it may ask for more.
  private var answered: Set<String> = []
  /// What each request waits for that does not come to the server before another one has ended.
  private var heldBack: [String: String] = [:]
  private var areAllReleased = false
  private var count = 0

  /// The requests that have come to rest since somebody asked: held, or ended.
  private var rested: Set<String> = []
  private var awaitingRest: [String: CheckedContinuation<Void, Never>] = [:]

  init(clock: VirtualClock) { self.clock = clock }

  // MARK: For the server

  /// Comes back when the request is to be answered.
  ///
  /// - Parameters:
  ///   - name: nil for a request that a step waits for.
  ///   - due: the time since the scenario began at which the answer arrives.
  func pass(_ name: String?, until due: Duration) async {
    count += 1
    let number = count
    let takesTime = due > clock.elapsed
    guard !areAllReleased else { return }
    if let name, !awaited.contains(name), takesTime || !answered.contains(name) {
      await withTaskCancellationHandler {
        await hold(name, due: takesTime ? due : nil, number)
      } onCancel: {
        Task { await self.drop(name, number) }
      }
      answered.insert(name)
      guard awaited.contains(name) else { return }
    }
    await letPass(until: due, number)
  }

  private func hold(_ name: String, due: Duration?, _ number: Int) async {
    await withCheckedContinuation { continuation in
      guard !Task.isCancelled else { return continuation.resume() }
      held[name] = Held(due: due, number: number, continuation: continuation)
      noteRest(of: name)
    }
  }

  /// Nobody waits for the answer any more.
  private func drop(_ name: String, _ number: Int) {
    guard held[name]?.number == number else { return }
    held.removeValue(forKey: name)?.continuation.resume()
  }

  /// Answers one after the other what is due before, and leaves the clock at the time that was to come.
  private func letPass(until time: Duration, _ number: Int) async {
    func dueBefore() -> (name: String, due: Duration)? {
      held.compactMap { name, held in held.due.map { (name: name, due: $0, number: held.number) } }
        .filter { ($0.due, $0.number) < (time, number) }
        .min { ($0.due, $0.number) < ($1.due, $1.number) }
        .map { ($0.name, $0.due) }
    }
    while !areAllReleased, let next = dueBefore() {
      clock.advance(to: next.due)
      held.removeValue(forKey: next.name)?.continuation.resume()
      await rest(of: next.name)
    }
    clock.advance(to: time)
  }

  /// The request does not come before another one has ended: who waits for it waits for that one.
  ///
  /// - Parameter name: nil for a request that a step waits for.
  func holdBack(_ name: String?, behind other: String?) {
    if let name, !awaited.contains(name) {
      heldBack[name] = other
      noteRest(of: name)
    } else if let other {
      release(other)
    }
  }

  // MARK: For the steps

  /// Waits until the request is held by the server, or has ended.
  func rest(of name: String) async {
    if rested.remove(name) != nil { return }
    await withCheckedContinuation { awaitingRest[name] = $0 }
  }

  /// Also for a request that has ended without ever reaching the server.
  func noteRest(of name: String) {
    if let continuation = awaitingRest.removeValue(forKey: name) {
      continuation.resume()
    } else {
      rested.insert(name)
    }
  }

  /// Lets time pass. What is due before is answered, one after the other.
  func advance(by time: Duration) async {
    count += 1
    await letPass(until: clock.elapsed + time, count)
  }

  /// A step waits for the request: it is answered, as is whatever else it asks for.
  func release(_ name: String) {
    awaited.insert(name)
    held.removeValue(forKey: name)?.continuation.resume()
    if let other = heldBack.removeValue(forKey: name) { release(other) }
  }

  /// The request has ended, and its name is free.
  func forget(_ name: String) {
    rested.remove(name)
    heldBack = heldBack.filter { $0.key != name && $0.value != name }
    awaited.remove(name)
    answered.remove(name)
  }

  /// Lets all requests be answered, those that are still to come too: nobody goes on to await them.
  func releaseAll() {
    areAllReleased = true
    for (_, held) in held.sorted(by: { $0.value.number < $1.value.number }) { held.continuation.resume() }
    held = [:]
  }
}
