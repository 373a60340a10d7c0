import RecordSpec
import ScenarioFormat
import ScenarioReport

/// The reason why a kept result cannot be accepted as a golden file.
struct KeptResultRefusal: Error {
  let reason: String
}

extension ScenarioJudge {
  /// Returns the verdict on the kept result of the last test run, for a scenario that the command line cannot run. The
  /// result must have met its expectations, and the files of the scenario must not have changed since then.
  ///
  /// - Returns: the verdict or the reason why there is none; nil if the command line has run the scenario, or if the scenario
  ///   lacks an adapter and no test has kept its result.
  func verdictOnKeptResult(
    of verdict: ScenarioVerdict, in results: KeptResults, below root: String
  ) -> Result<ScenarioVerdict, KeptResultRefusal>? {
    guard verdict.needsSwiftCode || verdict.lacksAdapter && results.usesSwiftCode(verdict.name) else {
      return nil
    }
    func refusal(_ reason: String) -> Result<ScenarioVerdict, KeptResultRefusal> {
      .failure(KeptResultRefusal(reason: reason))
    }
    do throws(FileProblem) {
      guard let kept = try results.load(verdict.name) else {
        return refusal("there is no kept result of a test run")
      }
      if let change = kept.changedInputs(below: root).first {
        return refusal("\(change) since the last test run")
      }
      guard kept.meetsExpectations else {
        return refusal("in the last test run, more than the golden file differed")
      }
      return .success(self.verdict(on: kept, path: verdict.path))
    } catch {
      return refusal(error.message)
    }
  }

  /// Returns the note on a golden file that was written from a kept result.
  static func noteOnKeptResult(of name: String) -> String {
    "note: '\(name)' was blessed from the result of its last test run; changes of Swift code since then are not detected\n"
  }
}
