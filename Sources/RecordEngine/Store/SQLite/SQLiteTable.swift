import RecordModel

/// The statements that read and write the rows of one inheritance tree.
struct SQLiteTable: Sendable {
  private let tree: TreeIndex
  private let layout: SQLiteLayout.Table
  private let types: [AttributeType]
  /// For each slot, the tree of the destination.
  private let destinations: [TreeIndex]
  private let entities: [Int64: EntityIndex]
  private let entityNumbers: [Int64]
  /// The columns of an index. They are written only if they change.
  let indexedColumns: [ColumnIndex]
  private let plainColumns: [ColumnIndex]

  /// The columns that ``row(_:at:)`` reads, for the table alias `t`.
  let columns: String

  init(_ schema: Schema, _ layout: SQLiteLayout, tree: TreeIndex) {
    self.tree = tree
    self.layout = layout.tables[for: tree]
    entityNumbers = layout.entityNumbers
    var types = Array(repeating: AttributeType.int64, count: schema.trees[tree].columnCount)
    var entities: [Int64: EntityIndex] = [:]
    var indexed: Set<ColumnIndex> = []
    for entity in schema.entities(ofTree: tree) {
      entities[layout.entityNumbers[for: entity.index]] = entity.index
      for attribute in entity.declaredAttributes(in: schema) { types[for: attribute.column] = attribute.type }
      if case .attributes(let positions) = entity.key {
        indexed.formUnion(positions.map { entity.attributes[$0].column })
      }
    }
    self.types = types
    self.entities = entities
    indexedColumns = indexed.sorted()
    plainColumns = types.indices.map { ColumnIndex($0) }.filter { !indexed.contains($0) }
    destinations = schema.trees[tree].toOnes.map {
      schema.entities[schema.relationships[$0].destination].tree
    }
    let names =
      [SQLiteLayout.id, SQLiteLayout.entity, SQLiteLayout.stub] + self.layout.columns
      + self.layout.toOnes.map(\.column)
    columns = names.map { "t.\($0.quoted)" }.joined(separator: ", ")
  }

  var name: String { layout.name.quoted }

  /// Returns the type of the attribute in a column.
  func type(ofColumn column: ColumnIndex) -> AttributeType { types[for: column] }
}

// MARK: - Reading

extension SQLiteTable {
  /// Returns the row whose columns begin at `first`.
  func row(_ row: SQLiteRow, at first: Int32) throws(SQLiteError) -> Row {
    guard let entity = entities[row.integer(first + 1)] else {
      throw .damaged("a record of \(layout.name) has no entity of the model")
    }
    var values: [AttributeValue?] = []
    values.reserveCapacity(types.count)
    var column = first + 3
    for type in types {
      values.append(try AttributeValue.read(row, column, type))
      column += 1
    }
    var toOnes: [RecordID?] = []
    toOnes.reserveCapacity(destinations.count)
    for destination in destinations {
      toOnes.append(
        row.kind(column) == .null ? nil : try RecordID(checkedTree: destination, row.integer(column)))
      column += 1
    }
    return Row(
      id: try RecordID(checkedTree: tree, row.integer(first)), entity: entity,
      isStub: row.integer(first + 2) != 0, values: values, toOnes: toOnes)
  }

  /// Selects the rows with the serial numbers of a list, each after its index in the list.
  var rowsByID: String {
    "SELECT l.rowid, \(columns) FROM \"$list\"(?1) AS l CROSS JOIN \(name) AS t ON t.\"$id\" = l.c0"
  }

  /// Returns a statement that selects the rows with the keys of a list, each after its index in the list.
  func rows(byKey keyColumns: [ColumnIndex], among entities: [Int64]) -> String {
    let numbers = entities.map(String.init).joined(separator: ", ")
    var conditions = keyColumns.enumerated().map { "t.\(layout.columns[for: $1].quoted) = l.c\($0)" }
    if entities.count < self.entities.count { conditions.append("t.\"$entity\" IN (\(numbers))") }
    return "SELECT l.rowid, \(columns) FROM \"$list\"(?1) AS l CROSS JOIN \(name) AS t ON "
      + Self.conjunction(conditions)
  }

  /// Joins conditions in groups. SQLite limits the depth of expressions, and a chain of 1000 conditions exceeds the
  /// limit.
  private static func conjunction(_ conditions: [String]) -> String {
    guard conditions.count > 100 else { return conditions.joined(separator: " AND ") }
    return stride(from: 0, to: conditions.count, by: 100)
      .map { "(\(conditions[$0..<min($0 + 100, conditions.count)].joined(separator: " AND ")))" }
      .joined(separator: " AND ")
  }
}

extension RecordID {
  /// Creates the identifier of a record in a file. Throws an error if the number is invalid.
  init(checkedTree tree: TreeIndex, _ serial: Int64) throws(SQLiteError) {
    guard serial > 0, serial < 1 << 48 else { throw .damaged("\(serial) is not a record number") }
    self.init(tree: tree, serial: serial)
  }
}

// MARK: - Writing

extension SQLiteTable {
  /// A closure that returns the position of a record in the inverse of a to-one, if the inverse is ordered.
  typealias Position = (_ slot: SlotIndex, _ owner: RecordID, _ member: RecordID) -> Int64

