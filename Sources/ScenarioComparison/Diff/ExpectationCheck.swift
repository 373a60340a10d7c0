import JSONTree
package import RecordModel
package import ScenarioFormat

/// A comparison of an author's expectations with the actual result.
///
/// Only named values are compared. Each line claims a different record. A line with a complete key claims the record
/// with that key, and any other line claims a record that matches it. Records are assigned so that as many lines as
/// possible get one.
package struct ExpectationCheck {
  let matcher: RecordMatcher
  package let model: Schema
  package let step: StepSnapshot?
  private let number: Int?
  /// The scenario, which has the bodies of the responses; nil if it is unknown.
  let scenario: Scenario?
  /// The positions of drifting values; nil if they are unknown.
  let driftPositions: DriftPositions?
  private var differences = Differences()
  /// The graphs before the step, from the first to the last.
  private let former: ArraySlice<GraphSnapshot>
  /// The number of searches for deleted records. It is limited, because each one reads the former graphs.
  private var searches = 0

  /// Returns the differences between an expectation and the result.
  ///
  /// - Parameters:
  ///   - graph: the records after the step.
  ///   - before: the records before the step, by which deleted records are described.
  ///   - former: the graphs before the step, in which missing records are searched.
  ///   - number: the step, from 1; nil for the expectation after the last step.
  ///   - scenario: the scenario, in whose bodies drifting values and the texts of failures are located.
  package static func differences(
    _ expectation: Expectation, step: StepSnapshot?, number: Int? = nil, graph: GraphSnapshot,
    before: GraphSnapshot = GraphSnapshot(), former: ArraySlice<GraphSnapshot> = [], model: Schema,
    scenario: Scenario? = nil
  ) -> Differences {
    var check = ExpectationCheck(
      matcher: RecordMatcher(graph: graph, before: before, model: model), model: model, step: step,
      number: number, former: former, scenario: scenario)
    for entity in expectation.graph { check.check(entity) }
    check.checkStep(expectation)
    return check.differences
  }

  private init(
    matcher: RecordMatcher, model: Schema, step: StepSnapshot?, number: Int?,
    former: ArraySlice<GraphSnapshot>, scenario: Scenario?
  ) {
    self.matcher = matcher
    self.model = model
    self.step = step
    self.number = number
    self.former = former
    self.scenario = scenario
    driftPositions = scenario.map(DriftPositions.init)
  }

  package mutating func append(
    _ kind: Difference.Kind, _ span: SourceSpan, record: RecordLabel? = nil, _ property: String? = nil,
    isAboutDrift: Bool = false, expected: String? = nil, actual: String? = nil, extra: [String] = [],
    note: String? = nil,
    also: [String] = [], nearest: Difference.Nearest? = nil, lost: [RecordLabel] = []
  ) {
    differences.append(
      Difference(
        kind, at: .expectation(span), step: number, record: record, property: property,
        isAboutDrift: isAboutDrift, expected: expected, actual: actual, extra: extra, note: note, also: also,
        nearest: nearest, lost: lost))
  }
}

// Deleted records
extension ExpectationCheck {
  /// Returns the label of a record that an expectation describes, and that existed before. If the expectation names a
  /// key, the other values are not compared.
  package mutating func lost(_ match: RecordMatch) -> [RecordLabel] {
    let key = Set(model.key(of: match.entity))
    var wanted = match
    wanted.properties = match.properties.filter { key.contains($0.name) }
    if key.isEmpty || wanted.properties.count < key.count { wanted = match }
    let model = model
    let found = lost { graph, record in
      RecordMatcher(graph: graph, before: GraphSnapshot(), model: model).matches(wanted, record)
    }
    return Array(found.prefix(1))
  }

  /// Returns the labels of the records of an entity that existed before, if they can be all that are missing: records whose
  /// absence is expected do not count.
  private mutating func lost(_ count: Int, of expectation: EntityExpectation) -> [RecordLabel] {
    guard count > 0 else { return [] }
    let model = model
    let found = lost { model.isKind($1.entity, of: expectation.entity) }
    let known = Set(found)
    let absent = Set(expectation.absent.flatMap { model.covered(by: $0.value, where: known.contains) })
    let unexpected = found.filter { !absent.contains($0) }
    return unexpected.count < count ? [] : unexpected
  }

  /// Returns the labels of the records in the last graph with such records that do not exist anymore.
  private mutating func lost(where isWanted: (GraphSnapshot, RecordSnapshot) -> Bool) -> [RecordLabel] {
    guard searches < 3 else { return [] }
    searches += 1
    for graph in former.suffix(100).reversed() {
      let found = graph.records.values.filter { matcher.graph[$0.label] == nil && isWanted(graph, $0) }
      if !found.isEmpty { return found.map(\.label).sortedForReading() }
    }
    return []
  }
}

