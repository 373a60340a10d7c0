/// The options of commands that a project sets in `.recordspec.yaml`. The command line has precedence. Nil for options that
/// the project does not set.
package struct RunSettings: Hashable, Sendable {
  /// The folder of golden files.
  package var golden: String?
  package var store: StoreKind?
  /// The number of scenarios that run concurrently.
  package var jobs: Int?
  package var color: ColorChoice?
  package var isVerbose: Bool?
  /// A Boolean value that indicates whether a run explains the differences of failing scenarios.
  package var explains: Bool?
  /// The folder for the results of failed scenarios.
  package var keptResults: String?
  /// The number of failed scenarios that ends the run.
  package var maximumFailures: Int?
  /// The number of times that each scenario is run.
  package var repetitions: Int?
  /// The seed of the order of the scenarios.
  package var shuffleSeed: UInt64?
  /// The time after which a scenario is given up.
  package var timeLimit: Duration?
  package static let possibleTimeLimits: ClosedRange<Duration> = .milliseconds(1) ... .seconds(86_400)
  /// The number of slow scenarios that the text lists.
  package var slowest: Int?
  /// The JSON Lines reports whose durations balance the shards.
  package var timings: [String] = []
  package var reports: [ReportRequest] = []
  /// A Boolean value that indicates whether JSON reports have the details of scenarios.
  package var includesDetails: Bool?
  /// A Boolean value that indicates whether warnings of `check` are errors.
  package var isStrict: Bool?
  /// The adapters of apps, in the order of the file. Their commands run only if the command line names them.
  package var adapters: [AdapterSettings] = []

  package init() {}
}
