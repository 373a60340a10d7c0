internal import JSONTree
package import RecordModel

/// The search for the items of a response that wraps them, such as `{"data": [{"id": 1}]}`, although the entity has no
/// response key path.
package enum WrappedItems {
  /// The maximum number of objects that are searched.
  private static let limit = 100

  /// Returns the response key path that leads to the items of an entity: to the first array of objects, or object, with
  /// the primary key of the entity. A higher level comes first, and at each level the arrays.
  ///
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
    var objects: [(path: [String], node: JSONNode)] = [([], response)]
    var next = 0
    while next < objects.count {
      let (path, object) = objects[next]
      next += 1
      for (name, value) in object.members where value.kind == .array {
        if let item = value[0], item.kind == .object, hasKey(item) { return MappingPath(keys: path + [name]) }
      }
      for (name, value) in object.members where value.kind == .object {
        if hasKey(value) { return MappingPath(keys: path + [name]) }
        if objects.count < limit { objects.append((path + [name], value)) }
      }
    }
    return nil
  }
}
