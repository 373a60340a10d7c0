import Testing

@testable import RecordEngine

@Suite(.timeLimit(.minutes(1))) struct TaskMutexTests {
  /// A waiter that is canceled leaves the queue, whether or not its task waits already. The others keep their positions.
  @Test func aCanceledWaiterLeavesTheQueue() async throws {
    let mutex = TaskMutex()
    #expect(mutex.enqueue() == nil)
    let waiters = try (0..<3).map { _ in try #require(mutex.enqueue()) }
    waiters[1].cancel()
    #expect(await !waiters[1].wait())
    mutex.unlock()
    #expect(await waiters[0].wait())
    // The first waiter has the mutex, so it keeps it until it unlocks it.
    waiters[0].cancel()
    let last = Task { await waiters[2].wait() }
    mutex.unlock()
    #expect(await last.value)
  }

  @Test func aTaskThatWaitsLearnsThatItsWaiterWasCanceled() async throws {
    let mutex = TaskMutex()
    #expect(mutex.enqueue() == nil)
    let waiter = try #require(mutex.enqueue())
    let task: Task<Bool, Never>
    if #available(macOS 26, iOS 26, *) {
      // The task runs until it waits.
      task = Task.immediate { await waiter.wait() }
    } else {
      task = Task { await waiter.wait() }
      for _ in 0..<100 { await Task.yield() }
    }
    waiter.cancel()
    #expect(await !task.value)
  }
}
