import JSONTree

extension SchemaBuilder {
  // MARK: Keys

  mutating func resolveKeys() {
    for entity in schema.depthFirst {
      let names = declared[for: entity].primaryKey
      if let parent = schema.entities[entity].parent, names.isEmpty {
        schema.entities[entity].key = schema.entities[parent].key
        schema.entities[entity].keyScope = schema.entities[parent].keyScope
      } else {
        schema.entities[entity].keyScope = entity
        if !names.isEmpty { schema.entities[entity].key = key(of: entity, names) }
      }
      resolveKeyComputation(entity)
      resolveKeyPattern(entity)
    }
    reportKeyCycles()
  }

  private mutating func resolveKeyComputation(_ entity: EntityIndex) {
    guard let computation = keyComputations[for: entity] else { return }
    if case .attributes(let positions) = schema.entities[entity].key, positions.count == 1 {
      schema.entities[entity].keyComputation = computation
    } else if isKeyComputed(byOwn: entity) {
      report(
        "computed-key", at: path(entity, "primaryKey"),
        "the key of '\(declared[for: entity].name)' is computed, but is not a single attribute",
        advice: "name the attribute that stores the key")
    }
  }

  /// Sets the text around the keys of items. Rule: `identity.key-pattern`.
  private mutating func resolveKeyPattern(_ entity: EntityIndex) {
    guard let text = effective[for: entity].keyPattern else { return }
    let isDeclaredHere = declared[for: entity].keyPattern != nil
    let path = path(entity, "keyPattern")
    do throws(KeyTextPatternError) {
      let pattern = try KeyTextPattern(text)
      guard case .attributes(let positions) = schema.entities[entity].key, positions.count == 1 else {
        // A parent may leave its key to the sub-entities.
        let isForKinds = schema.entities[entity].key == .none && !schema.entities[entity].children.isEmpty
        if isDeclaredHere, !isForKinds {
          report(
            "key-pattern", at: path,
            "the key of '\(declared[for: entity].name)' is not a single attribute, so no text contains it",
            advice: "remove 'keyPattern', or write the attribute that is the key in 'primaryKey'")
        }
        return
      }
      let scope = schema.entities[entity].keyScope
      if isDeclaredHere, scope != entity {
        report(
          "key-pattern", at: path,
          "'\(declared[for: entity].name)' has the key of '\(declared[for: scope].name)', so it cannot have another 'keyPattern'",
          advice: "write all alternatives in '\(declared[for: scope].name)', separated by ' | '")
        return
      }
      schema.entities[entity].attributes[positions[0]].keyPattern = pattern
    } catch {
      if isDeclaredHere { report("key-pattern", at: path, error.message, advice: error.advice) }
    }
  }

  private mutating func key(of entity: EntityIndex, _ names: [PropertyName]) -> SchemaKey {
    let value = schema.entities[entity]
    var positions: [AttributeIndex] = []
    for (offset, name) in names.enumerated() {
      let path = names.count == 1 ? path(entity, "primaryKey") : path(entity, "primaryKey", String(offset))
      if let relationship = value.relationshipIndices[name] {
        if names.count > 1 {
          report(
            "relationship-in-composite-key", at: path,
            "'\(name)' is a relationship, and a key of several properties can only contain attributes",
            advice:
              "use the relationship as the whole key, or an attribute that stores the id, such as one with 'from: \"@parent.id\"'"
          )
        } else if schema.relationships[relationship].isToMany {
          report(
            "to-many-key", at: path,
            "'\(name)' is a to-many relationship, and only a to-one relationship can be a key")
        } else {
          if declaredInverse(of: relationship) == nil {
            warn(
              .keyWithoutInverse, at: path,
              "the key '\(name)' has no inverse, so stored records are not found and new ones are inserted each time",
              advice:
                "declare the inverse in '\(schema.entities[schema.relationships[relationship].destination].name)'"
            )
          }
          return .relationship(relationship)
        }
      } else if let position = value.attributeIndices[name] {
        if value.attributes[position].type == .transformable {
          report(
            "transformable-key", at: path,
            "'\(name)' is transformable, and transformable values cannot be keys")
        } else if positions.contains(position) {
          report("duplicate-key-property", at: path, "the key names '\(name)' twice")
        } else {
          positions.append(position)
        }
      } else if !skippedRelationships.contains(name, value.subtree) {
        problems.append(
          .unknownKeyProperty(
            offset, of: declared[for: entity],
            among: value.attributes.map(\.name.rawValue)
              + value.relationshipIndices.keys.map(\.rawValue).sorted(), &suggestions))
      }
    }
    return positions.count == names.count ? .attributes(positions) : .none
  }

