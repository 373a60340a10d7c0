import Foundation

/// Work that several threads share.
enum Parallel {
  private final class Shared<Result: Sendable>: @unchecked Sendable {
    private let lock = NSLock()
    private var next = 0
    private var results: [Result?]
    private var failure: (any Error)?

    init(count: Int) { results = Array(repeating: nil, count: count) }

    func take() -> Int? {
      lock.withLock {
        guard next < results.count, failure == nil else { return nil }
        next += 1
        return next - 1
      }
    }

    func put(_ result: Swift.Result<Result, any Error>, at index: Int) {
      lock.withLock {
        switch result {
        case .success(let value): results[index] = value
        case .failure(let error): failure = failure ?? error
        }
      }
    }

    func all() throws -> [Result] {
      if let failure { throw failure }
      return results.compactMap(\.self)
    }
  }

  /// Returns the results, in the order of the indices.
  static func map<Result: Sendable>(
    count: Int, jobs: Int, _ work: @escaping @Sendable (_ index: Int, _ worker: Int) throws -> Result
  ) throws -> [Result] {
    let shared = Shared<Result>(count: count)
    DispatchQueue.concurrentPerform(iterations: max(1, jobs)) { worker in
      while let index = shared.take() {
        shared.put(Swift.Result { try work(index, worker) }, at: index)
      }
    }
    return try shared.all()
  }
}
