import RecordModel

extension SchemaEntity {
  /// Returns the entity and a key of attributes: `Post/1`, or `Line/7,3` for a composite key; only the entity without a
  /// key.
  func title(of recordKey: RecordKey?) -> String {
    guard case .attributes(let positions) = key, let recordKey else { return name.rawValue }
    let texts = zip(positions, recordKey.values).map { $1.shortText(attributes[$0].type, quoted: false) }
    return name.rawValue + "/" + texts.joined(separator: ",")
  }

  /// Returns the entity and the parent of a record that its parent identifies: `Counts@Post/1`.
  func title(ofChildOf parent: String) -> String { name.rawValue + "@" + parent }
}

extension Schema {
  /// Returns the entity and the key of a record: `Post/1`, or `Counts@Post/1` for a record that its parent identifies; nil
  /// if nothing identifies the record.
  ///
  /// - Parameter row: a function that returns the row of the parent.
  func title<Failure: Error>(
    of record: Row, _ row: (RecordID) throws(Failure) -> Row?
  ) throws(Failure) -> String? {
    let entity = entities[record.entity]
    if case .relationship(let relationship) = entity.key {
      guard let slot = relationships[relationship].slot, let id = record.toOnes[slot],
        let parent = try row(id), let key = parent.key(in: self)
      else { return nil }
      return entity.title(ofChildOf: entities[parent.entity].title(of: key))
    }
    return record.key(in: self).map { entity.title(of: $0) }
  }
}
