import OrderedCollections
import RecordModel

/// The phase that deletes orphans: stored records that the response does not mention. Rules: `population.orphans`,
/// `orphans.*`.
struct OrphanSearch: ~Copyable {
  private let population: Population
  private let report: PopulationReport
  private let schema: Schema
  private let deletion: OrphanDeletion
  private let hasList: Bool
  private var result: PopulatedGraph

  struct Outcome: ~Copyable {
    /// The graph without the orphans.
    let populated: PopulatedGraph
    /// The records that the pages so far mention, for the next page; nil if the response is not a page.
    var mentioned: MentionedRecords?
  }

  /// Deletes the orphans of a populated graph.
  ///
  /// - Parameter hasList: a Boolean value that indicates whether the response has a list of items.
  static func delete(
    from populated: consuming PopulatedGraph, hasList: Bool, _ report: PopulationReport
  ) throws(RequestFailure) -> Outcome {
    let population = report.population
    guard let deletion = population.options.orphans else { return Outcome(populated: populated) }
    var search = OrphanSearch(
      population: population, report: report, schema: population.schema, deletion: deletion, hasList: hasList,
      result: populated)
    let mentioned = try search.broughtRecords()
    try search.deleteOrphans(sparing: mentioned)
    return Outcome(
      populated: search.result, mentioned: population.options.orphanPage == nil ? nil : mentioned)
  }

  /// Checks the predicate of the scope, whatever the response contains.
  static func checkScope(_ report: PopulationReport) throws(RequestFailure) {
    let population = report.population
    guard case .records(let scope)? = population.options.orphans?.scope else { return }
    do {
      try population.schema.check(scope, over: population.schema.entities[population.entity])
    } catch {
      throw report.failure(error.primary)
    }
  }

  private mutating func deleteOrphans(sparing mentioned: MentionedRecords) throws(RequestFailure) {
    guard let fetch = try fetch() else { return }
    let (orphans, count) = try reading { search throws(StoreError) in
      try search.orphans(fetch, mentioned)
    }
    let approved = withinLimit(try approve(orphans), of: count)
    if approved.isEmpty { return }
    try reading { search throws(StoreError) in
      let kept = try search.result.graph.deleteUnlessHeld(approved, sparing: mentioned.records)
      try search.report.add(kept, in: &search.result.graph) { _ in nil }
    }
    report.provenance?.noteOrphans(approved)
  }

  /// Returns the approved deletions if the limit allows them. Otherwise, reports that, and returns none.
  private func withinLimit(_ approved: [RecordID], of count: Int) -> [RecordID] {
    guard let limit = deletion.limit, !limit.allows(approved.count, of: count) else { return approved }
    report.add(
      .orphanLimit, entity: population.entity,
      "no orphans were deleted: \(approved.count) of \(count) records exceed the limit of \(limit.text)")
    return []
  }

  private mutating func reading<Answer>(
    _ read: (inout OrphanSearch) throws(StoreError) -> Answer
  ) throws(RequestFailure) -> Answer {
    do {
      return try read(&self)
    } catch {
      throw report.failure(error)
    }
  }

  // MARK: Mentioned records

  /// Returns the records that the response and earlier pages mention.
  private mutating func broughtRecords() throws(RequestFailure) -> MentionedRecords {
    var mentioned = MentionedRecords()
    mentioned.records = try reading { search throws(StoreError) in
      try search.result.mentionedRecords(search.population)
    }
    mentioned.isPartial = !hasList || isPartial
    if let earlier = population.options.orphanPage?.earlier {
      mentioned.records.formUnion(earlier.records)
      mentioned.isPartial = mentioned.isPartial || earlier.isPartial
    }
    return mentioned
  }

  /// A Boolean value that indicates whether an item may be an unknown record of the entity.
  private var isPartial: Bool {
    result.summary.leftOut.contains { mayBeRequested($0) }
      || result.protos.contains { proto in
        guard mayBeRequested(proto.entity) else { return false }
        // A child in a superseded dictionary has not been compared with the stored children of its parent.
        return proto.missingKey != nil || !proto.isReachable && proto.parent != nil
      }
  }

  private func mayBeRequested(_ other: EntityIndex) -> Bool {
    schema.isKind(other, of: population.entity) || schema.isKind(population.entity, of: other)
  }

  // MARK: Scope

  /// Returns the fetch of all records in the scope; nil if the response does not determine what the server has, which
  /// is reported.
  private func fetch() throws(RequestFailure) -> StoreFetch? {
    if let obstacle {
      if let reason = obstacle.reason { reportNotEvaluated(reason) }
      return nil
    }
    switch deletion.scope {
    case .all: return StoreFetch(entity: population.entity)
    case .records(let predicate): return StoreFetch(entity: population.entity, predicate: predicate)
    case .response(let scope):
      guard let predicate = scope(report.document.root) else {
        reportNotEvaluated("the response does not contain its scope")
        return nil
      }
      do {
        try schema.check(predicate, over: schema.entities[population.entity])
      } catch {
        throw report.failure(error.primary)
      }
      return StoreFetch(entity: population.entity, predicate: predicate)
    }
  }

