import RecordModel

extension WorkingGraph {
  /// Returns the titles of records, such as `Post/1` or `Counts@Post/1`; nil for a record that has neither a key nor a parent
  /// with one. Reads all parents with one query.
  mutating func titles(of rows: [Row]) throws(StoreError) -> [String?] {
    let parents = rows.map(schema.identifyingParent)
    try load(parents.lazy.compactMap(\.self))
    return zip(rows, parents).map { row, parent in
      // A parent that is deleted together with the record still identifies it.
      schema.title(of: row, parent: parent.flatMap { knownRow($0) ?? storedRow($0) })
    }
  }

  /// Returns the titles of records in quotation marks, or `a 'Line'` for a record without one.
  mutating func quotedTitles(of rows: [Row]) throws(StoreError) -> [String] {
    zip(rows, try titles(of: rows)).map { row, title in
      title.map { "'\($0)'" } ?? "a '\(schema.entities[row.entity].name)'"
    }
  }
}
