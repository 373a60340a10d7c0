import JSONTree
import RecordModel
import RecordSpec
import ScenarioComparison
import ScenarioFormat
import ScenarioReport

/// The page of the rules in HTML: each rule, the scenarios that cover it, and their outcomes on each store.
///
/// The command that writes it runs no scenarios. The outcomes come from the JSON Lines reports of runs, so without reports
/// the page has none.
struct RulePage {
  /// A contradiction between two reports.
  struct Conflict: Error, Hashable {
    let message: String
  }

  private let scenarios: [LoadedScenario]
  private let rules: Set<Rule>
  private let version: String
  private var stores: Set<StoreKind> = []
  /// The outcomes by the names of scenarios.
  private var outcomes: [String: [StoreKind: ScenarioOutcome.Kind]] = [:]

  /// Creates the page.
  ///
  /// - Parameters:
  ///   - rules: the rules to show.
  ///   - version: the version of RecordSpec.
  init(_ scenarios: [LoadedScenario], rules: some Sequence<Rule>, version: String) {
    self.scenarios = scenarios.filter { $0.scenario != nil }
    self.rules = Set(rules)
    self.version = version
  }

  /// Adds the outcomes of a run.
  ///
  /// - Throws: a conflict if an earlier report has the outcome of a scenario on the same store.
  mutating func add(_ report: RecordedReport) throws(Conflict) {
    let store = report.run.store
    stores.insert(store)
    for scenario in report.scenarios {
      if outcomes[scenario.name]?[store] != nil {
        throw Conflict(
          message:
            "'\(report.path)' has the outcome of '\(scenario.name)' on the store \(store.rawValue), which another report has, too"
        )
      }
      outcomes[scenario.name, default: [:]][store] = scenario.outcome
    }
  }

  /// The number of scenarios in the reports that the suite does not have.
  var unknownCount: Int { Set(outcomes.keys).subtracting(scenarios.map(\.name)).count }

  var text: String {
    let stores = StoreKind.allCases.filter(stores.contains)
    var run = JSONFormObject()
    run.add("kind", "rules")
    run.add("version", version)
    run.add("stores", .array(stores.map { .string($0.rawValue) }))
    run.add("count", scenarios.count)
    run.add("total", scenarios.count)
    return HTMLPage.start(title: "RecordSpec rules") + HTMLPage.data(id: "run", run.form)
      + scenarios.enumerated().map { HTMLPage.data(kind: "scenario", form(of: $1, index: $0, stores)) }
      .joined()
      + HTMLPage.data(id: "rules", Rule.pageForm { rules.contains($0) }) + HTMLPage.end
  }

  private func form(of loaded: LoadedScenario, index: Int, _ stores: [StoreKind]) -> JSONValue {
    let outcomes = outcomes[loaded.name] ?? [:]
    var object = JSONFormObject()
    object.add("index", index)
    object.add("name", loaded.name)
    object.add("path", loaded.path)
    object.add("title", loaded.heading.title)
    object.add("tags", list: loaded.heading.tags.map(JSONValue.string))
    object.add("rules", list: loaded.heading.rules.map(JSONValue.string))
    object.add(
      "outcomes",
      .object(
        JSONObject(
          stores.compactMap { store in outcomes[store].map { (store.rawValue, .string($0.rawValue)) } })))
    return object.form
  }
}

extension Rule {
  /// Returns the groups of rules as the page reads them. A group without a rule to show is omitted.
  static func pageForm(_ isShown: (Rule) -> Bool = { _ in true }) -> JSONValue {
    .array(
      groups.compactMap { group in
        let rules = group.rules.filter(isShown).map(\.pageForm)
        return rules.isEmpty
          ? nil
          : ["name": .string(group.name), "title": .string(group.title), "rules": .array(rules)]
      })
  }

  private var pageForm: JSONValue {
    var object = JSONFormObject()
    object.add("id", id)
    object.add("text", text)
    object.add("planned", flag: isPlanned)
    object.add("new", flag: relation == .new)
    if case .differs(let how) = relation { object.add("differs", how) }
    object.add("provenBy", provenBy)
    return object.form
  }
}
