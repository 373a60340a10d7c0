/// Something that takes any input, with what must hold of it.
protocol FuzzTarget {
  /// Prepares what all inputs need.
  init() throws

  /// Does everything that there is to do with an input. Ends the process if something does not hold.
  func check(_ input: [UInt8])
}

/// Ends the process, and with it the search, if something does not hold.
func expect(_ condition: Bool, _ reason: @autoclosure () -> String) {
  if !condition { fatalError(reason()) }
}

/// Returns what must not throw.
func expectNoError<Result>(_ what: String, _ body: () throws -> Result) -> Result {
  do {
    return try body()
  } catch {
    fatalError("\(what): \(error)")
  }
}
