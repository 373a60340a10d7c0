public import RecordSpec
public import RecordSpecAdapter

extension ScenarioTest {
  /// Runs the scenario on an app and compares the rows of the app's store. A scenario with a `model` runs on RecordEngine.
  ///
  /// ```swift
  /// let outcome = try await scenario.check(adapter: FeedAdapter.self)
  /// ```
  ///
  /// - Parameter adapter: the type of the app's adapter. Each run creates one.
  /// - Throws: `ScenarioTest.Failure` if the scenario is invalid, fails, has no golden file, or passes although it is marked
  ///   to fail, or if the adapter fails, so that the result is unknown.
  @discardableResult
  public func check<Adapter: ScenarioAdapter>(adapter: Adapter.Type) async throws(Failure) -> Outcome {
    try await check(adapterNamed: "\(Adapter.self)", makingApp: { AdapterHost<Adapter>() })
  }
}
