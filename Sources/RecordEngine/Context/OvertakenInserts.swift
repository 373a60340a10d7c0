import OrderedCollections
import RecordModel

/// Unsaved records that responses have made and whose keys the store, or the parent, has by now: somebody else has saved
/// them meanwhile. Each of them becomes the saved one. Rules: `save.child`, `save.concurrent`.
///
/// What responses have left unsaved is older than what was saved, so it counts where the saved record has nothing. What
/// a hand has set stays. A record that a hand has made or given its key is never looked at, and none becomes a record
/// that is deleted or given another key here.
struct OvertakenInserts {
  private let schema: Schema
  /// By the unsaved record.
  private var pairs: [RecordID: Pair] = [:]

  private struct Pair {
    /// As responses have left it.
    var unsaved: Row
    var saved: Row
  }

  /// - Complexity: linear in the edits, with one question to the reader for each key scope.
  init(_ edits: [UnsavedEdit], _ schema: Schema, _ reader: any StoreReader) throws(StoreError) {
    self.schema = schema
    let inserts = ResponseInserts(edits, schema)
    var keyed: OrderedDictionary<Int, [(key: RecordKey, row: Row)]> = [:]
    for row in inserts.rows.values where !inserts.isSettled.contains(row.id) {
      guard let key = row.key(in: schema) else { continue }
      keyed[schema.entities[row.entity].keyScope, default: []].append((key, row))
    }
    for (scope, rows) in keyed {
      for (saved, (_, row)) in zip(try reader.rows(scope: scope, keys: rows.map(\.key)), rows) {
        guard let saved, !inserts.isSettled.contains(saved.id) else { continue }
        pairs[row.id] = Pair(unsaved: row, saved: saved)
      }
    }
  }

  /// For each unsaved record, the one that it becomes.
  var successors: [RecordID: RecordID] { pairs.mapValues(\.saved.id) }

  /// The edits as they are about the saved records.
  func rest(of edits: [UnsavedEdit]) -> [UnsavedEdit] {
    let successors = successors
    return edits.flatMap { unsaved -> [UnsavedEdit] in
      if !unsaved.isByHand {
        switch unsaved.edit {
        case .insert(let row):
          if let pair = pairs[row.id] {
            return additions(pair).map { UnsavedEdit(edit: $0, isByHand: false) }
          }
        case .setValue(let id, _, _), .fill(let id), .changeEntity(let id, _), .order(let id, _, _):
          if pairs[id] != nil { return [] }
        case .setToOne, .addMember, .removeMember, .delete: break
        }
        if setsWhatIsSaved(unsaved.edit) { return [] }
      }
      return [UnsavedEdit(edit: unsaved.edit.replacing(successors), isByHand: unsaved.isByHand)]
    }
  }

  /// What the unsaved record has and the saved one has not.
  private func additions(_ pair: Pair) -> [Edit] {
    let (unsaved, saved) = (pair.unsaved, pair.saved)
    var edits: [Edit] = []
    var entity = saved.entity
    if unsaved.entity != entity, schema.isKind(unsaved.entity, of: entity) {
      entity = unsaved.entity
      edits.append(.changeEntity(saved.id, to: entity))
    }
    for attribute in schema.entities[entity].attributes where saved.values[attribute.column] == nil {
      guard let value = unsaved.values[attribute.column], value != attribute.defaultValue else { continue }
      edits.append(.setValue(saved.id, column: attribute.column, value))
    }
    if saved.isStub, !unsaved.isStub { edits.append(.fill(saved.id)) }
    return edits
  }

  /// Whether an edit sets a to-one relationship that a saved record has set.
  private func setsWhatIsSaved(_ edit: Edit) -> Bool {
    TouchedProperties.toOneEnds(edit, schema).contains { end in
      guard let pair = pairs[end.owner], let slot = schema.relationships[end.relationship].slot else {
        return false
      }
      return pair.saved.toOnes[slot] != nil
    }
  }
}

/// The records that responses have made, as they have left them.
private struct ResponseInserts {
  var rows: OrderedDictionary<RecordID, Row> = [:]
  /// Records that are deleted, or whose key was set after they were made.
  var isSettled: Set<RecordID> = []

  init(_ edits: [UnsavedEdit], _ schema: Schema) {
    for case let unsaved in edits where !unsaved.isByHand {
      if case .insert(let row) = unsaved.edit { rows[row.id] = row }
    }
    guard !rows.isEmpty else { return }
    let keyColumns = schema.trees.indices.map { tree in
      Set(schema.entities.filter { $0.tree == tree }.flatMap { $0.keyColumns })
    }
    for unsaved in edits {
      switch unsaved.edit {
      case .delete(let id): isSettled.insert(id)
      case .setValue(let id, let column, let value):
        if keyColumns[id.tree].contains(column) { isSettled.insert(id) }
        guard !unsaved.isByHand else { break }
        rows[id]?.values[column] = value
        rows[id]?.isStub = false
      case .fill(let id): if !unsaved.isByHand { rows[id]?.isStub = false }
      case .changeEntity(let id, let entity): if !unsaved.isByHand { rows[id]?.entity = entity }
      case .insert, .setToOne, .addMember, .removeMember, .order: break
      }
    }
  }
}

extension SchemaEntity {
  fileprivate var keyColumns: [Int] {
    guard case .attributes(let positions) = key else { return [] }
    return positions.map { attributes[$0].column }
  }
}
