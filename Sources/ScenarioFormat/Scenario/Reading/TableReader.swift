import RecordModel

/// The reader of `tables:`, which describes the tables of an app's own store.
struct TableReader {
  let findings: Findings

  /// The advice for keys that authors may expect.
  private static let otherNames = [
    "primarykey": ["key"], "keys": ["key"], "rowid": ["id"], "localid": ["id"], "foreignkeys": ["references"],
    "foreignkey": ["references"], "links": ["references"], "skip": ["ignore"], "ignores": ["ignore"],
    "exclude": ["ignore"], "columns": ["types"],
  ]

  func tables(_ pair: YAMLPair?) -> TableRules {
    TableRules((findings.mapping(pair) ?? []).compactMap(table))
  }

  /// Reads `id`, `[post_id, tag]`, `none`, `ignore` or `{key, id, references, ignore, types}`.
  private func table(_ pair: YAMLPair) -> TableRule? {
    if let mark = pair.key.unicodeScalars.first(where: { "/@~".unicodeScalars.contains($0) }) {
      findings.report(
        .unknownValue, at: pair.keySpan, "the name of a table cannot contain '\(mark)'",
        advice: "labels such as 'post/1' use it; let the adapter dump the table under another name")
      return nil
    }
    var rule = TableRule(EntityName(pair.key), span: pair.keySpan)
    switch pair.value.scalar?.value {
    case .string("none"): return rule
    case .string("ignore"):
      rule.isIgnored = true
      return rule
    case .some, nil: break
    }
    guard pair.value.pairs != nil else {
      guard let key = key(pair) else { return nil }
      rule.key = key
      return rule
    }
    guard let reader = MappingReader(pair, as: .table, otherNames: Self.otherNames, findings: findings) else {
      return nil
    }
    reader.requireAnyKey()
    rule.key = reader["key"].flatMap(key) ?? []
    rule.usesSchema = reader["key"] == nil
    rule.id = findings.string(reader["id"]).map { PropertyName($0) }
    for pair in findings.mapping(reader["references"]) ?? [] {
      rule.references[PropertyName(pair.key)] = findings.string(pair).map { EntityName($0) }
    }
    rule.ignoredColumns = Set(findings.strings(reader["ignore"]).map { PropertyName($0.value) })
    for pair in findings.mapping(reader["types"]) ?? [] {
      rule.types[PropertyName(pair.key)] = findings.choice(pair, ColumnType.self)
    }
    reportIgnoredKeys(of: rule, reader)
    return rule
  }

  /// Reads a column, a list of columns or `none`.
  private func key(_ pair: YAMLPair) -> [PropertyName]? {
    if pair.value.isNone { return [] }
    guard let elements = pair.value.elements else {
      return findings.string(pair).map { [PropertyName($0)] }
    }
    guard !elements.isEmpty else {
      findings.report(
        .emptyValue, at: pair.value.span, "'\(pair.key)' has no key column",
        advice: "write 'none' for rows without a key")
      return nil
    }
    let columns = findings.strings(pair)
    return columns.count == elements.count ? columns.map { PropertyName($0.value) } : nil
  }

  /// Reports columns that identify rows and are not compared, which would make labels depend on nothing.
  private func reportIgnoredKeys(of rule: TableRule, _ reader: MappingReader) {
    for column in findings.strings(reader["ignore"]) where rule.key.contains(PropertyName(column.value)) {
      findings.report(
        .conflictingKeys, at: column.span, "the key column '\(column.value)' cannot be ignored",
        advice: "remove it from 'ignore', or use another 'key'")
    }
    if let id = rule.id, rule.key.contains(id), let pair = reader["id"] {
      findings.report(
        .conflictingKeys, at: pair.value.span, "'\(id)' is the key, so its values are compared",
        advice: "remove 'id', or use a 'key' that is the same in every run")
    }
  }
}
