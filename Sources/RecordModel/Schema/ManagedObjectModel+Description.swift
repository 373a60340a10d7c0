extension ManagedObjectModel: CustomStringConvertible, CustomReflectable {
  /// One line for each entity: `Post (id) {id int64, text string?, author → User?, tags → [Tag]}`. Properties in
  /// parentheses are the primary key, and a question mark means that the property is optional.
  public var description: String { entities.map(\.summary).joined(separator: "\n") }

  /// The entities by name.
  public var customMirror: Mirror {
    Mirror(
      self, children: entities.map { (label: $0.name.rawValue, value: $0) }, displayStyle: .struct)
  }
}

extension EntityDescription {
  fileprivate var summary: String {
    let key = primaryKey.isEmpty ? "" : " (\(primaryKey.map(\.rawValue).joined(separator: ", ")))"
    let attributes = attributes.map { "\($0.name) \($0.type)\($0.isOptional ? "?" : "")" }
    let relationships = relationships.map { relationship in
      let end = relationship.isToMany ? "[\(relationship.destination)]" : "\(relationship.destination)"
      return "\(relationship.name) → \(end)\(relationship.isOptional && !relationship.isToMany ? "?" : "")"
    }
    let properties = (attributes + relationships).joined(separator: ", ")
    return "\(isAbstract ? "abstract " : "")\(name)\(parent.map { ": \($0)" } ?? "")\(key)"
      + (properties.isEmpty ? "" : " {\(properties)}")
  }
}
