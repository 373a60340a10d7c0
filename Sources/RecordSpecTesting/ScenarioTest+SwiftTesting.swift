#if canImport(Testing)
  public import RecordModel
  public import RecordSpec
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
        for issue in error.issues {
          Issue.record(
            Comment(rawValue: issue.message),
            sourceLocation: SourceLocation(
              fileID: issue.fileID, filePath: issue.filePath, line: issue.line, column: issue.column))
        }
        return nil
      }
    }
  }
#endif
