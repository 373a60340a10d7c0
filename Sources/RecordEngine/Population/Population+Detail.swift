import RecordModel

/// A response that has to be of one record, the one whose details were asked for. Rule: `request.detail`.
extension Population {
  /// An item that nothing identifies is that record: nothing else was asked for.
  mutating func tieDetailRecord() throws(StoreError) {
    guard let record = options.detailRecord, let root = roots.first, protos[root].identity == nil,
      let row = try graph.row(record)
    else { return }
    protos[root].tie(to: record, at: graph.knownPlace(record))
    protos[root].missingKey = nil
    if row.entity != protos[root].entity { try adaptEntities([(row, root)]) }
  }

  mutating func checkDetailRecord() throws(RequestFailure) {
    guard let record = options.detailRecord,
      let root = roots.first(where: { protos[$0].record != record })
    else { return }
    throw failure(
      .recordMismatch, at: protos[root].effective.item.node,
      "the response is of another record than the one whose details were asked for")
  }
}
