import Foundation

/// A lock for output that several threads write.
final class OutputLock: Sendable {
  private let lock = NSLock()

  func perform(_ work: () -> Void) { lock.withLock(work) }
}
