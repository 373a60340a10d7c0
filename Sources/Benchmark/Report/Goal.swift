/// A goal of the project: the maximum or minimum ratio between two figures, or the maximum duration of one.
struct Goal {
  var title: String
  var figure: Line
  /// The line that the figure is divided by; nil if the goal is a duration.
  var base: Line?
  var bound: Bound

  enum Bound {
    case atMost(Double)
    case atLeast(Double)
    /// The elapsed time in seconds, on two cores.
    case within(Double)
  }

  /// - Parameter value: the ratio, or the duration in seconds.
  func isMet(_ value: Double) -> Bool {
    switch bound {
    case .atMost(let limit), .within(let limit): value <= limit
    case .atLeast(let limit): value >= limit
    }
  }

  var boundText: String {
    switch bound {
    case .atMost(let limit): "at most \(limit.formatted(places: 2))"
    case .atLeast(let limit): "at least \(limit.formatted(places: 1))"
    case .within(let limit): "within \(limit.formatted(places: 2)) s"
    }
  }

  static let all: [Goal] = ofImports + ofTheCache + ofProperties + ofScenarios

  private static let ofScenarios: [Goal] = [
    Goal(
      title: "1,000 scenarios run and compared", figure: SuiteWorkload.runLine, bound: .within(0.25)),
    Goal(
      title: "10,000 scenarios run and compared", figure: SuiteWorkload.largeRunLine, bound: .within(2.5)),
    Goal(title: "1,000 scenarios checked", figure: SuiteWorkload.checkLine, bound: .within(0.3)),
    Goal(
      title: "Peak memory of 10,000 scenarios, to 1,000", figure: SuiteWorkload.largePeakLine,
      base: SuiteWorkload.peakLine, bound: .atMost(1.5)),
    Goal(
      title: "The suite of this repository on SQLite, to memory", figure: OwnSuiteWorkload.line(.sqlite),
      base: OwnSuiteWorkload.line(.memory), bound: .atMost(2.5)),
    Goal(
      title: "Diff of 100,000 values, of which 1 % differ", figure: DiffWorkload.fewLine, bound: .within(0.3)),
    Goal(title: "Diff of 100,000 values that all differ", figure: DiffWorkload.allLine, bound: .within(0.3)),
  ]

  /// The goals of the cache. Each compares with the request without a cache, over the same store and context.
  private static let ofTheCache = Storage.allCases.flatMap { storage in
    CacheWorkload.Knowledge.allCases.flatMap { knowledge in
      [(CacheWorkload.Act.hit, 200.0), (.revalidation, 20)].map { act, limit in
        Goal(
          title: "The request, to its \(act.rawValue): \(storage.rawValue), \(knowledge.rawValue)",
          figure: CacheWorkload.line(storage, knowledge, .request),
          base: CacheWorkload.line(storage, knowledge, act),
          bound: .atLeast(limit))
      }
    }
  }

  private static let ofProperties = PropertiesWorkload.Act.allCases.flatMap { act in
    PropertiesWorkload.Property.allCases.map { property in
      Goal(
        title: "Typed property, to the subscript: \(act.rawValue) \(property.title)",
        figure: PropertiesWorkload.line(act, property, .typed),
        base: PropertiesWorkload.line(act, property, .subscript),
        bound: .atMost(1.1))
    }
  }

  private static let ofImports: [Goal] = [
    Goal(
      title: "Populate in memory, to the JSON tape alone", figure: PopulateWorkload.line,
      base: TapeWorkload.line,
      bound: .atMost(3.5)),
    Goal(
      title: "Fresh import, to the floor", figure: Line(.fresh, "engine"), base: Line(.fresh, "floor"),
      bound: .atMost(1.15)),
    Goal(
      title: "Fresh import of the careful peer, to the engine's", figure: Line(.fresh, "careful"),
      base: Line(.fresh, "engine"), bound: .atLeast(4)),
    Goal(
      title: "Fresh import of the usual peer, to the engine's", figure: Line(.fresh, "usual"),
      base: Line(.fresh, "engine"), bound: .atLeast(12)),
    Goal(
      title: "Identical re-import (no row written), to a fresh one", figure: Line(.unchanged, "engine"),
      base: Line(.fresh, "engine"), bound: .atMost(0.35)),
    Goal(
      title: "The same bytes again, nothing saved since, to a fresh import",
      figure: CacheWorkload.line(.sqlite, .cold, .again), base: Line(.fresh, "engine"), bound: .atMost(0.05)),
    Goal(
      title: "Import with 5 % of the posts changed, to the floor", figure: Line(.changed, "engine"),
      base: Line(.changed, "floor"), bound: .atMost(1.3)),
    Goal(
      title: "Fetch of 1,000 posts by predicate, to the floor", figure: Line(.fetch, "engine"),
      base: Line(.fetch, "floor"), bound: .atMost(1.3)),
    Goal(
      title: "Growth from 10,000 to 100,000 posts", figure: .growth("engine", 100_000),
      base: .growth("engine", 10_000), bound: .atMost(10.5)),
    Goal(
      title: "1,000 responses of 20 posts, to the floor", figure: Line(.pages, "engine"),
      base: Line(.pages, "floor"), bound: .atMost(1.2)),
    Goal(
      title: "Peak memory of a fresh import, to the response", figure: Line(.peak, "engine"),
      base: Line(.peak, "response"), bound: .atMost(4)),
  ]
}

/// The result of comparing the figures with a goal.
struct GoalOutcome {
  var goal: Goal
  /// The ratio of the figures; nil if one of them was not measured, or if the goal is a duration.
  var ratio: Double?
  /// The ratio of the least elapsed times; nil for memory, and if the goal is a duration.
  var wallRatio: Double?
  /// The least elapsed time; nil if the goal is a ratio.
  var seconds: Double?

  init(_ goal: Goal, _ measurements: Measurements) {
    self.goal = goal
    func quotient(_ figure: Double?, _ base: Double?) -> Double? {
      guard let figure, let base, base > 0 else { return nil }
      return figure / base
    }
    guard let base = goal.base else {
      seconds = measurements.best(goal.figure, \.wall)
      return
    }
    ratio = quotient(measurements.figure(goal.figure), measurements.figure(base))
    wallRatio = quotient(measurements.best(goal.figure, \.wall), measurements.best(base, \.wall))
  }

  /// The value that the goal bounds; nil if it was not measured.
  var value: Double? { ratio ?? seconds }

  var verdict: String {
    guard let value else { return "not measured" }
    return goal.isMet(value) ? "met" : "missed"
  }
}
