import JSONTree
import RecordEngine
package import ScenarioComparison
package import ScenarioFormat

extension ExecutedScenario {
  /// Returns an error for each canned body that is not JSON and therefore fails a step, unless the author expects the
  /// failure. It is located in the file of the body.
  package func invalidBodies(of scenario: Scenario) -> [AuthorDiagnostic] {
    let responses = scenario.responses.flatMap(\.responses)
    let positions = BodyPositions()
    var reported: Set<Int> = []
    return zip(scenario.steps, snapshot.steps).enumerated().flatMap { index, pair in
      scenario.judged(pair.0, pair.1).compactMap { step, outcome -> AuthorDiagnostic? in
        guard let failure = scenario.unexpectedFailure(of: step, outcome, at: index),
          failure.code == DiagnosticCode.invalidResponseFormat.rawValue
        else { return nil }
        if case .serialize(let serialized) = step.action {
          return problem(of: serialized.body, serialized.bodySource, at: step.span, positions)
        }
        guard let response = failure.response, responses.indices.contains(response),
          let body = responses[response].body, let source = responses[response].bodySource,
          reported.insert(response).inserted
        else { return nil }
        return problem(of: body, source, at: responses[response].span, positions)
      }
    }
  }

  private func problem(
    of body: CannedResponse.Body, _ source: BodySource, at span: SourceSpan, _ positions: BodyPositions
  ) -> AuthorDiagnostic? {
    do throws(JSONSyntaxError) {
      _ = try JSONDocument(parsing: body.bytes)
      return nil
    } catch {
      let isInFile = if case .file = source { true } else { false }
      return AuthorDiagnostic(
        .noJSON, at: positions.span(ofByte: error.location.offset, in: source),
        "the body is not valid JSON: \(error.message)",
        advice: "correct it, or expect the failure: 'expect: {failure: invalid-response-format}'",
        notes: isInFile ? [.init(span, "served here")] : [])
    }
  }
}

extension Scenario {
  /// Returns a step and the requests of a batch with their outcomes, all of which may have expectations.
  package func judged(_ step: Step, _ outcome: StepSnapshot) -> [(step: Step, outcome: StepSnapshot)] {
    guard case .batch(let batch) = step.action else { return [(step, outcome)] }
    return [(step, outcome)] + zip(batch.entries, outcome.batch).map { (step: $0, outcome: $1) }
  }

  /// Returns the failure of a step that its author does not expect; nil if there is none.
  ///
  /// - Parameter index: the index of the step, or of the batch that contains it.
  package func unexpectedFailure(of step: Step, _ outcome: StepSnapshot, at index: Int) -> FailureSnapshot? {
    let isExpected =
      step.expectation?.failure != nil || (index == steps.count - 1 && expectation.failure != nil)
    return isExpected ? nil : outcome.failure
  }
}
