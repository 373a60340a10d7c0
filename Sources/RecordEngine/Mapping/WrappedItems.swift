internal import JSONTree
package import RecordModel

/// The search for the items of a response that wraps them, such as `{"data": [{"id": 1}]}`, although the entity has no
/// response key path.
package enum WrappedItems {
  /// The maximum number of objects that are searched.
  private static let limit = 100

  /// Returns the response key path that leads to the items of an entity: to the first array of objects, or object, with
  /// the primary key of the entity. A higher level comes first, and at each level the arrays. An object beside an empty
  /// array is not proposed, because the array may be that of the items.
  ///
  /// - Complexity: linear in the number of members of the searched objects, at most 100.
  /// - Returns: nil if there is none, if the entity has a response key path, if the response has a property of the entity
  ///   itself, or if the key is not read from attributes.
  package static func path(
    in response: JSONNode, of entity: SchemaEntity, _ schema: Schema
  ) -> MappingPath? {
    guard entity.responseKeyPath == nil, case .attributes(let positions) = entity.key,
      response.kind == .object, !entity.paths(in: schema).contains(where: { $0.find(in: response) != nil })
    else { return nil }
    let key = positions.map { entity.attributes[$0].paths }
    func hasKey(_ item: JSONNode) -> Bool {
      key.allSatisfy { paths in paths.contains { $0.find(in: item) != nil } }
    }
    var searched = 1
    var level: [(path: [String], object: JSONNode)] = [([], response)]
    while !level.isEmpty {
      for (path, object) in level {
        for (name, value) in object.members where value.kind == .array {
          if let item = value[0], item.kind == .object, hasKey(item) {
            return MappingPath(keys: path + [name])
          }
        }
      }
      var next: [(path: [String], object: JSONNode)] = []
      for (path, object) in level {
        let hasEmptyArray = object.members.contains { $0.value.kind == .array && $0.value.count == 0 }
        for (name, value) in object.members where value.kind == .object {
          if !hasEmptyArray, hasKey(value) { return MappingPath(keys: path + [name]) }
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
}
