package import RecordEngine
import RecordModel
import ScenarioComparison
package import ScenarioFormat

/// Changes that do not come from responses: saves, rollbacks, `change` steps and seeds.
extension ScenarioExecution {
  func save(in snapshot: inout StepSnapshot) throws {
    do {
      let changes = try context.save()
      var noted = NotedChanges(changes: changes, labels: labels(before: changes))
      graph = try context.labeledGraph(scenario.model)
      noteLabels(in: &noted) { label(of: $0) }
      label([noted], in: &snapshot)
    } catch {
      fail(&snapshot, error)
    }
  }

  func rollback() throws {
    context.rollback()
    graph = try context.labeledGraph(scenario.model)
  }

  func perform(_ change: ChangeStep) throws {
    var targets: [(record: Record, properties: [PropertyAssignment])] = []
    for update in change.updates {
      if let record = record(update.record.value, update.record.span) {
        targets.append((record, update.properties))
      }
    }
    let doomed = change.deletes.compactMap { record($0.value, $0.span) }
    _ = try insert(change.inserts)
    for (record, properties) in targets {
      setAttributes(properties, of: record)
      for property in properties { _ = setLinks(property, of: record, isLast: true) }
    }
    for record in doomed { context.delete(record) }
    graph = try context.labeledGraph(scenario.model)
  }

  package func seed() throws {
    guard !scenario.seeds.isEmpty else { return }
    let records = try insert(scenario.seeds)
    guard result.findings.isEmpty else { return }
    for (record, seed) in zip(records, scenario.seeds) { result.provenance?.seeds[record.recordID] = seed }
    do {
      try context.save()
    } catch {
      let locations = Dictionary(
        zip(records.map(\.recordID), scenario.seeds.map(\.span)), uniquingKeysWith: { first, _ in first })
      let problems = context.problemsOfSaving().compactMap { problem in
        locations[problem.record].map { (location: $0, message: problem.message) }
      }
      // A problem that belongs to no record is reported for all of them.
      let all = [(location: scenario.seeds[0].span, message: error.primary.message)]
      result.findings += (problems.isEmpty ? all : problems).map { location, message in
        AuthorDiagnostic(
          .invalidSeed, at: location,
          "\(problems.isEmpty ? "the records of 'store'" : "this record") cannot be saved: \(message)")
      }
    }
  }

  /// Inserts records and sets their attributes first. Links are set as soon as the records that they name have labels.
  /// A record whose key is a relationship has a label only after the relationship is set.
  ///
  /// - Returns: the records in the order of their seeds.
  private func insert(_ seeds: [SeedRecord]) throws -> [Record] {
    var records: [Record] = []
    var open: [(record: Record, property: PropertyAssignment)] = []
    for seed in seeds {
      let record = try context.insert(seed.entity)
      records.append(record)
      setAttributes(seed.properties, of: record)
      open += seed.properties.map { (record, $0) }
    }
    while !open.isEmpty {
      graph = try context.labeledGraph(scenario.model)
      let rest = open.filter { !setLinks($0.property, of: $0.record, isLast: false) }
      if rest.count == open.count {
        for (record, property) in rest { _ = setLinks(property, of: record, isLast: true) }
        break
      }
      open = rest
    }
    graph = try context.labeledGraph(scenario.model)
    return records
  }

  private func setAttributes(_ properties: [PropertyAssignment], of record: Record) {
    for property in properties {
      if case .attribute(let value) = property.value { record.setValue(value, of: property.name) }
    }
  }

  /// Sets a relationship if all records that it names exist. On the last attempt, reports missing records. Returns a
  /// Boolean value that indicates whether the property needs no further attempt.
  private func setLinks(_ property: PropertyAssignment, of record: Record, isLast: Bool) -> Bool {
    let labels: [Located<RecordLabel>]
    switch property.value {
    case .attribute: return true
    case .toOne(let label): labels = label.map { [$0] } ?? []
    case .toMany(let members): labels = members
    }
    let targets = labels.compactMap { label in
      isLast
        ? self.record(label.value, label.span)
        : graph.id(label.value).flatMap { context.record(with: $0) }
    }
    guard targets.count == labels.count else { return false }
    if case .toMany = property.value {
      record[property.name] = targets
    } else {
      record[property.name] = targets.first
    }
    return true
  }

  package func record(_ label: RecordLabel, _ span: SourceSpan) -> Record? {
    if let record = graph.id(label).flatMap({ context.record(with: $0) }) { return record }
    let namesake = scenario.model.schema.namesakes(of: label) { graph.snapshot[$0] != nil }.first
    let near =
      namesake?.rawValue ?? nearestName(to: label.rawValue, among: graph.snapshot.labels.map(\.rawValue))
    result.findings.append(
      AuthorDiagnostic(
        .unknownRecord, at: span, "no record has the label '\(label)' at this point",
        advice: near.map { "did you mean '\($0)'?" }))
    return nil
  }
}
