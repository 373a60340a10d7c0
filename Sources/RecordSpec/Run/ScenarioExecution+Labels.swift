import RecordEngine
import RecordModel

/// The labels of records while a step goes on.
///
/// Each page of a run and each request of a batch needs the labels as they are then. The graph is read as a whole after the
/// first one; from then on, as long as that is possible, labels follow what each one has changed.
extension ScenarioExecution {
  /// Returns the label of a record as the graph is now; nil if it is not there.
  func label(of id: RecordID) -> RecordLabel? {
    if let runningLabels { runningLabels.label(of: id) } else { graph.labels[id] }
  }

  /// Brings labels up to date.
  ///
  /// - Parameter changed: the records that may have come, changed or gone since the last time.
  func updateLabels(_ changed: some Sequence<RecordID>) throws(RequestFailure) {
    labelUpdates += 1
    // Taken out, so that they are not copied.
    var labels = runningLabels
    runningLabels = nil
    if labels == nil, labelUpdates > 1, !needsWholeGraph {
      labels = RunningLabels()
      let all = context.hasChanges ? [] : try context.allRecords(scenario.model).map(\.recordID)
      if update(&labels, all) {
        runningLabels = labels
        return
      }
      needsWholeGraph = true
    } else if update(&labels, changed) {
      runningLabels = labels
      return
    }
    graph = try context.labelledGraph(scenario.model)
  }

  /// Reads the graph as a whole, if labels have been updated since that was done last.
  func readGraph() throws(RequestFailure) {
    (labelUpdates, needsWholeGraph) = (0, false)
    if runningLabels != nil { graph = try context.labelledGraph(scenario.model) }
  }

  /// - Returns: false if the labels depend on more than each record for itself.
  private func update(_ labels: inout RunningLabels<RecordID>?, _ ids: some Sequence<RecordID>) -> Bool {
    guard labels != nil, !context.hasChanges else { return false }
    return ids.allSatisfy { id in
      guard let record = context.record(with: id) else { return labels?.remove(id) != nil }
      return labels?.update(
        context.withAttributes(record, scenario.model), isRelated: relatedTrees.contains(id.tree)) ?? false
    }
  }
}

extension Schema {
  /// The trees whose records may have relationships, or be in those of others.
  var relatedTrees: Set<TreeIndex> {
    Set(relationships.flatMap { [entities[$0.entity].tree, entities[$0.destination].tree] })
  }
}

extension ImportChanges {
  /// Every record that has come, changed or gone, and those that have come to or gone from its relationships.
  var recordIDs: [RecordID] {
    inserted + deleted + updated.map(\.id)
      + updated.flatMap { update in
        update.changes.flatMap { change -> [RecordID] in
          switch change.values {
          case .attribute: []
          case .toOne(let from, let to): [from, to].compactMap(\.self)
          case .toMany(let added, let removed): added + removed
          }
        }
      }
  }
}
