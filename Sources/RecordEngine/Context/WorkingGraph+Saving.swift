import RecordModel

extension WorkingGraph {
  /// Validates the changes and writes them to the store, all or nothing. To be called by whoever holds the turn to
  /// write. Rules: `save.atomic`, `save.validation`.
  mutating func commit() throws(RequestFailure) -> ChangeSet {
    let changes = changes()
    guard !changes.isEmpty else { return changes }
    do {
      let problems = try validate(changes)
      if !problems.isEmpty { throw RequestFailure.validation(problems) }
      try store.commit(changes)
      return changes
    } catch let failure as RequestFailure {
      throw failure
    } catch {
      throw RequestFailure(
        Diagnostic(.saveError, message: "\((error as? StoreError)?.message ?? "\(error)")"))
    }
  }
}

extension RequestFailure {
  /// One diagnostic for each violation; the first is the primary one.
  static func validation(_ problems: [ValidationProblem]) -> RequestFailure {
    let diagnostics = problems.map {
      Diagnostic(.saveError, entity: $0.entity, property: $0.property, message: $0.message)
    }
    var failure = RequestFailure(diagnostics[0])
    failure.diagnostics = diagnostics
    return failure
  }
}
