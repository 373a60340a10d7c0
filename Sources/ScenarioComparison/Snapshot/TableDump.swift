package import JSONTree
package import RecordModel
package import ScenarioFormat

/// All rows of an app's own store, as its adapter returns them.
package struct TableDump: Sendable {
  /// The tables in the order of the dump, each with a different name.
  package var tables: [Table]

  package init(_ tables: [Table] = []) { self.tables = tables }

  /// The rows of one table.
  package struct Table: Sendable {
    package var name: EntityName
    /// The columns; those of the rows if the store does not tell them.
    package var columns: [PropertyName]
    package var rows: [JSONObject]
    /// The description that the schema of the store contains; nil if there is none.
    package var schema: TableRule?

    package init(
      _ name: EntityName, columns: [PropertyName] = [], rows: [JSONObject], schema: TableRule? = nil
    ) {
      self.name = name
      var seen = Set(columns)
      self.columns = columns
      for row in rows {
        for column in row.keys where seen.insert(PropertyName(column)).inserted {
          self.columns.append(PropertyName(column))
        }
      }
      self.rows = rows
      self.schema = schema
    }
  }
}

/// A reason why the rows of a dump cannot be compared.
package struct TableDumpProblem: Error, Hashable {
  package let message: String
  package let advice: String
  /// The table whose description is wrong; nil if none is.
  package var table: EntityName?
}

/// A reference that leads to no row.
package struct StrayReference: Sendable {
  /// The row with the reference.
  package var record: RecordLabel?
  package let table: EntityName
  package let column: PropertyName
  package let value: JSONValue
  package let destination: EntityName
  /// The column of the destination that the value should be in; nil if there is none.
  package let target: PropertyName?
  /// A Boolean value that indicates whether this column has the ids that the store assigns.
  package let isID: Bool
}

extension TableDump {
  /// Returns the rows as a graph: a record for each row, with the columns as attributes and the references as links.
  ///
  /// A null is the same as a missing column. Numbers are equal if their values are. Linear in the number of values.
  ///
  /// - Parameter rules: the tables that the scenario describes. A table that it does not describe is read by its schema.
  package func graph(by rules: TableRules) throws(TableDumpProblem) -> GraphSnapshot {
    try labeled(by: rules).graph
  }

  /// Returns the rows as a graph, and the references that lead to no row.
  package func labeled(
    by rules: TableRules
  ) throws(TableDumpProblem) -> (graph: GraphSnapshot, strays: [StrayReference]) {
    let tables = try described(by: rules)
    let rows = RowIndex(tables)
    var records: [UnlabeledRecord<Int>] = []
    var strays: [(id: Int, reference: StrayReference)] = []
    for (table, rule) in tables {
      for row in table.rows {
        let id = records.count
        records.append(rows.record(row, by: rule, id: id))
        strays += rows.strays(in: row, by: rule).map { (id, $0) }
      }
    }
    let labeled = UnlabeledGraph(records: records).labeled()
    return (
      labeled.snapshot,
      strays.map { id, reference in
        var reference = reference
        reference.record = labeled.labels[id]
        return reference
      }
    )
  }

  /// Returns the dump with other texts in its values.
  package func replacingTexts(_ replaced: (String) -> String) -> TableDump {
    TableDump(
      tables.map { table in
        let rows = table.rows.map { row in JSONObject(row.map { ($0, $1.replacingTexts(replaced)) }) }
        return Table(table.name, columns: table.columns, rows: rows, schema: table.schema)
      })
  }

  /// Returns the compared tables with their descriptions.
  private func described(
    by rules: TableRules
  ) throws(TableDumpProblem) -> [(table: Table, rule: TableRule)] {
    if let missing = rules.tables.first(where: { rule in
      !rule.isIgnored && !tables.contains { $0.name == rule.name }
    }) {
      throw .missing(missing.name, among: tables.map(\.name))
    }
    let undescribed = tables.filter { rules[$0.name] == nil && $0.schema == nil }
    if !undescribed.isEmpty { throw .undescribed(undescribed) }
    var described: [(table: Table, rule: TableRule)] = []
    for table in tables {
      guard let rule = Self.rule(of: table, by: rules), !rule.isIgnored else { continue }
      var named = rule.key + (rule.id.map { [$0] } ?? []) + rule.references.keys.sorted()
      // Without a schema, a column whose values are all null can be missing.
      if table.schema != nil { named += rule.types.keys.sorted() + rule.ignoredColumns.sorted() }
      if let unknown = rule.references.sorted(by: { $0.key < $1.key }).first(where: { reference in
        !tables.contains { $0.name == reference.value } || rules[reference.value]?.isIgnored == true
      }) {
        throw .unknownReference(unknown.key, to: unknown.value, of: table, among: tables.map(\.name))
      }
      if !table.columns.isEmpty, let column = named.first(where: { !table.columns.contains($0) }) {
        throw .missing(column, of: table)
      }
      described.append((table, rule))
    }
    return described
  }

