package import RecordEngine
import RecordModel
package import ScenarioComparison
import ScenarioFormat

extension DriftSnapshot {
  package init(_ report: DriftReport) {
    self.init()
    for drift in report.entities { entities[drift.entity] = EntityDriftSnapshot(drift) }
  }
}

extension EntityDriftSnapshot {
  fileprivate init(_ drift: EntityDrift) {
    self.init(items: drift.itemCount, missing: drift.missingProperties.map(\.name))
    for key in drift.unusedKeys { unused[key.path] = DriftCount(key.count, key.first) }
    for type in drift.changedTypes {
      var found: [String: DriftCount] = [:]
      for kind in type.found { found[kind.kind.rawValue] = DriftCount(kind.count, kind.first) }
      types["\(type.property)\(type.isOfElements ? "[]" : "")"] = found
    }
  }
}

extension DriftCount {
  fileprivate init(_ count: Int, _ first: DriftLocation) {
    self.init(
      count: count, pointer: first.pointer.description, response: first.response, answer: first.mark)
  }
}

extension DriftReport? {
  /// Returns the merged reports of several responses, in their order; nil if no report was requested.
  package static func merging(_ reports: [DriftReport?]) -> DriftReport? {
    reports.compactMap(\.self).reduce(nil) { $0?.merging($1) ?? $1 }
  }
}

extension Result where Success == RequestResult<Record>, Failure == any Error {
  /// The drift report of the response, for a success and for a failure.
  package var drift: DriftReport? {
    switch self {
    case .success(let result): result.drift
    case .failure(let error): (error as? RequestFailure)?.drift
    }
  }
}
