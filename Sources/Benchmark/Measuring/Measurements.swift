/// The measurements so far, by line.
struct Measurements {
  /// The durations, in the order of the rounds.
  private(set) var durations: [Line: [TimeTaken]] = [:]
  /// The memory in bytes.
  private(set) var memory: [Line: Int] = [:]

  mutating func add(_ duration: TimeTaken, to line: Line) { durations[line, default: []].append(duration) }

  mutating func setMemory(_ bytes: Int, of line: Line) { memory[line] = bytes }

  /// Returns the figure that tables and goals compare: the least processor time, or the memory.
  func figure(_ line: Line) -> Double? { best(line, \.processor) ?? memory[line].map(Double.init) }

  func best(_ line: Line, _ clock: KeyPath<TimeTaken, Double>) -> Double? {
    durations[line]?.map { $0[keyPath: clock] }.min()
  }

  func median(_ line: Line, _ clock: KeyPath<TimeTaken, Double>) -> Double? {
    guard let sorted = durations[line]?.map({ $0[keyPath: clock] }).sorted(), !sorted.isEmpty else {
      return nil
    }
    let middle = sorted.count / 2
    return sorted.count % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
  }
}
