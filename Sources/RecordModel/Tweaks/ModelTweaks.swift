package import JSONTree

/// What a file says otherwise than the model about how responses are read. Rules: `tweaks.*`.
package struct ModelTweaks: Hashable, Sendable {
  /// In the order of the file.
  package var entities: [EntityTweak] = []

  package init() {}
}

/// What is said of one entity; nil where the model's word counts.
package struct EntityTweak: Hashable, Sendable {
  package var name: EntityName
  /// Empty: no key of its own.
  package var primaryKey: [PropertyName]?
  package var responseKeyPath: ResponseKeyPath?
  package var properties: [PropertyTweak] = []

  package enum ResponseKeyPath: Hashable, Sendable {
    /// None of its own.
    case absent
    case path(MappingPath)
  }
}

/// Where items have a property.
/// Rule: `tweaks.property`.
package struct PropertyTweak: Hashable, Sendable {
  package var name: PropertyName
  package var paths: [MappingPath]
  /// Whether the paths stand in place of the model's, or else in front of them.
  package var isInstead: Bool
}

/// One thing that is wrong with tweaks.
package struct TweakProblem: Error, Hashable, Sendable {
  /// Where it is in the file.
  package var pointer: JSONPointer
  /// Whether it is about the key there, not the value.
  package var isAboutKey: Bool
  /// What is wrong, in one sentence without the place.
  package var message: String
  /// The way out, if there is one to name.
  package var advice: String?
}

/// Everything that is wrong with tweaks, found in one go.
package struct TweakProblems: Error, Hashable, Sendable {
  package let problems: [TweakProblem]
}

// MARK: - Applying

extension ManagedObjectModel {
  /// The schema as it would be if the model said what the tweaks say. Rows are laid out as in the model's own.
  ///
  /// - Throws: what the model does not allow, such as a key that it does not have.
  /// - Complexity: linear in the model.
  package func schema(with tweaks: ModelTweaks) throws(TweakProblems) -> Schema {
    var tweaked = entities
    for tweak in tweaks.entities {
      guard let index = tweaked.firstIndex(where: { $0.name == tweak.name }) else { continue }
      tweaked[index].apply(tweak)
    }
    var builder = SchemaBuilder(
      entities: tweaked, dateFormat: dateFormat, nulls: nulls, representations: representations)
    do {
      var schema = try builder.build()
      schema.noteKeys(unlike: self.schema)
      return schema
    } catch {
      throw TweakProblems(
        problems: error.problems.filter { $0.severity == .error }.map { problem in
          // `/entities/Post/primaryKey` is `/Post/primaryKey` in the file.
          TweakProblem(
            pointer: JSONPointer(tokens: Array(problem.path.tokens.dropFirst())), isAboutKey: false,
            message: problem.message, advice: problem.advice)
        })
    }
  }
}

extension EntityDescription {
  /// Replaces the declarations that a tweak names. Rules: `tweaks.key`, `tweaks.response-key-path`.
  fileprivate mutating func apply(_ tweak: EntityTweak) {
    if let key = tweak.primaryKey { primaryKey = key }
    switch tweak.responseKeyPath {
    case .absent?: responseKeyPath = nil
    case .path(let path)?: responseKeyPath = path
    case nil: break
    }
    for property in tweak.properties {
      if let index = attributes.firstIndex(where: { $0.name == property.name }) {
        (attributes[index].from, attributes[index].usesOwnName) = property.applied(
          to: attributes[index].from, attributes[index].usesOwnName)
      } else if let index = relationships.firstIndex(where: { $0.name == property.name }) {
        (relationships[index].from, relationships[index].usesOwnName) = property.applied(
          to: relationships[index].from, relationships[index].usesOwnName)
      }
    }
  }
}

extension PropertyTweak {
  fileprivate func applied(
    to from: [MappingPath], _ usesOwnName: Bool
  ) -> (from: [MappingPath], usesOwnName: Bool) {
    isInstead ? (paths, false) : (paths + from, usesOwnName)
  }
}

extension Schema {
  /// Notes the scopes in which another attribute is the key, or another entity's records count, than in the schema that a
  /// store was made with.
  fileprivate mutating func noteKeys(unlike stored: Schema) {
    for (entity, other) in zip(entities, stored.entities) {
      if entity.key != other.key { tweakedKeyScopes.insert(entity.index) }
      if entity.keyScope != other.keyScope { tweakedKeyScopes.formUnion([entity.keyScope, other.keyScope]) }
    }
  }
}