// Records of an entity
extension ExpectationCheck {
  private mutating func check(_ expectation: EntityExpectation) {
    let records = matcher.graph.readableLabels.compactMap { label in
      matcher.graph[label].flatMap { model.isKind($0.entity, of: expectation.entity) ? $0 : nil }
    }
    if let count = expectation.count, count.value != records.count {
      append(
        .count, count.span, expected: "\(counted(count.value, "record")) of \(expectation.entity)",
        actual: ValueText.clipped("\(records.count): \(ValueText.of(records.map(\.label)))"),
        lost: lost(count.value - records.count, of: expectation))
    }
    // Several labels can stand for one record, for example `Vehicle/9` and `Car/9`.
    var reported: Set<RecordLabel> = []
    for label in expectation.absent {
      for found in model.covered(by: label.value, where: { matcher.graph[$0] != nil })
      where reported.insert(found).inserted {
        append(
          .extra, label.span, record: found,
          expected: "no record with \(found == label.value ? "this label" : "the label \(label.value)")",
          actual: "the record exists")
      }
    }
    let claimed = claim(expectation.records, among: records)
    if expectation.isExhaustive {
      for (index, record) in records.enumerated() where !claimed.contains(index) {
        append(
          .extra, expectation.span, record: record.label, expected: "no other \(expectation.entity)",
          actual: ValueText.clipped(record.goldenForm.compactText()))
      }
    }
  }

  /// Assigns records to lines, reports the differences, and returns the indices of the assigned records.
  private mutating func claim(_ lines: [RecordMatch], among records: [RecordSnapshot]) -> Set<Int> {
    let keyed = KeyedLines(lines, records: records, matcher: matcher)
    // Lines with a key come first, so that other lines cannot claim their records while they match.
    let order =
      lines.indices.filter { keyed.candidates[$0] != nil }
      + lines.indices.filter { keyed.candidates[$0] == nil }
    var fitting: [Int: [Int]] = [:]
    for line in order {
      let candidates = keyed.candidates[line] ?? Array(records.indices)
      fitting[line] = candidates.filter { matcher.matches(lines[line], records[$0]) }
    }
    let choice = maximumMatching(
      order.map { line in
        // A line with a key claims its record even if the record does not match, so that the difference is reported
        // there.
        let fits = fitting[line] ?? []
        return fits.isEmpty ? keyed.candidates[line] ?? [] : fits
      })
    var claims: [Int: Int] = [:]
    for (line, record) in zip(order, choice) { claims[line] = record }
    let claimed = Set(claims.values)

    for (line, match) in lines.enumerated() {
      if let index = claims[line] {
        for difference in matcher.differences(match, from: records[index], step: number) {
          differences.append(difference)
        }
      } else {
        report(match, fitting: fitting[line] ?? [], sameKey: keyed.candidates[line], records, claimed)
      }
    }
    for (line, surplus) in keyed.surplus {
      append(
        .duplicated, lines[line].span, expected: "one record with this key",
        actual: ValueText.clipped("\(surplus.count): \(ValueText.of(surplus.map { records[$0].label }))"))
    }
    return claimed
  }

  /// Reports a line without a record.
  private mutating func report(
    _ match: RecordMatch, fitting: [Int], sameKey: [Int]?, _ records: [RecordSnapshot], _ claimed: Set<Int>
  ) {
    var note: String?
    if let only = fitting.first ?? sameKey?.first, !fitting.isEmpty || sameKey?.isEmpty == false {
      let count = max(fitting.count, sameKey?.count ?? 0)
      note =
        count == 1
        ? "another line already matches \(records[only].label)"
        : "other lines match all \(count) records of this description"
    }
    let nearest = note == nil ? nearest(match, records, claimed) : nil
    append(
      .missing, match.span, expected: ValueText.of(match, model: model),
      actual: note == nil && nearest == nil
        ? Self.text(of: records, match.entity) : ValueText.nothing, note: note, nearest: nearest,
      lost: note == nil ? lost(match) : [])
  }

  /// Returns the records that are there instead of an expected one: `3 Post records: Post/1, Post/2, Post/3`.
  private static func text(of records: [RecordSnapshot], _ entity: EntityName) -> String {
    guard !records.isEmpty else { return "no \(entity) records" }
    let shown = 5
    let labels = records.prefix(shown).map(\.label.rawValue) + (records.count > shown ? ["…"] : [])
    let count = ValueText.grouped(records.count)
    return ValueText.clipped(
      "\(count) \(entity) \(records.count == 1 ? "record" : "records"): \(labels.joined(separator: ", "))")
  }

  /// Returns the record that differs in the fewest properties, preferably one that no line has claimed. Returns nil if
  /// all properties differ, unless exactly one record is unclaimed.
  private func nearest(
    _ match: RecordMatch, _ records: [RecordSnapshot], _ claimed: Set<Int>
  ) -> Difference.Nearest? {
    let free = records.indices.filter { !claimed.contains($0) }
    var best: (index: Int, misses: Int)?
    for index in free.isEmpty ? Array(records.indices) : free {
      let misses = match.properties.count { !matcher.holds($0, of: records[index]) }
      if misses < best?.misses ?? Int.max { best = (index, misses) }
    }
    guard let best, best.misses < match.properties.count || free.count == 1 else { return nil }
    return Difference.Nearest(
      record: records[best.index].label,
      differences: matcher.differences(match, from: records[best.index], step: number))
  }
}
