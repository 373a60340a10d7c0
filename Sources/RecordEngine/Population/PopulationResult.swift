import OrderedCollections
import RecordModel

/// The result of populating one response: a record for each item, and the changes. Rules: `population.results`,
/// `request.changes`.
package struct PopulationResult: Sendable {
  /// The record of each item, in the order of the response.
  package var records: [RecordID]
  /// The existing records that the response populates, changed or unchanged.
  package var known: [RecordID] = []
  package var changes = ChangeSet()
  package var summary = ImportChanges()
  package var diagnostics: [Diagnostic] = []
  /// The diagnostics before the judgment of the debugger.
  package var noticed: [Diagnostic] = []
  /// The records that the pages so far mention, for the next page; nil unless ``PopulationOptions/orphanPage`` is set.
  package var mentioned: MentionedRecords?
  /// The replaced lists of the pages so far, for the next page; nil if the response is not a page.
  package var replacedLists: ReplacedLists?
  /// The provenance of the populated records; nil unless ``PopulationOptions/recordsProvenance`` is set.
  package var provenance: PopulationProvenance?
  /// The cache entry in which the response was stored; nil if it was not stored.
  package var cacheEntry: CacheEntryID?
  /// The records of each item, if they have been saved.
  var stored: StoredRecords? { saves.map { StoredRecords(ids: records, saves: $0) } }
  /// The number of saves after which the records exist; nil if they have not been saved.
  var saves: Int64?
  /// The rows of ``records``, if they have been saved and the store is known to contain them as they are here.
  var rows: StoredRows?

  /// Creates the result of a cached response, whose records are stored.
  package init(stored records: [RecordID]) { self.records = records }

  init(
    _ populated: inout PopulatedGraph, diagnostics: [Diagnostic], noticed: [Diagnostic],
    mentioned: MentionedRecords?
  ) {
    changes = populated.graph.changes()
    self.diagnostics = diagnostics
    self.noticed = noticed
    self.mentioned = mentioned
    replacedLists = populated.replacedLists
    summary.deleted = changes.deleted.map(\.id)
    var isPresent = Array(repeating: false, count: populated.protos.count)
    var isCounted = Array(repeating: false, count: populated.graph.records.count)
    for index in populated.protos.elementIndices {
      guard let id = populated.protos[index].record, let recordIndex = populated.protos[index].recordIndex,
        !populated.graph.records[recordIndex].isDeleted, !populated.protos[index].isTombstone
      else { continue }
      isPresent[for: index] = true
      if isCounted[for: recordIndex] { continue }
      isCounted[for: recordIndex] = true
      if populated.graph.records[recordIndex].isNew {
        summary.inserted.append(id)
        continue
      }
      known.append(id)
      let changes =
        populated.graph.isUntouched ? [] : populated.propertyChanges(of: index, id)
      if changes.isEmpty {
        summary.unchanged.append(id)
      } else {
        summary.updated.append(ImportChanges.Update(id: id, changes: changes))
      }
    }
    records = populated.summary.roots.compactMap { isPresent[for: $0] ? populated.protos[$0].record : nil }
  }
}

extension PopulatedGraph {
  /// Returns the changed attributes, and the changed relationships that the record's own dictionary names.
  /// Relationships that only changed through their inverse are not included.
  fileprivate mutating func propertyChanges(of proto: ProtoIndex, _ id: RecordID) -> [PropertyChange] {
    graph.propertyChanges(
      of: id, relationships: protos[proto].namedRelationships(of: id, marshaledEnds, graph.schema))
  }
}

extension ProtoRecord {
  /// Returns the relationships that the record's own dictionary or its marshaler has named.
  ///
  /// - Parameter marshaledEnds: the relationships that marshalers have changed directly.
  func namedRelationships(
    of id: RecordID, _ marshaledEnds: Set<RelationshipEnd>, _ schema: Schema
  ) -> [RelationshipIndex] {
    let named = effective.children.map(\.relationship)
    guard !marshaledEnds.isEmpty else { return named }
    return schema.entities[entity].relationships.filter {
      named.contains($0) || marshaledEnds.contains(RelationshipEnd(relationship: $0, owner: id))
    }
  }
}
