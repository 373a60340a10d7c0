package import JSONTree

/// Changes to the mapping of a model, read from a file. Rules: `tweaks.*`.
package struct ModelTweaks: Hashable, Sendable {
  /// The tweaks of entities, in the order of the file.
  package var entities: [EntityTweak] = []

  package init() {}
}

/// Changes to an entity. A nil property leaves the declaration of the model unchanged.
package struct EntityTweak: Hashable, Sendable {
  package var name: EntityName
  /// The new key; empty for no key of its own.
  package var primaryKey: [PropertyName]?
  package var responseKeyPath: ResponseKeyPath?
  package var properties: [PropertyTweak] = []

  package enum ResponseKeyPath: Hashable, Sendable {
    /// The entity has no response key path of its own.
    case absent
    case path(MappingPath)
  }
}

/// Changes to the paths of a property. Rule: `tweaks.property`.
package struct PropertyTweak: Hashable, Sendable {
  package var name: PropertyName
  package var paths: [MappingPath]
  /// A Boolean value that indicates whether the paths replace those of the model. Otherwise they are tried before those
  /// of the model.
  package var isInstead: Bool
}

/// A problem of a file of tweaks.
package struct TweakProblem: Error, Hashable, Sendable {
  /// The location in the file.
  package var pointer: JSONPointer
  /// A Boolean value that indicates whether the problem is about the key at the location, and not about the value.
  package var isAboutKey: Bool
  /// One sentence without the location.
  package var message: String
  /// The correction to suggest, if there is one.
  package var advice: String?
}

/// All problems of a file of tweaks.
package struct TweakProblems: Error, Hashable, Sendable {
  package let problems: [TweakProblem]
}

// MARK: - Applying

extension ManagedObjectModel {
  /// Returns the schema of the model with the tweaks applied. The layout of rows is that of the model.
  ///
  /// - Throws: the problems of the changed model, for example a key with an unknown property.
  /// - Complexity: linear in the size of the model for each tweaked entity.
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
          // `/entities/Post/primaryKey` in the model is `/Post/primaryKey` in the file.
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
  /// Adds the scopes whose key differs from the schema that a store was created with, or whose records differ.
  fileprivate mutating func noteKeys(unlike stored: Schema) {
    for (entity, other) in zip(entities, stored.entities) {
      if entity.key != other.key { tweakedKeyScopes.insert(entity.index) }
      if entity.keyScope != other.keyScope { tweakedKeyScopes.formUnion([entity.keyScope, other.keyScope]) }
    }
  }
}
