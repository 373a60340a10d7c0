package import RecordModel

extension SQLiteStore {
  package func rows(_ fetch: StoreFetch) throws(StoreError) -> [Row] {
    let sql = FetchSQL(fetch, schema, layout)
    let table = tables[for: schema.entities[fetch.entity].tree]
    let statement = sql.statement(selecting: table.columns)
    return try locked { () throws(StoreError) in
      var rows: [Row] = []
      try telling { () throws(SQLiteError) in
        try connection.query(statement.sql, statement.values) { row throws(SQLiteError) in
          rows.append(try table.row(row, at: 0))
        }
      }
      if sql.isWhole { return rows }
      // SQL has excluded as many rows as possible. The others are evaluated here, while no save can intervene.
      var source = LockedStore(store: self)
      return try fetch.answer(among: rows, schema: schema, from: &source)
    }
  }

  package func count(_ fetch: StoreFetch) throws(StoreError) -> Int {
    var unsorted = fetch
    unsorted.sort = []
    let sql = FetchSQL(unsorted, schema, layout)
    guard sql.isWhole else { return try rows(unsorted).count }
    let statement = sql.statement(selecting: "1")
    return try using { () throws(SQLiteError) in
      var count = 0
      try connection.query("SELECT COUNT(*) FROM (\(statement.sql))", statement.values) { row in
        count = Int(row.integer(0))
      }
      return count
    }
  }

  package func distinctValues(
    inColumn column: ColumnIndex, _ fetch: StoreFetch
  ) throws(StoreError) -> [AttributeValue] {
    let tree = schema.entities[fetch.entity].tree
    let sql = FetchSQL(fetch, schema, layout)
    guard sql.isWhole else {
      return AttributeValue.distinct(try rows(fetch).compactMap { $0.values[column] })
    }
    let type = tables[for: tree].type(ofColumn: column)
    let name = layout.tables[for: tree].columns[for: column].quoted
    let statement = sql.statement(selecting: "t.\(name) AS value")
    var values: [AttributeValue] = []
    try using { () throws(SQLiteError) in
      try connection.query(
        "SELECT DISTINCT value FROM (\(statement.sql)) WHERE value NOT NULL", statement.values
      ) { row throws(SQLiteError) in
        if let value = try AttributeValue.read(row, 0, type) { values.append(value) }
      }
    }
    return AttributeValue.distinct(values)
  }

  /// Returns the SQL of a fetch, and whether SQL evaluates the whole fetch.
  package func sql(for fetch: StoreFetch) -> (sql: String, isWhole: Bool) {
    let sql = FetchSQL(fetch, schema, layout)
    return (sql.statement(selecting: #"t."$id""#).sql, sql.isWhole)
  }

  /// Returns the query plan of SQLite for a fetch, with one step in each line.
  package func plan(of fetch: StoreFetch) throws(StoreError) -> String {
    let columns = tables[for: schema.entities[fetch.entity].tree].columns
    let statement = FetchSQL(fetch, schema, layout).statement(selecting: columns)
    return try using { () throws(SQLiteError) in
      var steps: [String] = []
      try connection.query("EXPLAIN QUERY PLAN \(statement.sql)", statement.values) { row in
        steps.append(row.text(3))
      }
      return steps.joined(separator: "\n")
    }
  }
}

/// A store whose connection is locked for exclusive access.
private struct LockedStore: RowSource {
  let store: SQLiteStore

  func rows(_ ids: [RecordID]) throws(StoreError) -> [Row?] {
    try store.telling { () throws(SQLiteError) in try store.lockedRows(ids) }
  }

  func members(of relationship: RelationshipIndex, owners: [RecordID]) throws(StoreError) -> [[RecordID]] {
    if owners.isEmpty { return [] }
    return try store.telling { () throws(SQLiteError) in try store.members(relationship, owners) }
  }
}

/// A fetch as SQL, as far as SQL has the same result.
private struct FetchSQL {
  private let source: String
  private var order: String?
  private var values: [SQLiteValue]
  private var page = ""
  /// A Boolean value that indicates whether the rows are the result. If false, they include further rows, in any order.
  let isWhole: Bool

  init(_ fetch: StoreFetch, _ schema: Schema, _ layout: SQLiteLayout) {
    var compiler = PredicateSQL(schema: schema, layout: layout)
    let reference = PredicateSQL.RowReference(alias: "t", entity: fetch.entity)
    let entity = schema.entities[fetch.entity]
    var conditions: [String] = []
    if entity.parent != nil {
      let numbers = schema.kinds(of: fetch.entity).map { String(layout.entityNumbers[for: $0]) }
        .joined(separator: ", ")
      conditions.append("t.\(SQLiteLayout.entity.quoted) IN (\(numbers))")
    }
    var hasWholePredicate = true
    if let predicate = fetch.predicate {
      let condition = compiler.condition(predicate, at: reference)
      conditions.append(condition.sql)
      hasWholePredicate = condition.isWhole
    }
    let order = compiler.order(fetch.sort, at: reference)
    isWhole = hasWholePredicate && order != nil
    source =
      "\(layout.tables[for: entity.tree].name.quoted) AS t WHERE \(PredicateSQL.conjunction(conditions))"
    if isWhole, let order {
      self.order = (order + [compiler.id(reference)]).joined(separator: ", ")
      if fetch.limit != nil || fetch.offset > 0 {
        let limit = compiler.bind(.integer(fetch.limit.map(Int64.init) ?? -1))
        page = " LIMIT \(limit) OFFSET \(compiler.bind(.integer(Int64(fetch.offset))))"
      }
    }
    values = compiler.values
  }

  func statement(selecting columns: String) -> (sql: String, values: [SQLiteValue]) {
    let order = order.map { " ORDER BY \($0)" } ?? ""
    return ("SELECT \(columns) FROM \(source)\(order)\(page)", values)
  }
}

extension PredicateSQL {
  /// Returns the terms of an order; nil if SQL sorts differently or the number of terms is too high.
  fileprivate mutating func order(_ sorts: [StoreSort], at reference: RowReference) -> [String]? {
    // SQLite limits columns and terms to 2000 in total.
    guard sorts.count <= 100 else { return nil }
    var terms: [String] = []
    for sort in sorts {
      guard let term = order(sort, at: reference) else { return nil }
      terms.append(term)
    }
    return terms
  }

  /// Returns the term of a sort descriptor; nil if SQL sorts differently.
  private mutating func order(_ sort: StoreSort, at reference: RowReference) -> String? {
    let entity = sort.path.last.map { schema.relationships[$0].destination } ?? reference.entity
    let attribute = schema.entities[entity].attributes.first { $0.column == sort.column }
    guard let type = attribute?.type, type != .decimal, type != .transformable,
      let scalar = scalar(sort.path[...], .attribute(type, columns: [sort.column]), at: reference)
    else { return nil }
    return scalar.sql + (sort.isAscending ? "" : " DESC")
  }
}
