import Foundation

/// A Boolean value that a test changes while a server reads it, or the reverse.
// Unchecked: `isSet` is accessed only under `lock`.
final class Flag: @unchecked Sendable {
  private let lock = NSLock()
  private var isSet = false

  var value: Bool {
    get { lock.withLock { isSet } }
    set { lock.withLock { isSet = newValue } }
  }
}