  private func declaredInverse(of relationship: RelationshipIndex) -> RelationshipIndex? {
    schema.relationships[relationship].inverse
  }

  /// Reports cycles of entities that are keyed by each other. A parent must be found before the records that it
  /// identifies.
  private mutating func reportKeyCycles() {
    let scopes = schema.entities.map(\.keyScope)
    let cycles = Cycles.find(from: scopes) { scope -> EntityIndex? in
      guard case .relationship(let relationship) = schema.entities[scope].key else { return nil }
      return scopes[for: schema.relationships[relationship].destination]
    }
    for cycle in cycles {
      let names = cycle.map { "'\(schema.entities[$0].name)'" }.joined(separator: " by ")
      report(
        "key-cycle", at: path(cycle[0], "primaryKey"),
        "circular keys: \(names) by '\(schema.entities[cycle[0]].name)'",
        advice: "use an attribute as the key of one of them")
    }
  }

  // MARK: Response key paths, predicates and addresses

  mutating func resolveMappings() {
    addDetailAddresses()
    resolveIgnoredKeys()
    let hasKeyInTree = entitiesWithKeysInTree()
    // Their conditions choose among the entities of a list.
    let sideloaded = Set(declared.flatMap(\.sideloaded).flatMap(\.entities))
    for (entity, description) in zip(schema.entities.elementIndices, declared) {
      if let path = description.responseKeyPath {
        checkPaths([path], at: self.path(entity, "responseKeyPath"))
      }
      if let error = description.usedWhen?.syntaxError {
        report("predicate", at: path(entity, "usedWhen"), error.message, advice: error.advice)
      }
      if let error = description.deletedWhen?.syntaxError {
        report("predicate", at: path(entity, "deletedWhen"), error.message, advice: error.advice)
      }
      if description.deletedWhen != nil, !hasKeyInTree[for: entity] {
        warn(
          .deletedWhenWithoutKey, at: path(entity, "deletedWhen"),
          "'\(description.name)' has no key, so an item cannot identify the deleted record")
      }
      resolveOtherLists(description, entity)
      if description.usedWhen != nil, description.parent == nil, !sideloaded.contains(description.name) {
        warn(
          .usedWhenOfRoot, at: path(entity, "usedWhen"),
          "'\(description.name)' has no parent, so 'usedWhen' is never evaluated")
      }
      schema.entities[entity].responseKeyPath = effective[for: entity].responseKeyPath
      schema.entities[entity].merge = effective[for: entity].merge ?? .first
      schema.entities[entity].usedWhen = description.usedWhen
      schema.entities[entity].deletedWhen = effective[for: entity].deletedWhen
      schema.entities[entity].isRecordLevelCachingEnabled =
        effective[for: entity].isRecordLevelCachingEnabled ?? false
      if let text = description.detailURN { checkDetailAddress(text, of: entity) }
      if let name = effective[for: entity].responseKeyedBy {
        schema.entities[entity].responseKeyedBy = attribute(
          name, of: entity, at: path(entity, "responseKeyedBy"),
          isDeclaredHere: description.responseKeyedBy != nil)
      }
      if let name = effective[for: entity].modificationAttribute {
        schema.entities[entity].modificationAttribute = attribute(
          name, of: entity, at: path(entity, "modificationAttribute"),
          isDeclaredHere: description.modificationAttribute != nil)
      }
      resolveDictionaryAttribute(entity, isDeclaredHere: description.dictionaryAttribute != nil)
      for relationship in description.relationships {
        guard let name = relationship.keyedBy, relationship.isToMany,
          let index = schema.entities[entity].relationshipIndices[relationship.name]
        else { continue }
        schema.relationships[index].keyedBy = attribute(
          name, of: schema.relationships[index].destination,
          at: path(entity, "relationships", relationship.name.rawValue, "keyedBy"), isDeclaredHere: true)
      }
    }
  }

  /// Resolves the lists beside the items, and the effect of items without a key.
  private mutating func resolveOtherLists(_ description: EntityDescription, _ entity: EntityIndex) {
    if let path = description.deletedKeyPath {
      checkPaths([path], at: self.path(entity, "deletedKeyPath"))
    }
    checkNullValues(description.nullValues, at: path(entity, "nullValues"))
    for list in description.sideloaded {
      checkPaths([list.path], at: path(entity, "sideloaded"))
      checkEntities(of: list, at: path(entity, "sideloaded", list.path.description))
    }
    let indices = schema.indices
    schema.entities[entity].sideloaded = effective[for: entity].sideloaded.map { list in
      (list.path, list.entities.compactMap { indices[$0] })
    }
    schema.entities[entity].deletedKeyPath = effective[for: entity].deletedKeyPath
    schema.entities[entity].skipsItemsWithoutKey = effective[for: entity].withoutKey == .skip
  }