  private func reportNotEvaluated(_ reason: String) {
    report.add(.orphansNotEvaluated, entity: population.entity, "orphans were not evaluated: \(reason)")
  }

  /// The reason why orphans are not evaluated. The reason is nil if another page reports it, or if nothing is wrong.
  private struct Obstacle {
    var reason: String?
  }

  /// The obstacle of this response, if any. In a run of pages, the first page for which a reason is known reports it.
  private var obstacle: Obstacle? {
    if population.options.detailRecord != nil {
      return Obstacle(reason: "a detail response does not list other records")
    }
    let page = deletion.scope.isOfResponse ? nil : population.options.orphanPage
    if let page {
      if page.isObstacleReported { return Obstacle() }
      if page.earlier == nil { return Obstacle(reason: "the run did not start with the first page") }
    }
    if !hasList { return Obstacle(reason: "the response has no list of items") }
    if isPartial {
      let name = schema.entities[population.entity].name
      return Obstacle(reason: "an item of '\(name)' was ignored or could not be identified")
    }
    guard let page, !page.isLast else { return nil }
    return Obstacle(reason: page.canContinue ? nil : "not the last page")
  }

  // MARK: Finding orphans

  /// Returns the orphans in the order of their keys, and the number of stored records in the scope. Needs one fetch.
  private mutating func orphans(
    _ fetch: StoreFetch, _ mentioned: MentionedRecords
  ) throws(StoreError) -> (orphans: [Row], count: Int) {
    let reader = result.graph.reader
    let records = try reader.rows(fetch).filter { !reader.isUnsaved($0.id) }
    let others = records.filter {
      !mentioned.records.contains($0.id) && !population.options.newRecords.contains($0.id)
    }
    result.graph.adopt(others)
    return (try sortedByKey(others.compactMap { result.graph.knownRow($0.id) }), records.count)
  }

  private mutating func sortedByKey(_ rows: [Row]) throws(StoreError) -> [Row] {
    var level = rows
    // A chain of parents is at most as long as the number of entities.
    for _ in schema.entities.indices {
      let parents = level.compactMap { keyParent(of: $0) }
      if parents.isEmpty { break }
      try result.graph.load(parents)
      level = parents.compactMap { result.graph.knownRow($0) }
    }
    return rows.map { row in (row: row, key: key(of: row)) }.sorted { left, right in
      for (value, other) in zip(left.key, right.key) {
        if AttributeValue.areInIncreasingOrder(value, other) { return true }
        if AttributeValue.areInIncreasingOrder(other, value) { return false }
      }
      return left.row.id < right.row.id
    }.map(\.row)
  }

  /// Returns the values of the key of a record. If the key is a parent, returns those of the parent's key.
  private func key(of row: Row) -> [AttributeValue?] {
    var row = row
    for _ in schema.entities.indices {
      guard let parent = keyParent(of: row).flatMap({ result.graph.knownRow($0) }) else { break }
      row = parent
    }
    guard case .attributes(let positions) = schema.entities[row.entity].key else { return [] }
    return positions.map { row.values[schema.entities[row.entity].attributes[$0].column] }
  }

  private func keyParent(of row: Row) -> RecordID? {
    guard let relationship = population.keyRelationship(of: row.entity),
      let slot = schema.relationships[relationship].slot
    else { return nil }
    return row.toOnes[slot]
  }

  // MARK: Deciding

  /// Returns the orphans to delete.
  private mutating func approve(_ orphans: [Row]) throws(RequestFailure) -> [RecordID] {
    guard let hook = deletion.decide, !orphans.isEmpty else { return orphans.map(\.id) }
    let reading = RecordReading(result.graph)
    let populated = reading.states(
      of: result.summary.roots.filter { !result.protos[$0].isTombstone }.compactMap {
        result.protos[$0].record
      },
      population.entity)
    var approved: [RecordID] = []
    for (index, orphan) in reading.states(of: orphans.map(\.id), population.entity).enumerated() {
      let decision = hook(
        OrphanItem(
          orphan: orphan, index: index, count: orphans.count, populatedRecords: populated,
          responseObject: report.document.root))
      if decision.deletes { approved.append(orphan.recordID) }
      if decision.stops { break }
    }
    if let cause = reading.failure { throw report.failure(cause.primary) }
    return approved
  }
}

extension OrphanDeletion.Scope {
  fileprivate var isOfResponse: Bool { if case .response = self { true } else { false } }
}

extension OrphanDeletion.Limit {
  /// Returns a Boolean value that indicates whether the limit allows a number of deletions. A percentage that is not a
  /// number allows none.
  fileprivate func allows(_ count: Int, of total: Int) -> Bool {
    switch self {
    case .count(let limit): count <= limit
    case .percent(let percent): count == 0 || Double(count) * 100 <= percent * Double(total)
    }
  }

  fileprivate var text: String {
    switch self {
    case .count(let limit): "\(limit)"
    case .percent(let percent): "\(Int(exactly: percent).map(String.init) ?? "\(percent)")%"
    }
  }
}
