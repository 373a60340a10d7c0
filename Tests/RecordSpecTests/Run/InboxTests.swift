import Testing

@testable import RecordSpec

struct InboxTests {
  @Test(.timeLimit(.minutes(5))) func valuesOfManySendersArriveOnceAndInTheirOrder() async {
    let inbox = Inbox<(sender: Int, number: Int)>()
    let (senders, count) = (8, 500)
    var received: [Int: [Int]] = [:]
    await withTaskGroup(of: Void.self) { group in
      for sender in 0..<senders {
        group.addTask {
          for number in 0..<count {
            inbox.send((sender, number))
            if number % 50 == 0 { await Task.yield() }
          }
        }
      }
      var total = 0
      while total < senders * count, let values = await inbox.receive() {
        #expect(!values.isEmpty)
        total += values.count
        for value in values { received[value.sender, default: []].append(value.number) }
      }
    }
    for sender in 0..<senders { #expect(received[sender] == Array(0..<count)) }
  }

  /// The receiver is cancelled before it waits, while it waits, or in the rest after values.
  @Test(.timeLimit(.minutes(5)), arguments: [0, 1, 2])
  func aCancelledReceiverStopsWaiting(received: Int) async {
    let inbox = Inbox<Int>()
    let receiver = Task {
      for _ in 1..<max(1, received) { _ = await inbox.receive() }
      return await inbox.receive()
    }
    if received > 1 { inbox.send(1) }
    while received > 0, !inbox.isReceiving { await Task.yield() }
    receiver.cancel()
    #expect(await receiver.value == nil)
  }
}
