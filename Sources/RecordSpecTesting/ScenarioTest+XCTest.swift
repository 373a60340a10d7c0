#if canImport(XCTest)
  public import RecordModel
  public import RecordSpec
  public import RecordSpecAdapter
  public import XCTest

  extension ScenarioTest {
    /// Runs the scenario, and records its failure in a test case of XCTest, at the line of YAML.
    ///
    /// ```swift
    /// final class ConformanceTestCase: XCTestCase {
    ///   func testScenarios() async throws {
    ///     for scenario in try Scenarios(in: folder) { await scenario.test(in: self) }
    ///   }
    /// }
    /// ```
    ///
    /// The first issue is the report on the scenario, with explanations and the next command. If the scenario has other
    /// errors, each of them is an issue at its own line.
    ///
    /// - Parameters:
    ///   - testCase: the test case that is running.
    ///   - model: the model of the app, which replaces the scenario's `model:`. If nil, the scenario uses its own model.
    ///   - registrations: the Swift code that scenarios name.
    /// - Returns: The outcome; nil if the scenario has failed.
    @discardableResult
    nonisolated(nonsending) public func test(
      in testCase: XCTestCase, model: ManagedObjectModel? = nil,
      registering registrations: ScenarioRegistrations = ScenarioRegistrations()
    ) async -> Outcome? {
      do {
        return try await check(model: model, registering: registrations)
      } catch {
        for issue in error.issues { testCase.record(issue) }
        return nil
      }
    }

    /// Runs the scenario on an app, and records its failure in a test case of XCTest, at the line of YAML.
    ///
    /// - Parameters:
    ///   - testCase: the test case that is running.
    ///   - adapter: the type of the app's adapter. Each run creates one.
    /// - Returns: The outcome; nil if the scenario has failed.
    @discardableResult
    nonisolated(nonsending) public func test<Adapter: ScenarioAdapter>(
      in testCase: XCTestCase, adapter: Adapter.Type
    ) async -> Outcome? {
      do {
        return try await check(adapter: adapter)
      } catch {
        for issue in error.issues { testCase.record(issue) }
        return nil
      }
    }
  }

  extension XCTestCase {
    fileprivate func record(_ issue: FailureIssue) {
      #if canImport(ObjectiveC)
        let location = XCTSourceCodeLocation(filePath: issue.filePath, lineNumber: issue.line)
        record(
          XCTIssue(
            type: .assertionFailure, compactDescription: issue.message,
            sourceCodeContext: XCTSourceCodeContext(location: location)))
      #else
        recordFailure(
          withDescription: issue.message, inFile: issue.filePath, atLine: issue.line, expected: true)
      #endif
    }
  }
#endif
