package import RecordEngine
import RecordModel
import ScenarioComparison
package import ScenarioFormat

/// The labels of records during a step.
///
/// Each page of a run and each request of a batch needs the current labels. The whole graph is read after the first
/// one. From then on, labels are updated from the changes of each response if that is possible.
extension ScenarioExecution {
  /// Returns the current label of a record; nil if the record does not exist.
  package func label(of id: RecordID) -> RecordLabel? {
    if let runningLabels { runningLabels.label(of: id) } else { graph.labels[id] }
  }

  /// Updates the labels.
  ///
  /// - Parameter changed: the records that may have been inserted, changed or deleted since the last update.
  func updateLabels(_ changed: some Sequence<RecordID>) throws(RequestFailure) {
    guard readsGraphs else { return }
    labelUpdates += 1
    // The labels are moved out of the property, so that they are not copied.
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
    graph = try context.labeledGraph(scenario.model)
  }

  /// Reads the whole graph if labels have been updated since it was last read.
  func readGraph() throws(RequestFailure) {
    (labelUpdates, needsWholeGraph) = (0, false)
    if runningLabels != nil { graph = try context.labeledGraph(scenario.model) }
  }

  /// Updates the labels of the given records.
  ///
  /// - Returns: false if labels depend on more than each record by itself.
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
  /// The trees of entities whose records may have relationships or belong to those of others.
  var relatedTrees: Set<TreeIndex> {
    Set(relationships.flatMap { [entities[$0.entity].tree, entities[$0.destination].tree] })
  }
}

extension ImportChanges {
  /// The records that were inserted, changed or deleted, and those that were added to or removed from a changed
  /// record's relationships.
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
