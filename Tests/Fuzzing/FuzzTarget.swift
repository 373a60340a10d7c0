/// Code that accepts any input, with the conditions that the results satisfy.
protocol FuzzTarget {
  /// Prepares the data for all inputs.
  init() throws

  /// Runs the code with an input. Ends the process if a condition does not hold.
  func check(_ input: [UInt8])
}

/// Ends the process, and with it the search, if the condition does not hold.
func expect(_ condition: Bool, _ reason: @autoclosure () -> String) {
  if !condition { fatalError(reason()) }
}

/// Returns the result of `body`. Ends the process if `body` throws.
func expectNoError<Result>(_ what: String, _ body: () throws -> Result) -> Result {
  do {
    return try body()
  } catch {
    fatalError("\(what): \(error)")
  }
}
