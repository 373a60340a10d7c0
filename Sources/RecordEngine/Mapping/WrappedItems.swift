internal import JSONTree
package import RecordModel

/// The search for the items of a response that wraps them, such as `{"data": [{"id": 1}]}` or `{"7": {"id": 7}}`,
/// although the entity has no response key path.
package enum WrappedItems {
  /// The location of the items of a response.
  package struct Location {
    /// The path to the items, or to the dictionary that contains them; empty for the response itself.
    package let path: MappingPath
    /// The attribute for the keys of the dictionary; nil if the items are in no dictionary.
    package let keyedBy: PropertyName?

    package init(path: MappingPath, keyedBy: PropertyName?) { (self.path, self.keyedBy) = (path, keyedBy) }

    /// The keys to write in the entity.
    package var declaration: String {
      let dictionary = keyedBy.map { "responseKeyedBy: \($0)" }
      let keyPath = path.components.isEmpty ? nil : "responseKeyPath: \(path)"
      return [keyPath, dictionary].compactMap(\.self).joined(separator: ", ")
    }
  }

  /// The maximum number of objects that are searched.
  private static let limit = 100

  /// Returns the location of the items of an entity: the first array of objects, dictionary of objects, or object, with
  /// the primary key of the entity. A higher level comes first, and at each level the arrays. An object beside an empty
  /// array is not proposed, because the array may be that of the items.
  ///
  /// - Complexity: linear in the number of members of the searched objects, at most 100.
  /// - Returns: nil if there is none, if the entity has a response key path, if the response has a property of the entity
  ///   itself, or if the key is not read from attributes.
  package static func location(
    in response: JSONNode, of entity: SchemaEntity, _ schema: Schema
  ) -> Location? {
    guard entity.responseKeyPath == nil, entity.responseKeyedBy == nil, case .attributes = entity.key,
      response.kind == .object, !entity.paths(in: schema).contains(where: { $0.find(in: response) != nil })
    else { return nil }
    var searched = 1
    var level: [(path: [String], object: JSONNode)] = [([], response)]
    while !level.isEmpty {
      for (path, object) in level {
        for (name, value) in object.members where value.kind == .array {
          if let item = value[0], item.kind == .object, hasKey(item, of: entity) {
            return Location(path: MappingPath(keys: path + [name]), keyedBy: nil)
          }
        }
      }
      var next: [(path: [String], object: JSONNode)] = []
      for (path, object) in level {
        if let attribute = dictionaryAttribute(of: object, entity, schema) {
          return Location(path: MappingPath(keys: path), keyedBy: attribute)
        }
        let hasEmptyArray = object.members.contains { $0.value.kind == .array && $0.value.count == 0 }
        for (name, value) in object.members where value.kind == .object {
          if !hasEmptyArray, hasKey(value, of: entity) {
            return Location(path: MappingPath(keys: path + [name]), keyedBy: nil)
          }
          if searched < limit {
            next.append((path + [name], value))
            searched += 1
          }
        }
      }
      level = next
    }
    return nil
  }

  private static func hasKey(_ item: JSONNode, of entity: SchemaEntity) -> Bool {
    guard case .attributes(let positions) = entity.key else { return false }
    return positions.allSatisfy { position in
      entity.attributes[position].paths.contains { $0.find(in: item) != nil }
    }
  }

  /// Returns the attribute for the keys of an object that is a dictionary of items: all its members are items of the
  /// entity, under their key or a number. Returns nil for another object.
  ///
  /// - Complexity: linear in the number of members.
  package static func dictionaryAttribute(
    of object: JSONNode, _ entity: SchemaEntity, _ schema: Schema
  ) -> PropertyName? {
    guard case .attributes(let positions) = entity.key, positions.count == 1, object.kind == .object,
      object.count > 0
    else { return nil }
    let attribute = entity.attributes[positions[0]]
    let paths = entity.paths(in: schema)
    let areItems = object.members.allSatisfy { name, item in
      guard item.kind == .object else { return false }
      if !name.isEmpty, name.utf8.allSatisfy({ (0x30...0x39).contains($0) }) {
        return paths.contains { $0.find(in: item) != nil }
      }
      return attribute.paths.contains { path in
        if case .node(let key)? = path.find(in: item) { key.string == name } else { false }
      }
    }
    return areItems ? attribute.name : nil
  }
}
