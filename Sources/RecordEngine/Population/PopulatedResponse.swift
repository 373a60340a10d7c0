import JSONTree
import RecordModel

/// A response whose records have been populated and whose diagnostics have been judged.
/// Rules: `population.results`, `request.changes`.
struct PopulatedResponse {
  let result: PopulationResult
  /// The decisions of the orphan hook.
  let orphanDecisions: [RecordID: OrphanDecision]
  private let report: PopulationReport
  /// The address of the response.
  private let response: String
  private let protos: [ProtoRecord]
  private(set) var graph: WorkingGraph

  init(
    _ populated: consuming PopulatedGraph, _ brought: BroughtRecords?,
    _ orphanDecisions: [RecordID: OrphanDecision], _ report: PopulationReport
  ) throws(RequestFailure) {
    let population = report.population
    if let record = population.options.detailRecord,
      let root = populated.summary.roots.first(where: { populated.protos[$0].record != record })
    {
      report.items = populated.protos.map(\.effective.item)
      throw report.failure(
        .recordMismatch, at: populated.protos[root].effective.item.node,
        "the response is of another record than the one whose details were asked for")
    }
    let (noticed, told) = try report.judge()
    result = PopulationResult(&populated, diagnostics: told, noticed: noticed, brought: brought)
    self.orphanDecisions = orphanDecisions
    self.report = report
    response = population.response
    protos = populated.protos
    graph = populated.graph
  }

  /// Saves what the response came to, if ``Store/commit(_:confirming:)`` finds it confirmed.
  mutating func save(
    to store: any Store, confirming isWanted: () -> Bool = { true }
  ) throws(RequestFailure) {
    do throws(SaveProblem) {
      try graph.commit(to: store, result.changes, confirming: isWanted)
    } catch {
      throw failure(error)
    }
  }

  /// Fails where a save would. Nothing is written. Rule: `request.dry-run`.
  mutating func check() throws(RequestFailure) {
    do throws(SaveProblem) {
      try graph.check(result.changes)
    } catch {
      throw failure(error)
    }
  }

  private func failure(_ problem: SaveProblem) -> RequestFailure {
    var failure = RequestFailure(problem)
    for index in failure.diagnostics.indices { failure.diagnostics[index].response = response }
    if case .invalid(let problems) = problem {
      // For each record, the item that counts for it.
      var nodes: [RecordID: JSONNode] = [:]
      for proto in protos { proto.record.map { nodes[$0] = proto.effective.item.node } }
      let pointer = report.pointers(of: problems.compactMap { nodes[$0.record] })
      for (index, problem) in problems.enumerated() {
        failure.diagnostics[index].pointer = nodes[problem.record].flatMap(pointer)
      }
    }
    // What was noticed before has been judged, and what fails a save is not to be judged.
    report.items = protos.map(\.effective.item)
    return report.described(RequestFailure(failure.diagnostics, before: result.diagnostics))
  }

  /// The rows of the records answered, once they have been saved; nil where something was deleted, since a store empties
  /// to-ones that lead to it and have no inverse.
  func savedRows(saves: Int64, before: Int64) -> StoredRows? {
    guard result.changes.deleted.isEmpty else { return nil }
    return StoredRows(
      rows: result.records.compactMap { graph.knownRow($0) }, saves: saves, savesBefore: before)
  }

  /// The records that the items have here, over unsaved changes, and where the same document is saved.
  func pairs(with saved: PopulatedResponse) -> [RecordPair] {
    var savedRecords: [Int32: RecordID] = [:]
    for proto in saved.protos {
      if let record = proto.record, let index = saved.index(of: proto) { savedRecords[index] = record }
    }
    return protos.compactMap { proto in
      guard let unsaved = proto.record, let saved = index(of: proto).flatMap({ savedRecords[$0] }) else {
        return nil
      }
      return RecordPair(unsaved: unsaved, saved: saved)
    }
  }

  /// Where the item that counts for a record stands in the document; nil if a hook has made it.
  private func index(of proto: ProtoRecord) -> Int32? {
    let node = proto.effective.item.node
    return node.document === report.document ? node.index : nil
  }
}
