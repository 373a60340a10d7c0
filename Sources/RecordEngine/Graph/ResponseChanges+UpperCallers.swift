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
  mutating func restore(_ kept: CallerChanges, in graph: inout WorkingGraph) throws(StoreError) {
    if kept.isEmpty { return }
    try graph.load(updated.map(\.id) + toOnes.map(\.end.owner))
    for index in updated.indices {
      let id = updated[index].id
      guard let stored = graph.storedRow(id) else { continue }
      for position in updated[index].values.indices {
        let column = updated[index].values[position].column
        if kept.sets(column: column, of: id) { updated[index].values[position].value = stored.values[column] }
      }
    }
    for index in toOnes.indices {
      let (end, target) = toOnes[index]
      let relationship = graph.schema.relationships[end.relationship]
      guard kept.sets(end, to: target, relationship), let slot = relationship.slot,
        let stored = graph.storedRow(end.owner)
      else { continue }
      toOnes[index].target = stored.toOnes[slot]
    }
    let set = links.indices.filter { kept.sets(links[$0].link) }
    for (index, isThere) in zip(set, try graph.reader.areThere(set.map { links[$0].link })) {
      links[index].isThere = isThere
    }
  }
}
