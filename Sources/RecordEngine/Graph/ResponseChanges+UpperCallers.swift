import OrderedCollections
import RecordModel

extension ResponseChanges {
  /// Adds the changes that a response, populated over the parent context, makes to properties that the caller has set in
  /// a parent context. Over this context, the response may repeat what an earlier response has left unsaved, and thus
  /// change nothing.
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

  /// Resets properties that the caller has set in a parent context to their values there. A response does not change
  /// these properties, and the results of earlier responses are outdated.
  ///
  /// - Parameters:
  ///   - graph: the records with the changes of earlier responses of this context.
  ///   - overridden: the relationships that earlier responses have set over the values of the callers.
  mutating func restore(
    _ kept: CallerChanges, in graph: inout WorkingGraph, except overridden: Set<RelationshipEnd>
  ) throws(StoreError) {
    if kept.isEmpty { return }
    let schema = graph.schema
    for index in updated.indices {
      let id = updated[index].id
      for position in updated[index].values.indices {
        let attribute = RecordAttribute(record: id, column: updated[index].values[position].column)
        if let value = kept.values[attribute] { updated[index].values[position].value = value }
      }
    }
    let overridden = overridden.subtracting(toOnes.lazy.map(\.end))
    try graph.load(toOnes.compactMap { kept.toOnes[$0.end]?.partner })
    for index in toOnes.indices {
      let (end, target) = toOnes[index]
      guard kept.sets(end, to: target, schema.relationships[end.relationship]) else { continue }
      let partner = kept.toOnes[end]?.partner
      // A link to a record that is deleted here has no effect.
      if let partner, graph.knownRow(partner) == nil { continue }
      toOnes[index].target = nil
      guard let partner else { continue }
      // An earlier response has set the partner's end of the relationship, and this response does not change that.
      if let inverse = schema.inverse(of: end, from: partner), overridden.contains(inverse) { continue }
      toOnes[index].target = partner
    }
    for index in links.indices {
      if let isThere = kept.links[links[index].link] { links[index].isThere = isThere }
    }
  }
}
