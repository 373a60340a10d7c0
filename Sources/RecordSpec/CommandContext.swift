package import Foundation

/// What a command runs in: the outside world, in one place, so that a test can be one.
package struct CommandContext {
  package var environment: RunEnvironment
  /// Takes what goes to standard output.
  package var output: (String) -> Void
  /// Takes what goes to standard error.
  package var errors: (String) -> Void
  package var execute: ScenarioExecutor
  /// The commands there are, where none was named: the first word may be a mistyped one.
  package var commands: [String] = []
  /// `2031-05-01`, in UTC.
  package var today: String
  /// The time since the command began.
  package var elapsed: () -> Duration
  /// Registers the work to do when a signal ends the command. It is done where the command runs, between two of its steps.
  package var onSignal: (_ work: @escaping () -> Void) -> Void

  package init(
    environment: RunEnvironment, execute: @escaping ScenarioExecutor, today: String,
    elapsed: @escaping () -> Duration = { .zero },
    onSignal: @escaping (_ work: @escaping () -> Void) -> Void = { _ in },
    output: @escaping (String) -> Void,
    errors: @escaping (String) -> Void
  ) {
    self.environment = environment
    self.execute = execute
    self.today = today
    self.elapsed = elapsed
    self.onSignal = onSignal
    self.output = output
    self.errors = errors
  }
}

extension CommandContext {
  /// The day of a date in UTC, `2031-05-01`.
  package static func day(of date: Date) -> String {
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = TimeZone(secondsFromGMT: 0) ?? calendar.timeZone
    let day = calendar.dateComponents([.year, .month, .day], from: date)
    return [(day.year ?? 0, 4), (day.month ?? 0, 2), (day.day ?? 0, 2)]
      .map { number, width in
        let digits = String(number)
        return String(repeating: "0", count: max(0, width - digits.count)) + digits
      }
      .joined(separator: "-")
  }

  /// Writes a message without colour to standard error, and shows its control characters as U+FFFD.
  package func report(_ message: String) {
    let lines = message.split(separator: "\n", omittingEmptySubsequences: false)
    errors(lines.map { DisplayText.oneLine(String($0)) }.joined(separator: "\n"))
  }

  /// Tells why a command cannot do anything at all.
  func refuse(_ problem: AuthorDiagnostic, _ suite: SuiteOptions) -> ExitStatus {
    errors(DiagnosticRenderer(isColored: environment.isColored(suite.color)).text(of: problem))
    return .invalid
  }
}

/// Where a suite of scenarios lies, and how to speak of it.
package struct SuiteOptions: Sendable {
  /// Default `Scenarios`.
  package var scenarios = "Scenarios"
  /// Default `Golden` beside the scenarios.
  package var golden: String {
    get { namedGolden ?? standardGolden }
    set { namedGolden = newValue }
  }
  private var namedGolden: String?
  package var goldenFolder: GoldenFolder { GoldenFolder(path: golden, isNamed: namedGolden != nil) }
  /// Folders outside the project whose files scenarios may name.
  package var allowedFolders: [String] = []
  package var color = ColorChoice.auto
  package var isVerbose = false
  package var store = StoreKind.memory
  /// Scenarios that run at the same time. Default: the processors.
  package var jobs = ProcessInfo.processInfo.activeProcessorCount

  package init() {}

  /// A command on this suite, as it is to be typed: `recordspec bless`, to which names of scenarios can be appended.
  package func command(_ name: String) -> String {
    var command = "recordspec \(name)"
    if scenarios != "Scenarios" { command += " --scenarios \(ShellText.quoted(scenarios))" }
    if golden != standardGolden || (namedGolden != nil && goldenFolder.leadsOutside) {
      command += " --golden \(ShellText.quoted(golden))"
    }
    for folder in allowedFolders { command += " --allow-outside \(ShellText.quoted(folder))" }
    return command
  }

  private var standardGolden: String { GoldenFolder.standardPath(besides: scenarios) }
}

/// Which scenarios of a suite are meant, as asked for on the command line.
package struct SelectionOptions: Sendable {
  package var selection = ScenarioSelection()
  /// Those that failed when they last ran.
  package var isLastFailed = false
  /// Those that git sees a change in, or in a file that they name.
  package var isChanged = false
  /// Whether it is no mistake to mean none.
  package var allowsEmpty = false

  package init() {}
}
