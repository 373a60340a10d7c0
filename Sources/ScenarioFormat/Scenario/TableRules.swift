package import RecordModel

/// The tables of an app's own store, as `tables:` describes them. A scenario with tables runs the app through an adapter.
package struct TableRules: Sendable {
  /// The described tables, in the order of the file. Those that a dump has besides these are read by its schema.
  package var tables: [TableRule]

  package init(_ tables: [TableRule] = []) { self.tables = tables }

  /// The description of a table; nil if there is none.
  package subscript(name: EntityName) -> TableRule? { tables.first { $0.name == name } }
}

/// The description of one table: how its rows are labeled and compared.
package struct TableRule: Sendable {
  package var name: EntityName
  /// The columns of the key; empty for rows without a key, which are labeled by their content.
  package var key: [PropertyName] = []
  /// A Boolean value that indicates whether the description leaves the key and the references to the schema of the store.
  package var usesSchema = false
  /// The column with the ids that the store assigns to rows. They are not compared, because they can differ from run to run.
  package var id: PropertyName?
  /// The tables that columns refer to, by their ids or keys.
  package var references: [PropertyName: EntityName] = [:]
  /// The columns that are not compared.
  package var ignoredColumns: Set<PropertyName> = []
  /// The meaning of values that clients store in different forms.
  package var types: [PropertyName: ColumnType] = [:]
  /// A Boolean value that indicates whether the whole table is not compared.
  package var isIgnored = false
  /// The location of the description; nil for a table that the schema of its store describes.
  package var span: SourceSpan?

  /// The references of columns outside the key, which are links to other rows. In a key, the value of a reference is the key of
  /// the row that it refers to.
  package var links: [PropertyName: EntityName] { references.filter { !key.contains($0.key) } }

  /// Returns the description with the key and the references of a schema, unless it states the key itself.
  package func completed(by schema: TableRule?) -> TableRule {
    guard usesSchema, let schema else { return self }
    var rule = self
    rule.key = schema.key
    rule.references.merge(schema.references) { stated, _ in stated }
    return rule
  }

  package init(_ name: EntityName, span: SourceSpan? = nil) { (self.name, self.span) = (name, span) }
}

/// The meaning of a column whose stored form differs between clients.
package enum ColumnType: String, CaseIterable, Sendable {
  /// 0 and 1, or their text, stand for `false` and `true`.
  case boolean
  /// A text stands for the number that it states.
  case number
  /// A text stands for the date that it states. It is compared as `2000-01-01T00:00:00Z`.
  case date
  /// A number stands for the seconds since 1970, and a text for the date that it states.
  case unixSeconds = "unix-seconds"
  /// A number stands for the milliseconds since 1970, and a text for the date that it states.
  case unixMilliseconds = "unix-milliseconds"
  /// A text in any case stands for a UUID. It is compared in upper case.
  case uuid
  /// A text stands for the JSON value that it contains.
  case json
}