  /// Checks that the items of a list have entities, and that each of several can be chosen.
  private mutating func checkEntities(of list: SideloadedItems, at path: [String]) {
    if list.entities.isEmpty {
      report(
        "sideloaded", at: path, "no entity for the items of '\(list.path)'",
        advice: "write an entity, or a list of entities with 'usedWhen'")
    }
    for name in list.entities {
      guard let index = schema.indices[name] else {
        let names = declared.map(\.name.rawValue)
        report(
          "unknown-entity", at: path, "unknown entity '\(name)'",
          advice: suggestion(for: name.rawValue, among: names))
        continue
      }
      if list.entities.count > 1, declared[for: index].usedWhen == nil {
        report(
          "sideloaded", at: path,
          "no item of '\(list.path)' can become a '\(name)', because '\(name)' has no 'usedWhen'",
          advice: "write the condition of its items, such as 'usedWhen: type == \"\(name)\"'")
      }
    }
  }

  private mutating func addDetailAddresses() {
    for entity in schema.depthFirst {
      if let text = declared[for: entity].detailURN {
        schema.entities[entity].detailAddress = DetailAddress(text)
      } else if let parent = schema.entities[entity].parent {
        schema.entities[entity].detailAddress = schema.entities[parent].detailAddress
      }
    }
  }

  /// Returns, for each entity, whether it or one of its sub-entities has a key.
  private func entitiesWithKeysInTree() -> [Bool] {
    var hasKey = schema.entities.map { $0.key != .none }
    for entity in schema.depthFirst.reversed() where hasKey[for: entity] {
      if let parent = schema.entities[entity].parent { hasKey[for: parent] = true }
    }
    return hasKey
  }

  /// Resolves the attribute that stores the dictionary of an item. It has no paths, because it is not looked up in
  /// items. Rule: `dynamic.store`.
  private mutating func resolveDictionaryAttribute(_ entity: EntityIndex, isDeclaredHere: Bool) {
    guard let name = effective[for: entity].dictionaryAttribute,
      let position = attribute(
        name, of: entity, at: path(entity, "dictionaryAttribute"), isDeclaredHere: isDeclaredHere)
    else { return }
    let attribute = schema.entities[entity].attributes[position]
    guard attribute.type == .transformable, attribute.transformer == nil else {
      if isDeclaredHere {
        report(
          "dictionary-attribute", at: path(entity, "dictionaryAttribute"),
          "'\(name)' is \(attribute.type == .transformable ? "made by a transformer" : attribute.type.rawValue), and only a transformable attribute without a transformer can store a dictionary"
        )
      }
      return
    }
    schema.entities[entity].dictionaryAttribute = position
    schema.entities[entity].attributes[position].paths = []
  }

  private mutating func checkDetailAddress(_ text: String, of entity: EntityIndex) {
    let path = path(entity, "detailURN")
    guard let address = DetailAddress(text) else {
      return report(
        "detail-urn", at: path, "'\(text)' is not the address of a detail request",
        advice: "write an address like 'posts/{id}', with the name of an attribute in the braces")
    }
    for case .keyPath(let names) in address.parts { checkDetailKeyPath(names, of: entity, at: path) }
  }

  private mutating func checkDetailKeyPath(_ names: [PropertyName], of entity: EntityIndex, at path: [String])
  {
    var current = entity
    for name in names.dropLast() {
      guard let index = schema.entities[current].relationshipIndices[name],
        !schema.relationships[index].isToMany
      else {
        let relationships = schema.entities[current].relationships.map { schema.relationships[$0] }
        return report(
          "unknown-relationship", at: path,
          "'\(schema.entities[current].name)' has no to-one relationship '\(name)'",
          advice: suggestion(
            for: name.rawValue, among: relationships.filter { !$0.isToMany }.map(\.name.rawValue)))
      }
      current = schema.relationships[index].destination
    }
    if let last = names.last { _ = attribute(last, of: current, at: path, isDeclaredHere: true) }
  }

  private mutating func attribute(
    _ name: PropertyName, of entity: EntityIndex, at path: [String], isDeclaredHere: Bool
  ) -> AttributeIndex? {
    if let position = schema.entities[entity].attributeIndices[name] { return position }
    guard isDeclaredHere else { return nil }
    let attributes = schema.entities[entity].attributes
    report(
      "unknown-attribute", at: path, "'\(schema.entities[entity].name)' has no attribute '\(name)'",
      advice: suggestion(for: name.rawValue, among: attributes.map(\.name.rawValue)))
    return nil
  }
}