  /// Inserts rows with the cells of ``insertion(_:_:)``.
  var insertion: String {
    let names =
      [SQLiteLayout.id, SQLiteLayout.entity, SQLiteLayout.stub] + layout.columns
      + layout.toOnes.map(\.column) + layout.toOnes.compactMap(\.position)
    let cells = names.indices.map { "c\($0)" }.joined(separator: ", ")
    return
      "INSERT INTO \(name) (\(names.map(\.quoted).joined(separator: ", "))) SELECT \(cells) FROM \"$list\"(?1)"
  }

  func insertion(_ rows: [Row], _ position: @escaping Position) -> SQLiteList {
    let (types, numbers) = (types, entityNumbers)
    let firstToOne = 3 + types.count
    let firstPosition = firstToOne + layout.toOnes.count
    let orderedSlots = layout.slots.compactMap { slot, toOne in toOne.position.map { _ in slot } }
    return SQLiteList(count: rows.count) { row, column, cell in
      switch column {
      case 0: cell.set(rows[row].id.serial)
      case 1: cell.set(numbers[for: rows[row].entity])
      case 2: cell.set(rows[row].isStub)
      case 3..<firstToOne: rows[row].values[column - 3]?.write(to: cell, as: types[column - 3])
      case firstToOne..<firstPosition:
        if let target = rows[row].toOnes[column - firstToOne] { cell.set(target.serial) }
      default:
        let slot = orderedSlots[column - firstPosition]
        if let target = rows[row].toOnes[slot] { cell.set(position(slot, target, rows[row].id)) }
      }
    }
  }

  /// The number of cells in the widest list for this table.
  var width: Int {
    3 + layout.columns.count + layout.toOnes.count + layout.toOnes.count { $0.position != nil }
  }

  /// A statement and the list with its cells.
  typealias Writing = (sql: String, list: SQLiteList)

  /// Returns the statements that write updated rows, with their lists: one for all columns without an index, and one
  /// for each changed column with an index.
  func updates(_ updates: [ChangeSet.Update], _ position: @escaping Position) -> [Writing] {
    [plainUpdate(updates)].compactMap(\.self)
      + indexedColumns.compactMap { update(of: $0, updates) }
      + layout.slots.compactMap { update(of: $0, $1, updates, position) }
  }

  /// Writes the entity and the columns without an index.
  private func plainUpdate(_ updates: [ChangeSet.Update]) -> Writing? {
    let changed = updates.filter { update in
      update.before.entity != update.after.entity || update.before.isStub != update.after.isStub
        || plainColumns.contains { update.before.values[$0] != update.after.values[$0] }
    }
    guard !changed.isEmpty else { return nil }
    let names = [SQLiteLayout.entity, SQLiteLayout.stub] + plainColumns.map { layout.columns[for: $0] }
    let list = SQLiteList(count: changed.count) { [types, entityNumbers, plainColumns] row, column, cell in
      let after = changed[row].after
      switch column {
      case 0: cell.set(after.id.serial)
      case 1: cell.set(entityNumbers[for: after.entity])
      case 2: cell.set(after.isStub)
      default:
        let column = plainColumns[column - 3]
        after.values[column]?.write(to: cell, as: types[for: column])
      }
    }
    return (update(names), list)
  }

  private func update(of column: ColumnIndex, _ updates: [ChangeSet.Update]) -> Writing? {
    let changed = updates.filter { $0.before.values[column] != $0.after.values[column] }
    guard !changed.isEmpty else { return nil }
    let type = types[for: column]
    let list = SQLiteList(count: changed.count) { row, cellColumn, cell in
      let after = changed[row].after
      if cellColumn == 0 {
        cell.set(after.id.serial)
      } else {
        after.values[column]?.write(to: cell, as: type)
      }
    }
    return (update([layout.columns[for: column]]), list)
  }

  private func update(
    of slot: SlotIndex, _ toOne: SQLiteLayout.ToOne, _ updates: [ChangeSet.Update],
    _ position: @escaping Position
  ) -> Writing? {
    let changed = updates.filter { $0.before.toOnes[slot] != $0.after.toOnes[slot] }
    guard !changed.isEmpty else { return nil }
    let list = SQLiteList(count: changed.count) { row, column, cell in
      let after = changed[row].after
      switch (column, after.toOnes[slot]) {
      case (0, _): cell.set(after.id.serial)
      case (1, let target?): cell.set(target.serial)
      case (2, let target?): cell.set(position(slot, target, after.id))
      default: break
      }
    }
    return (update([toOne.column] + (toOne.position.map { [$0] } ?? [])), list)
  }

  private func update(_ names: [String]) -> String {
    let settings = names.enumerated().map { "\($1.quoted) = l.c\($0 + 1)" }.joined(separator: ", ")
    return "UPDATE \(name) AS t SET \(settings) FROM \"$list\"(?1) AS l WHERE t.\"$id\" = l.c0"
  }

  var deletion: String { "DELETE FROM \(name) WHERE \"$id\" IN (SELECT c0 FROM \"$list\"(?1))" }

  /// Returns a statement that clears a to-one whose target is in a list of records.
  func clearing(slot: SlotIndex) -> String {
    let toOne = layout.toOnes[for: slot]
    let settings = [toOne.column, toOne.position].compactMap { $0.map { "\($0.quoted) = NULL" } }
    return "UPDATE \(name) SET \(settings.joined(separator: ", ")) "
      + "WHERE \(toOne.column.quoted) IN (SELECT c0 FROM \"$list\"(?1))"
  }
}
