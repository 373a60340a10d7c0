package import ScenarioFormat
package import ScenarioRun

/// An event of a run, in the order in which it is reported. Only reporters print.
package enum RunEvent: Hashable, Sendable {
  /// The start of the run, before the first scenario.
  case planned(PlannedRun)
  /// The start of a scenario, for a progress line.
  case started(name: String)
  /// The end of a scenario, with any outcome. These events come in the order in which scenarios end, for a progress
  /// line.
  case progressed(completed: Int, name: String, hasGoneWrong: Bool)
  /// The result of a scenario. These events come in the order of the plan, even if several scenarios run concurrently.
  case ended(ReportedScenario)
  /// The details of the scenario whose result was reported last. Only sent if a report needs them.
  case detailed(ScenarioDetails)
  /// A problem that belongs to no scenario.
  case problem(ReportedProblem)
  case runEnded(RunSummary)
}

/// A type that presents the events of a run.
package protocol RunReporter {
  mutating func report(_ event: RunEvent)
}

/// The facts about a run that are known before its first scenario.
package struct PlannedRun: Hashable, Sendable {
  /// The number of scenarios to run.
  package var count: Int
  /// The number of scenarios of all shards.
  package var total: Int
  /// The digest of the names of the scenarios of all shards, which tells whether reports belong together.
  package var digest: String
  /// The part of the scenarios that is run; nil for all of them.
  package var shard: Shard?
  package var store: StoreKind

  package init(
    count: Int, total: Int? = nil, digest: String = "", shard: Shard? = nil, store: StoreKind = .memory
  ) {
    self.count = count
    self.total = total ?? count
    self.digest = digest
    self.shard = shard
    self.store = store
  }
}
