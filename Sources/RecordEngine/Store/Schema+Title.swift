import RecordModel

extension SchemaEntity {
  /// Returns the entity and a key of attributes: `Post/1`, or `Line/7,3` for a composite key.
  func title(of recordKey: RecordKey) -> String {
    guard case .attributes(let positions) = key else { return name.rawValue }
    return title(
      of: zip(positions, recordKey.values).map { $1.shortText(attributes[$0].type, quoted: false) })
  }

  /// Returns the entity and the parent of a record that its parent identifies: `Counts@Post/1`.
  func title(ofChildOf parent: String) -> String { name.rawValue + "@" + parent }

  /// Returns the title with escapes for the delimiters in the parts, like the labels of scenarios.
  fileprivate func title(of parts: [String]) -> String {
    name.rawValue + "/"
      + parts.map { PercentEncoding.encoded($0.utf8) { !"/@~%,".utf8.contains($0) } }.joined(separator: ",")
  }
}

extension Schema {
  /// Returns the title of a record, such as `Post/1` or `Counts@Post/1`; nil if it has neither a key nor a parent with one.
  ///
  /// - Parameter parent: the row of the parent that identifies the record.
  func title(of row: Row, parent: Row?) -> String? {
    keyTitle(of: row) ?? parent.flatMap(keyTitle).map { entities[row.entity].title(ofChildOf: $0) }
  }

  /// Returns the parent of a record whose key is a relationship. Returns nil for other records and for one without a parent.
  func identifyingParent(of row: Row) -> RecordID? {
    guard case .relationship(let relationship) = entities[row.entity].key else { return nil }
    return relationships[relationship].slot.flatMap { row.toOnes[$0] }
  }

  /// Returns the entity and the parts of the key that the record has; nil if it has none.
  private func keyTitle(of row: Row) -> String? {
    let entity = entities[row.entity]
    guard case .attributes(let positions) = entity.key else { return nil }
    let parts = positions.compactMap { position in
      let attribute = entity.attributes[position]
      return row.values[attribute.column].map { $0.shortText(attribute.type, quoted: false) }
    }
    return parts.isEmpty ? nil : entity.title(of: parts)
  }
}
