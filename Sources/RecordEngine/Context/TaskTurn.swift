/// Whose turn it is, among tasks of one isolation: one has it at a time, in the order in which they have come.
final class TaskTurn {
  private var isTaken = false
  private var waiting: [CheckedContinuation<Void, Never>] = []

  /// Waits for the turn.
  func take(isolation: isolated (any Actor)? = #isolation) async {
    guard isTaken else {
      isTaken = true
      return
    }
    await withCheckedContinuation { waiting.append($0) }
  }

  /// To be called once by whoever has the turn.
  func end() {
    // It goes straight to the next one: nobody who comes meanwhile is before.
    if waiting.isEmpty { isTaken = false } else { waiting.removeFirst().resume() }
  }
}