  /// Returns the description of a table, completed by its schema. References of the schema to tables that are not compared are
  /// left out.
  private static func rule(of table: Table, by rules: TableRules) -> TableRule? {
    var schema = table.schema
    let references = schema?.references ?? [:]
    schema?.references = references.filter { rules[$0.value]?.isIgnored != true }
    return rules[table.name]?.completed(by: schema) ?? schema
  }

  /// Returns the model of all tables in dumps: their columns as attributes, and their references as to-one relationships.
  package static func model(of dumps: [TableDump], by rules: TableRules) throws(ModelError)
    -> ManagedObjectModel
  {
    var columns: [EntityName: (rule: TableRule, columns: Set<PropertyName>)] = [:]
    for table in dumps.flatMap(\.tables) {
      guard let rule = rule(of: table, by: rules), !rule.isIgnored else { continue }
      columns[table.name, default: (rule, Set(rule.key))].columns.formUnion(table.columns)
    }
    let entities = columns.sorted { $0.key < $1.key }.map { name, table in
      let links = table.rule.links.filter { columns[$0.value] != nil }
      let attributes = table.columns.filter { table.rule.isCompared($0) && links[$0] == nil }
      return entity(name, columns: attributes.sorted(), key: table.rule.key, links: links)
    }
    return try ManagedObjectModel(tables: entities)
  }

  /// Returns the description of a table as an entity.
  ///
  /// - Parameter columns: the columns that are not links, those of the key included.
  package static func entity(
    _ name: EntityName, columns: [PropertyName], key: [PropertyName], links: [PropertyName: EntityName]
  ) -> EntityDescription {
    var entity = EntityDescription(
      name,
      // A key cannot be transformable.
      attributes: columns.map { AttributeDescription($0, key.contains($0) ? .string : .transformable) },
      relationships: links.sorted { $0.key < $1.key }.map { RelationshipDescription($0.key, to: $0.value) })
    entity.primaryKey = key
    return entity
  }
}

extension TableRule {
  fileprivate func isCompared(_ column: PropertyName) -> Bool {
    column != id && !ignoredColumns.contains(column)
  }
}

extension TableDumpProblem {
  fileprivate static func missing(_ table: EntityName, among names: [EntityName]) -> TableDumpProblem {
    let near = nearestName(to: table.rawValue, among: names.map(\.rawValue))
    return TableDumpProblem(
      message: "the dump has no table '\(table)', which 'tables' describes",
      advice: near.map { "did you mean '\($0)'?" }
        ?? "let the adapter dump it, with an empty list if it has no rows", table: table)
  }

  fileprivate static func undescribed(_ tables: [TableDump.Table]) -> TableDumpProblem {
    let keys = tables.map { table in
      let key = table.columns.first { $0.rawValue == "id" } ?? table.columns.first ?? "COLUMN"
      return "\(table.name): \(key)"
    }
    let names = tables.map { "'\($0.name)'" }.joined(separator: ", ")
    return TableDumpProblem(
      message:
        "the dump has the \(tables.count == 1 ? "table" : "tables") \(names), which 'tables' does not describe",
      advice: "write '\(keys.joined(separator: ", "))' with the key, or '\(tables[0].name): ignore'")
  }

  fileprivate static func unknownReference(
    _ column: PropertyName, to destination: EntityName, of table: TableDump.Table, among names: [EntityName]
  ) -> TableDumpProblem {
    let near = nearestName(to: destination.rawValue, among: names.map(\.rawValue))
    return TableDumpProblem(
      message:
        "'\(column)' of '\(table.name)' refers to '\(destination)', which is not a compared table of the dump",
      advice: near.map { "did you mean '\($0)'?" } ?? "correct 'references'", table: table.name)
  }

