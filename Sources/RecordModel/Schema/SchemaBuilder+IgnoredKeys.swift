import JSONTree

/// Ignored keys. Rule: `diagnostics.drift-ignored`.
extension SchemaBuilder {
  /// A property whose path has the text of an ignored key.
  private struct MappedKey {
    let entity: EntityIndex
    let property: PropertyName
  }

  /// Resolves the patterns of ignored keys, and warns of those that name a key that the entity reads.
  mutating func resolveIgnoredKeys() {
    /// For each key, the properties of the current entity and its ancestors that read it. Ancestors come first.
    var mapped: [ScalarString: [MappedKey]] = [:]
    for entity in schema.depthFirst {
      let description = declared[for: entity]
      schema.entities[entity].ignores = description.ignores.map(KeyPattern.init)
      let properties =
        description.attributes.map {
          ($0.name, paths(of: $0.mappingPaths, usesOwnName: $0.usesOwnName, entity))
        }
        + description.relationships.map {
          ($0.name, paths(of: $0.mappingPaths, usesOwnName: $0.usesOwnName, entity))
        }
      for (name, paths) in properties {
        for path in paths {
          mapped[ScalarString(path.keyText), default: []].append(MappedKey(entity: entity, property: name))
        }
      }
      for (position, text) in description.ignores.enumerated() {
        let path = path(entity, "ignores", String(position))
        let key = ScalarString(text)
        // In depth-first order, entities that are not ancestors have no further sub-entities.
        while let last = mapped[key]?.last, !schema.isKind(entity, of: last.entity) {
          mapped[key]?.removeLast()
        }
        if text.allSatisfy(\.isWhitespace) {
          report(
            "empty-ignored-key", at: path, "the ignored key is empty",
            advice: "write a key, or a pattern such as '*_url'")
        } else if let reader = mapped[key]?.last {
          warn(
            .ignoredMappedKey, at: path,
            "'\(reader.property)' reads the key '\(text)', so it is never ignored",
            advice: "remove it from 'ignores', or remove the property")
        }
      }
    }
  }
}
