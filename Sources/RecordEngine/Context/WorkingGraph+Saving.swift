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
  @discardableResult
  mutating func commit() throws(SaveProblem) -> ChangeSet {
    let changes = changes()
    guard !changes.isEmpty else { return changes }
    let problems: [ValidationProblem]
    do {
      problems = try validate(changes)
      if problems.isEmpty { try store.commit(changes) }
    } catch {
      throw .store(error)
    }
    if !problems.isEmpty { throw .invalid(problems) }
    return changes
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
