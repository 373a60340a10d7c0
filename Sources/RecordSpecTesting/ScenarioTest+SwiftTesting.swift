#if canImport(Testing)
  public import RecordModel
  public import RecordSpec
  public import RecordSpecAdapter
  internal import Testing

  extension ScenarioTest {
    /// Runs the scenario, and records its failure in the current test of Swift Testing, at the line of YAML.
    ///
    /// ```swift
    /// @Test(arguments: try Scenarios(in: folder))
    /// func conforms(_ scenario: ScenarioTest) async {
    ///   await scenario.test()
    /// }
    /// ```
    ///
    /// The first issue is the report on the scenario, with explanations and the next command. If the scenario has other
    /// errors, each of them is an issue at its own line.
    ///
    /// - Parameters:
    ///   - model: the model of the app, which replaces the scenario's `model:`. If nil, the scenario uses its own model.
    ///   - registrations: the Swift code that scenarios name.
    /// - Returns: The outcome; nil if the scenario has failed.
    @discardableResult
    nonisolated(nonsending) public func test(
      model: ManagedObjectModel? = nil,
      registering registrations: ScenarioRegistrations = ScenarioRegistrations()
    ) async -> Outcome? {
      do {
        return try await check(model: model, registering: registrations)
      } catch {
        error.record()
        return nil
      }
    }

    /// Runs the scenario on an app, and records its failure in the current test of Swift Testing, at the line of YAML.
    ///
    /// ```swift
    /// @Test(arguments: try Scenarios(in: folder))
    /// func conforms(_ scenario: ScenarioTest) async {
    ///   await scenario.test(adapter: FeedAdapter.self)
    /// }
    /// ```
    ///
    /// - Parameter adapter: the type of the app's adapter. Each run creates one.
    /// - Returns: The outcome; nil if the scenario has failed.
    @discardableResult
    nonisolated(nonsending) public func test<Adapter: ScenarioAdapter>(adapter: Adapter.Type) async
      -> Outcome?
    {
      do {
        return try await check(adapter: adapter)
      } catch {
        error.record()
        return nil
      }
    }
  }

  extension ScenarioTest.Failure {
    fileprivate func record() {
      for issue in issues {
        Issue.record(
          Comment(rawValue: issue.message),
          sourceLocation: SourceLocation(
            fileID: issue.fileID, filePath: issue.filePath, line: issue.line, column: issue.column))
      }
    }
  }
#endif
