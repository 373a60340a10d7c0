internal import JSONTree
package import RecordModel

/// The search for the items of a response that wraps them, such as `{"data": [{"id": 1}]}`, although the entity has no
/// response key path.
package enum WrappedItems {
  /// The maximum number of objects that are searched.
  private static let limit = 100

  /// Returns the response key path that leads to the items of an entity: to the first object, or array of objects, with
  /// the primary key of the entity. Objects at a higher level come first.
  ///
  /// - Returns: nil if there is none, if the response has the key itself, or if the key is not read from attributes.
  package static func path(in response: JSONNode, of entity: SchemaEntity) -> MappingPath? {
    guard case .attributes(let positions) = entity.key, response.kind == .object else { return nil }
    let key = positions.map { entity.attributes[$0].paths }
    func hasKey(_ item: JSONNode) -> Bool {
      key.allSatisfy { paths in paths.contains { $0.find(in: item) != nil } }
    }
    if hasKey(response) { return nil }
    var objects: [(path: [String], node: JSONNode)] = [([], response)]
    var next = 0
    while next < objects.count {
      let (path, object) = objects[next]
      next += 1
      for (name, value) in object.members {
        guard let item = value.kind == .array ? value[0] : value, item.kind == .object else { continue }
        if hasKey(item) { return MappingPath(keys: path + [name]) }
        if value.kind == .object, objects.count < limit { objects.append((path + [name], value)) }
      }
    }
    return nil
  }
}
