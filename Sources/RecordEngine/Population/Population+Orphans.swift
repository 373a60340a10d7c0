import RecordModel

/// Stored records that the response did not bring are offered for deletion. Rules: `population.orphans`, `orphans.*`.
extension Population {
  mutating func deleteOrphans(_ deletion: OrphanDeletion) throws(RequestFailure) {
    let brought = try noteBrought()
    guard let fetch = try orphanFetch(deletion) else { return }
    let (orphans, storedCount) = try reading { population throws(StoreError) in
      try population.orphans(fetch, brought)
    }
    let approved = try decide(deletion, orphans)
    if let limit = deletion.limit, !limit.allows(approved.count, of: storedCount) {
      report(
        .orphanLimit, entity: entity,
        "\(approved.count) of \(storedCount) records were to be deleted, more than the limit allows")
      return
    }
    let kept = try reading { population throws(StoreError) in
      try population.graph.deleteUnlessHeld(approved, sparing: brought.records)
    }
    for (id, hold) in kept { report(hold, of: id, at: nil) }
  }

  /// A mistake in the scope is told whatever the response says.
  mutating func checkScope(_ scope: RecordPredicate) throws(RequestFailure) {
    do {
      try schema.check(scope, over: schema.entities[entity])
    } catch {
      throw failure(error)
    }
  }

  /// Reports why a record that was to be deleted stays.
  mutating func report(_ hold: WorkingGraph.Hold, of id: RecordID, at node: JSONNode?) {
    let relationship = schema.relationships[hold.relationship]
    switch hold.reason {
    case .denied:
      report(
        .deniedDeletion, entity: relationship.entity, property: relationship.name, at: node,
        "a record that was to be deleted stays, because the delete rule of '\(relationship.name)' denies it")
    case .required:
      report(
        .requiredOwner, entity: relationship.entity, property: relationship.name, at: node,
        relationship.inverse == nil
          ? "a record that was to be deleted stays, because the '\(relationship.name)' of a '\(schema.entities[relationship.entity].name)' requires it"
          : "a record that was to be deleted stays, because one of its '\(relationship.name)' requires it")
    }
  }

  private mutating func reading<Answer>(
    _ read: (inout Population) throws(StoreError) -> Answer
  ) throws(RequestFailure) -> Answer {
    do {
      return try read(&self)
    } catch {
      throw failure(.fetchError, error.message)
    }
  }

  private mutating func failure(_ cause: RequestFailure) -> RequestFailure {
    resolvePlaces()
    var primary = cause.primary
    primary.response = response
    return judged(RequestFailure(primary, diagnostics: diagnostics))
  }
}

// MARK: - What was brought

extension Population {
  /// What the response and the pages before it mention, kept for the next page.
  private mutating func noteBrought() throws(RequestFailure) -> BroughtRecords {
    var brought = BroughtRecords()
    brought.records = try reading { population throws(StoreError) in try population.mentionedRecords() }
    brought.isPartial = !hasList || isPartial
    guard let page = options.orphanPage else { return brought }
    if let earlier = page.earlier {
      brought.records.formUnion(earlier.records)
      brought.isPartial = brought.isPartial || earlier.isPartial
    }
    self.brought = brought
    return brought
  }

  /// Reads the records of protos, also of those that only superseded dictionaries mention, though nothing becomes of them.
  func mentionedRecords(_ isMeant: (Int) -> Bool = { _ in true }) throws(StoreError) -> Set<RecordID> {
    var records: Set<RecordID> = []
    var keys = Array(repeating: [RecordKey](), count: schema.entities.count)
    for (index, proto) in protos.enumerated() where isMeant(index) {
      if let record = proto.record {
        records.insert(record)
      } else if !proto.isReachable, case .key(let scope, let key)? = proto.identity {
        keys[for: scope].append(key)
      }
    }
    for scope in schema.entities.elementIndices where !keys[for: scope].isEmpty {
      for case let row? in try storedRows(scope, keys[for: scope]) { records.insert(row.id) }
    }
    return records
  }

  /// Whether some item may be a record of the entity of which nobody knows which one.
  private var isPartial: Bool {
    leftOut.contains(where: mayBeRequested)
      || protos.contains { proto in
        guard mayBeRequested(proto.entity) else { return false }
        if proto.missingKey != nil { return true }
        // A child of a dictionary that is superseded has not been looked for among those of its parent.
        if !proto.isReachable, proto.parent != nil { return true }
        return false
      }
  }

  private func mayBeRequested(_ other: EntityIndex) -> Bool {
    schema.isKind(other, of: entity) || schema.isKind(entity, of: other)
  }
}

// MARK: - Who is an orphan