  fileprivate static func missing(_ column: PropertyName, of table: TableDump.Table) -> TableDumpProblem {
    let columns = table.columns.map(\.rawValue)
    return TableDumpProblem(
      message: "no row of '\(table.name)' has the column '\(column)', which 'tables' names",
      advice: nearestName(to: column.rawValue, among: columns).map { "did you mean '\($0)'?" }
        ?? "its columns are \(shortenedList(columns.sorted()))", table: table.name)
  }
}

/// The rows that references lead to.
private struct RowIndex {
  private struct Row {
    let number: Int
    /// The value of its key; nil if the key has several columns or none.
    let key: JSONValue?
  }

  /// The rows of each table by the canonical value that refers to them.
  private var rows: [EntityName: [JSONValue: Row]] = [:]
  /// The columns that references lead to, by table.
  private var targets: [EntityName: Target] = [:]

  private struct Target {
    let column: PropertyName
    let type: ColumnType?
    let isID: Bool
  }

  init(_ tables: [(table: TableDump.Table, rule: TableRule)]) {
    var number = 0
    for (table, rule) in tables {
      let key = rule.key.count == 1 ? rule.key[0] : nil
      let target = rule.id ?? key
      targets[table.name] = target.map { Target(column: $0, type: rule.types[$0], isID: rule.id != nil) }
      for row in table.rows {
        if let value = target.flatMap({ rule.value(of: $0, in: row) }) {
          rows[table.name, default: [:]][value] = Row(
            number: number, key: key.flatMap { rule.value(of: $0, in: row) })
        }
        number += 1
      }
    }
  }

  func record(_ row: JSONObject, by rule: TableRule, id: Int) -> UnlabeledRecord<Int> {
    var record = UnlabeledRecord(id: id, entity: rule.name, key: rule.key)
    for name in row.keys {
      let column = PropertyName(name)
      guard rule.isCompared(column), var value = rule.value(of: column, in: row) else { continue }
      if let destination = rule.references[column] {
        let target = self.row(row[name] ?? .null, in: destination)
        guard rule.key.contains(column), let key = target?.key else {
          // No row has a negative number.
          record.properties[column] = .toOne(target?.number ?? -1, destination: destination)
          continue
        }
        value = key
      }
      record.properties[column] = .attribute(.json(value), .transformable)
    }
    return record
  }

  private func row(_ stored: JSONValue, in table: EntityName) -> Row? {
    rows[table]?[targets[table]?.type?.canonical(stored) ?? stored.canonical]
  }

  /// Returns the references of a row that lead to no row, without the row's label.
  func strays(in row: JSONObject, by rule: TableRule) -> [StrayReference] {
    rule.references.sorted { $0.key < $1.key }.compactMap { column, destination in
      guard rule.isCompared(column), let value = row[column.rawValue], value != .null,
        self.row(value, in: destination) == nil
      else { return nil }
      let target = targets[destination]
      return StrayReference(
        table: rule.name, column: column, value: value, destination: destination, target: target?.column,
        isID: target?.isID ?? false)
    }
  }
}

extension TableRule {
  /// Returns the canonical value of a column; nil for null.
  fileprivate func value(of column: PropertyName, in row: JSONObject) -> JSONValue? {
    guard let value = row[column.rawValue], value != .null else { return nil }
    return types[column]?.canonical(value) ?? value.canonical
  }
}

extension JSONValue {
  /// The value with numbers in the form of golden files.
  var canonical: JSONValue {
    switch self {
    case .number(let number): .number(number.canonical)
    case .array(let elements): .array(elements.map(\.canonical))
    case .object(let members): .object(JSONObject(members.map { ($0.key, $0.value.canonical) }))
    case .null, .boolean, .string: self
    }
  }

  fileprivate func replacingTexts(_ replaced: (String) -> String) -> JSONValue {
    switch self {
    case .string(let text): .string(replaced(text))
    case .array(let elements): .array(elements.map { $0.replacingTexts(replaced) })
    case .object(let members):
      .object(JSONObject(members.map { ($0.key, $0.value.replacingTexts(replaced)) }))
    case .null, .boolean, .number: self
    }
  }
}
