import OrderedCollections
import RecordModel

/// Why changes were not saved.
enum SaveProblem: Error {
  /// What the model does not allow, one at least.
  case invalid([ValidationProblem])
  case store(StoreError)
}

extension WorkingGraph {
  /// Validates the changes and writes them to the store, all or nothing. To be called by whoever holds the turn to
  /// write. Rules: `save.atomic`, `save.validation`.
  ///
  /// - Parameters:
  ///   - store: what the graph reads from.
  ///   - checksKeys: whether records made or keyed by hand may repeat the key of another one. What a response
  ///   brings has been identified by its keys before.
  ///   - known: the changes, where they have been put together already.
  ///   - isWanted: asked by the store before they take effect.
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

  /// Finds out whether changes may be saved, and writes nothing.
  mutating func check(_ changes: ChangeSet, checksKeys: Bool = false) throws(SaveProblem) {
    var problems: [ValidationProblem]
    do {
      problems = try validate(changes)
      if checksKeys { problems += try repeatedKeys(changes) }
    } catch {
      throw .store(error)
    }
    if !problems.isEmpty { throw .invalid(problems) }
  }
}

extension WorkingGraph {
  /// Records whose new key is another record's. One look into the store for each key scope.
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
        // One that is deleted, or gets another key in the same save, gives the key free.
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
        problems.append(
          ValidationProblem(
            entity: entity.name, property: entity.attributes[positions[0]].name, record: row.id,
            message: "another '\(schema.entities[scope].name)' has this key already"))
      }
    }
    return problems
  }
}

extension RequestFailure {
  /// One diagnostic for each violation; the first is the primary one.
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