extension Population {
  /// The fetch of all that the response speaks for; nil, and reported, where that does not say what the server has.
  private mutating func orphanFetch(_ deletion: OrphanDeletion) throws(RequestFailure) -> StoreFetch? {
    if let obstacle = obstacle(to: deletion) {
      if let reason = obstacle.reason {
        report(.orphansNotEvaluated, entity: entity, "orphans were not looked for: \(reason)")
      }
      return nil
    }
    switch deletion.scope {
    case .all: return StoreFetch(entity: entity)
    case .records(let predicate): return StoreFetch(entity: entity, predicate: predicate)
    case .response(let scope):
      guard let predicate = scope(document.root) else {
        report(
          .orphansNotEvaluated, entity: entity,
          "orphans were not looked for: the response does not say what it speaks for")
        return nil
      }
      try checkScope(predicate)
      return StoreFetch(entity: entity, predicate: predicate)
    }
  }

  /// Why orphans are not looked for; without a reason where somebody else tells it, or nothing is wrong.
  private struct Obstacle {
    var reason: String?
  }

  /// In a run of pages each reason is told once: by the page from which on it is known.
  private func obstacle(to deletion: OrphanDeletion) -> Obstacle? {
    if options.detailRecord != nil {
      return Obstacle(reason: "the details of one record say nothing of others")
    }
    let page = deletion.scope.isOfResponse ? nil : options.orphanPage
    if let page {
      if page.isTold { return Obstacle() }
      if page.earlier == nil { return Obstacle(reason: "the run did not begin with the first page") }
    }
    if !hasList { return Obstacle(reason: "the response has no list of items") }
    if isPartial {
      return Obstacle(
        reason: "an item of '\(schema.entities[entity].name)' was left out or could not be identified")
    }
    guard let page, !page.isLast else { return nil }
    return Obstacle(reason: page.goesOn ? nil : "not the last page")
  }

  /// The orphans in the order of their keys, and how many records are stored in the scope. One fetch.
  private mutating func orphans(
    _ fetch: StoreFetch, _ brought: BroughtRecords
  ) throws(StoreError) -> (orphans: [Row], storedCount: Int) {
    let stored = try graph.reader.rows(fetch).filter { !graph.reader.isUnsaved($0.id) }
    let others = stored.filter {
      !brought.records.contains($0.id) && !options.newRecords.contains($0.id)
    }
    graph.adopt(others)
    return (try sortedByKey(others.compactMap { graph.knownRow($0.id) }), stored.count)
  }

  private mutating func sortedByKey(_ rows: [Row]) throws(StoreError) -> [Row] {
    var level = rows
    // A chain of parents is no longer than there are entities.
    for _ in schema.entities.indices {
      let parents = level.compactMap(keyParent)
      if parents.isEmpty { break }
      try graph.load(parents)
      level = parents.compactMap { graph.knownRow($0) }
    }
    return rows.map { row in (row: row, key: key(of: row)) }.sorted { left, right in
      for (value, other) in zip(left.key, right.key) {
        if AttributeValue.areInIncreasingOrder(value, other) { return true }
        if AttributeValue.areInIncreasingOrder(other, value) { return false }
      }
      return left.row.id < right.row.id
    }.map(\.row)
  }

  /// The values of a record's key, or of its parent's if that is the key.
  private func key(of row: Row) -> [AttributeValue?] {
    var row = row
    for _ in schema.entities.indices {
      guard let parent = keyParent(of: row).flatMap({ graph.knownRow($0) }) else { break }
      row = parent
    }
    guard case .attributes(let positions) = schema.entities[row.entity].key else { return [] }
    return positions.map { row.values[schema.entities[row.entity].attributes[$0].column] }
  }

  private func keyParent(of row: Row) -> RecordID? {
    guard case .relationship(let relationship) = schema.entities[row.entity].key,
      let slot = schema.relationships[relationship].slot
    else { return nil }
    return row.toOnes[slot]
  }
}

// MARK: - What becomes of them

extension Population {
  /// The orphans that are to be deleted.
  private mutating func decide(
    _ deletion: OrphanDeletion, _ orphans: [Row]
  ) throws(RequestFailure) -> [RecordID] {
    guard let hook = deletion.decide, !orphans.isEmpty else { return orphans.map(\.id) }
    let reading = RecordReading(graph)
    let populated = reading.states(
      of: roots.filter { !protos[$0].isTombstone }.compactMap { protos[$0].record }, entity)
    var approved: [RecordID] = []
    for (index, orphan) in reading.states(of: orphans.map(\.id), entity).enumerated() {
      let decision = hook(
        OrphanItem(
          orphan: orphan, index: index, count: orphans.count, populatedRecords: populated,
          responseObject: document.root))
      if decision.deletes { approved.append(orphan.recordID) }
      if decision.stops { break }
    }
    if let cause = reading.failure { throw failure(cause) }
    return approved
  }
}

extension OrphanDeletion.Scope {
  fileprivate var isOfResponse: Bool { if case .response = self { true } else { false } }
}

extension OrphanDeletion.Limit {
  /// A limit that is no number allows nothing.
  fileprivate func allows(_ count: Int, of storedCount: Int) -> Bool {
    switch self {
    case .count(let limit): count <= limit
    case .percent(let percent): count == 0 || Double(count) * 100 <= percent * Double(storedCount)
    }
  }
}
