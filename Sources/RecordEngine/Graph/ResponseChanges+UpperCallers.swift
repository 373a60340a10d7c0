import OrderedCollections
import RecordModel

extension ResponseChanges {
  /// Adds what a response says over the context above of properties that the caller has set in such a context. Here it may
  /// repeat what a former response has left unsaved, and so change nothing.
  mutating func add(_ above: ResponseChanges, setBy kept: CallerChanges, _ schema: Schema) {
    if kept.isEmpty { return }
    for var update in above.updated {
      update.values = update.values.filter { kept.sets(column: $0.column, of: update.id) }
      if !update.values.isEmpty { updated.append(Update(id: update.id, values: update.values)) }
    }
    toOnes += above.toOnes.filter { end, target in
      kept.sets(end, to: target, schema.relationships[end.relationship])
    }
    links += above.links.filter { kept.sets($0.link) }
  }

  /// Sets what the caller has set in a context above to what it is there: a response does not change it, and what former
  /// responses have made of it here is out of date.
  ///
  /// - Parameter graph: the records as former responses have them here.
  mutating func restore(_ kept: CallerChanges, in graph: inout WorkingGraph) throws(StoreError) {
    if kept.isEmpty { return }
    let schema = graph.schema
    for index in updated.indices {
      let id = updated[index].id
      for position in updated[index].values.indices {
        let attribute = RecordAttribute(record: id, column: updated[index].values[position].column)
        if let value = kept.values[attribute] { updated[index].values[position].value = value }
      }
    }
    let spoken = Set(toOnes.lazy.map(\.end))
    try graph.load(toOnes.compactMap { kept.toOnes[$0.end]?.partner })
    for index in toOnes.indices {
      let (end, target) = toOnes[index]
      guard kept.sets(end, to: target, schema.relationships[end.relationship]) else { continue }
      toOnes[index].target = nil
      // The caller may have deleted it, too.
      guard let partner = kept.toOnes[end]?.partner, graph.knownRow(partner) != nil else { continue }
      // A former response has given it to another record, and this one does not speak of that.
      if let inverse = schema.inverse(of: end, from: partner), !spoken.contains(inverse),
        let slot = schema.relationships[inverse.relationship].slot,
        let rival = graph.knownRow(partner)?.toOnes[slot], rival != end.owner
      {
        continue
      }
      toOnes[index].target = partner
    }
    for index in links.indices {
      if let isThere = kept.links[links[index].link] { links[index].isThere = isThere }
    }
  }
}
