import OrderedCollections
import RecordModel

/// The reason why changes were not saved.
enum SaveProblem: Error {
  /// One or more violations of the model.
  case invalid([ValidationProblem])
  case store(StoreError)
}

extension WorkingGraph {
  /// Validates the changes and writes all of them to the store, or none. The caller must have exclusive access for
  /// writing. Rules: `save.atomic`, `save.validation`.
  ///
  /// - Parameters:
  ///   - store: the store that the graph reads from.
  ///   - checksKeys: a Boolean value that indicates whether to check that no two records have the same key. Required
  ///     if the caller or a marshaler may have set a key. Records of a response have already been identified by key.
  ///   - known: the changes, if the caller has already determined them.
  ///   - isWanted: a closure that the store calls before the changes take effect. It returns false to cancel
  ///     the save.
  @discardableResult
  mutating func commit(
    to store: any Store, checksKeys: Bool = false, _ known: ChangeSet? = nil,
    confirming isWanted: () -> Bool = { true }
  ) throws(SaveProblem) -> ChangeSet {
    let changes = known ?? changes()
    guard !changes.isEmpty else { return changes }
    try check(changes, checksKeys: checksKeys)
    do {
      try store.commit(changes, confirming: isWanted)
    } catch {
      throw .store(error)
    }
    return changes
  }

  /// Validates the changes without writing them.
  mutating func check(_ changes: ChangeSet, checksKeys: Bool = false) throws(SaveProblem) {
    let found: [ValidationProblem]
    do {
      found = try problems(changes, checksKeys: checksKeys)
    } catch {
      throw .store(error)
    }
    if !found.isEmpty { throw .invalid(found) }
  }

  /// Applies further changes, and returns the violations by all changes.
  mutating func problems(applying added: ChangeSet) throws(StoreError) -> [ValidationProblem] {
    try apply(added)
    return try problems(changes(), checksKeys: true)
  }

  private mutating func problems(
    _ changes: ChangeSet, checksKeys: Bool
  ) throws(StoreError) -> [ValidationProblem] {
    let problems = try validate(changes)
    return checksKeys ? problems + (try repeatedKeys(changes)) : problems
  }
}

extension WorkingGraph {
  /// Returns a problem for each changed or new key that belongs to another record. Queries the store once for each key
  /// scope.
  private func repeatedKeys(_ changes: ChangeSet) throws(StoreError) -> [ValidationProblem] {
    let before = Dictionary(
      changes.updated.map { ($0.before.id, $0.before.key(in: schema)) },
      uniquingKeysWith: { first, _ in first })
    var keyed: OrderedDictionary<EntityIndex, [(key: RecordKey, row: Row)]> = [:]
    for row in changes.inserted + changes.updated.map(\.after) {
      guard let key = row.key(in: schema), before[row.id].map({ $0 != key }) ?? true else { continue }
      keyed[schema.entities[row.entity].keyScope, default: []].append((key, row))
    }
    var problems: [ValidationProblem] = []
    for (scope, rows) in keyed {
      var owners: [RecordKey: RecordID] = [:]
      for case let stored? in try reader.rows(scope: scope, keys: rows.map(\.key)) {
        // A record that this save deletes, or whose key it changes, no longer occupies its key.
        let current = knownRow(stored.id) ?? (isDeleted(stored.id) ? nil : stored)
        guard let key = stored.key(in: schema), current?.key(in: schema) == key else { continue }
        owners[key] = stored.id
      }
      for (key, row) in rows {
        let owner = owners[key, default: row.id]
        owners[key] = owner
        guard owner != row.id, case .attributes(let positions) = schema.entities[row.entity].key else {
          continue
        }
        let entity = schema.entities[row.entity]
        let values = positions.map { entity.attributes[$0] }.compactMap { attribute in
          row.values[attribute.column]?.literal(type: attribute.type).compactText()
        }
        problems.append(
          ValidationProblem(
            entity: entity.name, property: entity.attributes[positions[0]].name, record: row.id,
            message: "another '\(schema.entities[scope].name)' already has the key "
              + values.joined(separator: ", ")))
      }
    }
    return problems
  }
}

extension RequestFailure {
  /// Creates one diagnostic for each violation. The first one is the primary diagnostic.
  init(_ problem: SaveProblem) {
    switch problem {
    case .store(let error): self.init(Diagnostic(.saveError, message: error.message))
    case .invalid(let problems):
      self.init(
        problems.map { Diagnostic(.saveError, entity: $0.entity, property: $0.property, message: $0.message) }
      )
    }
  }
}
