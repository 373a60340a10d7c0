import RecordModel

/// The phase that notifies marshalers that all records have been populated. Rule: `customize.around`.
enum MarshalerNotice {
  static func run(
    _ cleared: consuming PopulatedGraph, _ report: PopulationReport
  ) throws(StoreError) -> PopulatedGraph {
    var result = cleared
    guard let access = GraphAccess(report.population) else { return result }
    for proto in result.protos where !proto.isTombstone {
      guard let recordIndex = proto.recordIndex, !result.graph.records[recordIndex].isDeleted,
        let marshaler = report.population.marshaler(of: proto.entity)
      else { continue }
      try access.lend(&result.graph, for: proto, at: recordIndex, report) { marshaler.didPopulate($0) }
    }
    access.noteChanges(in: &result)
    return result
  }
}
