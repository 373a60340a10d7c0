/// The figures for people, in columns.
struct Table {
  let shape: FeedShape
  let bytes: Int
  let rounds: Int
  let lines: [Line]
  let measurements: Measurements

  var text: String {
    var text = """
      \(shape.posts.grouped) posts: \((Double(bytes) / 1e6).formatted(places: 1)) MB of JSON, \
      \(shape.records.grouped) records, \(shape.rows.grouped) rows with those of the tags. \(rounds) rounds behind a \
      warm-up, at most three of what takes seconds.
      Milliseconds of processor time, the best and the median, and the best by the clock; ratios are of the best \
      processor times.


      """
    text += row("", "cpu", "median", "clock", "ratio", "") + "\n"
    for group in Group.allCases {
      let lines = lines.filter { $0.group == group && measurements.figure($0) != nil }
      if lines.isEmpty { continue }
      text += "\(group.title(shape))\n"
      for line in lines { text += self.text(of: line) + "\n" }
    }
    let outcomes = Goal.all.map { GoalOutcome($0, measurements) }.filter { $0.value != nil }
    if outcomes.isEmpty { return text }
    text += "\n" + row("Goals", "goal", "", "clock", "ratio", "") + "\n"
    for outcome in outcomes {
      let clock = outcome.wallRatio ?? outcome.seconds
      text += row(
        "  " + outcome.goal.title, outcome.goal.boundText, "", clock?.formatted(places: 2) ?? "",
        outcome.ratio?.formatted(places: 2) ?? "", outcome.verdict)
      text += "\n"
    }
    return text
  }

  private func text(of line: Line) -> String {
    let base = line.base.flatMap { measurements.figure($0) }
    var ratio = base.flatMap { base in measurements.figure(line).map { $0 / base } }
    // The ratio of a line of the cache is its speedup. All other ratios are relative durations.
    if line.group == .cache { ratio = ratio.map { 1 / $0 } }
    if line.group == .growth { ratio = ratio.map { $0 * 10_000 / Double(line.posts ?? 1) } }
    let end = (ratio?.formatted(places: 2) ?? "", ratio == nil ? "" : line.baseTitle)
    if let bytes = measurements.memory[line] {
      return row("  " + line.title, "\((Double(bytes) / 1e6).formatted(places: 1)) MB", "", "", end.0, end.1)
    }
    func milliseconds(_ seconds: Double?) -> String { seconds.map { ($0 * 1000).formatted(places: 1) } ?? "" }
    return row(
      "  " + line.title, milliseconds(measurements.best(line, \.processor)),
      milliseconds(measurements.median(line, \.processor)), milliseconds(measurements.best(line, \.wall)),
      end.0,
      end.1)
  }

  private func row(
    _ title: String, _ first: String, _ second: String, _ third: String, _ ratio: String, _ end: String
  ) -> String {
    var text = title.padded(to: 54)
    for (cell, width) in [(first, 13), (second, 10), (third, 10), (ratio, 8)] {
      text += String(repeating: " ", count: max(1, width - cell.count)) + cell
    }
    if !end.isEmpty { text += "  " + end }
    while text.last == " " { text.removeLast() }
    return text
  }
}

extension Group {
  func title(_ shape: FeedShape) -> String {
    switch self {
    case .inMemory: "In memory"
    case .fresh: "Fresh import into SQLite"
    case .unchanged: "The same once more"
    case .changed: "The same with 5 % of the posts changed"
    case .fetch: "Fetch of \(shape.rarePosts.grouped) posts by predicate"
    case .pages:
      "\((shape.posts / Feed.pageSize).grouped) responses of \(Feed.pageSize) posts, one save each"
    case .cache: "The same request once more, with all records stored"
    case .properties:
      "Properties of \(shape.posts.grouped) posts, by typed properties and by the subscript of a record"
    case .updates:
      "\(ObservedFeed.saves) saves over \(shape.posts.grouped) posts, and \(ObservedFeed.queries) live queries"
    case .growth: "Growth: fresh imports, ratios of the time per post"
    case .peak: "Peak memory of a process that does one fresh import"
    case .scenarios: "Generated suites of small scenarios"
    case .suite: "The suite of this repository"
    case .diff: "A golden file of 20,000 records with 100,000 values, compared with a graph"
    }
  }
}

extension Line {
  /// The line with which the ratio of this line compares.
  var base: Line? {
    switch group {
    case .inMemory: TapeWorkload.line
    case .fresh, .unchanged, .changed, .fetch, .pages: Line(group, "floor")
    case .cache: CacheWorkload.request(beside: self)
    case .properties: PropertiesWorkload.subscriptLine(beside: self)
    case .updates: UpdatesWorkload.unobservedLine(beside: self)
    case .growth: contender.map { .growth($0, 10_000) }
    case .peak: Line(.peak, "response")
    case .scenarios: SuiteWorkload.base(of: self)
    case .suite: OwnSuiteWorkload.line(.memory)
    case .diff: DiffWorkload.lines[0]
    }
  }

  var baseTitle: String {
    switch group {
    case .inMemory: "× tape"
    case .fresh, .unchanged, .changed, .fetch, .pages: "× floor"
    case .cache: "times as fast"
    case .properties: "× subscript"
    case .updates: "× no live queries"
    case .growth: "× 10,000 posts"
    case .peak: "× response"
    case .scenarios: "× run of 1,000"
    case .suite: "× memory"
    case .diff: "× identical"
    }
  }

  private var contender: String? { part.split(separator: ".").first.map(String.init) }

  /// The number of posts of a line of growth.
  var posts: Int? { part.split(separator: ".").last.flatMap { Int($0) } }

  var title: String {
    switch group {
    case .cache: return CacheWorkload.title(of: self) ?? part
    case .properties: return PropertiesWorkload.title(of: self) ?? part
    case .updates: return UpdatesWorkload.title(of: self) ?? part
    case .scenarios: return SuiteWorkload.title(of: self) ?? part
    case .suite: return Storage(rawValue: part)?.title ?? part
    case .diff: return DiffWorkload.title(of: self) ?? part
    default: break
    }
    let titles = [
      "tape": "JSON tape alone", "populate": "populate: parse, map, deduplicate, link",
      "save": "populate and save", "response": "the response itself", "floor": "floor: statements by hand",
      "engine": "engine", "careful": "careful peer: JSONDecoder, GRDB statements",
      "usual": "usual peer: JSONDecoder, GRDB records",
      "sqlite-json": "SQLite's JSON functions", "orjson": "Python: orjson, executemany",
      "duckdb": "DuckDB: read_json",
    ]
    let name = contender ?? part
    let title = titles[name] ?? name
    return group == .growth ? "\(name), \((posts ?? 0).grouped) posts" : title
  }
}
