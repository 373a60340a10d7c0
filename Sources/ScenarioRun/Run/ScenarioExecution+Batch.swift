import OrderedCollections
import RecordEngine
import RecordModel
import ScenarioComparison
import ScenarioFormat

/// Requests that run concurrently. Rule: `request.batch`.
extension ScenarioExecution {
  func perform(_ step: BatchStep, in snapshot: inout StepSnapshot) async throws {
    let entries = step.entries
    batch = BatchResults(
      snapshots: entries.map { StepSnapshot($0.recorded) }, drifts: entries.map { _ in nil },
      noted: entries.map { _ in [] })
    let tags = entries.indices.map { "batch \($0 + 1)" }
    server.batch.begin(tags)
    await container.batch(options: options(step.options), context: context) { batch in
      for (position, entry) in entries.enumerated() { add(entry, position, tags[position], to: batch) }
    }
    if let breakage = batch.breakage { throw breakage }
    for (position, noted) in batch.noted.enumerated() { label(noted, in: &batch.snapshots[position]) }
    snapshot.batch = batch.snapshots
    // The changes of the batch are the combined changes of its requests. One of them can save what another one has left
    // unsaved.
    snapshot.inserted = Array(OrderedSet(batch.snapshots.flatMap(\.inserted)))
    snapshot.deleted = Array(OrderedSet(batch.snapshots.flatMap(\.deleted)))
    for entry in batch.snapshots {
      snapshot.diagnostics += entry.diagnostics
      for (label, names) in entry.updated {
        let former = snapshot.updated[label] ?? []
        snapshot.updated[label] = former + names.filter { !former.contains($0) }
      }
    }
    snapshot.drift = DriftReport?.merging(batch.drifts).map { driftSnapshot($0) }
  }

  private func add(
    _ entry: Step, _ position: Int, _ tag: String, to requests: RequestBatch
  ) {
    func finish(_ result: Result<RequestResult<Record>, any Error>, _ options: StepOptions) {
      do {
        do {
          let noted = try note(try result.get(), options, in: &batch.snapshots[position])
          batch.noted[position].append(noted)
        } catch {
          try note(error, entry, in: &batch.snapshots[position])
        }
      } catch {
        batch.breakage = batch.breakage ?? error
      }
      batch.drifts[position] = .merging([batch.drifts[position], result.drift])
      batch.snapshots[position].drift = batch.drifts[position].map { driftSnapshot($0) }
    }
    switch entry.action {
    case .request(let step):
      let request = recordRequest(step, tag: tag)
      requests.request(request) { result in
        finish(result, step.options)
        self.server.batch.finish(tag)
      }
    case .fetchFirst(let step):
      let request = recordRequest(step.request, tag: tag)
      requests.request(request, fetchFirst: RecordFetchRequest(step.fetch)) { records in
        batch.snapshots[position].stored = labels(of: records)
      } completion: { result in
        finish(result, step.request.options)
        self.server.batch.finish(tag)
      }
    case .page(let step):
      let request = recordRequest(step.request, tag: tag)
      var left = step.count.limit
      requests.pages(request) { result in
        finish(result, step.request.options)
        left -= 1
        let wantsMore = left > 0 && ((try? result.get())?.pageManager?.canRequestNextPage ?? false)
        if !wantsMore { self.server.batch.finish(tag) }
        return wantsMore
      }
    default: break
    }
  }
}

/// The results so far of the requests in a batch.
package struct BatchResults {
  var snapshots: [StepSnapshot] = []
  /// The drift report of each request.
  var drifts: [DriftReport?] = []
  /// The changes of each request, whose labels are not determined yet.
  var noted: [[NotedChanges]] = []
  /// The first error that a request is not allowed to throw.
  package var breakage: (any Error)?
}
