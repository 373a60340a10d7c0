import JSONTree

extension SchemaBuilder {
  // MARK: Attributes

  mutating func addAttributes() {
    if let modelDateFormat { checkDateFormat(modelDateFormat, at: ["dateFormat"]) }
    for entity in entitiesTopDown {
      if let format = declared[entity].dateFormat { checkDateFormat(format, at: path(entity, "dateFormat")) }
      if let parent = schema.entities[entity].parent {
        for inherited in schema.entities[parent].attributes {
          let declaration = declaration(of: inherited.name, inheritedBy: entity)
          append(
            resolved(
              declaration ?? AttributeDescription(inherited.name, inherited.type), inherited.column, entity),
            to: entity)
        }
      }
      for attribute in declared[entity].attributes {
        let path = path(entity, "attributes", attribute.name.rawValue)
        checkName(attribute.name.rawValue, of: "an attribute", at: path)
        guard checkIsNew(attribute.name, in: entity, at: path) else { continue }
        check(attribute, at: path)
        let tree = schema.entities[entity].tree
        let column = schema.trees[tree].columnCount
        schema.trees[tree].columnCount += 1
        append(resolved(attribute, column, entity), to: entity)
      }
    }
  }

  private mutating func append(_ attribute: SchemaAttribute, to entity: Int) {
    schema.entities[entity].attributePositions[attribute.name] = schema.entities[entity].attributes.count
    schema.entities[entity].attributes.append(attribute)
  }

  private func declaration(of name: PropertyName, inheritedBy entity: Int) -> AttributeDescription? {
    for ancestor in lineages[entity].dropFirst() {
      if let found = declared[ancestor].attributes.first(where: { $0.name == name }) { return found }
    }
    return nil
  }

  /// The attribute as `entity` has it: an inherited one may be read with the sub-entity's own date format.
  private func resolved(_ attribute: AttributeDescription, _ column: Int, _ entity: Int) -> SchemaAttribute {
    let format = attribute.format ?? nearest(entity, \.dateFormat) ?? modelDateFormat
    return SchemaAttribute(
      name: attribute.name, type: attribute.type, column: column,
      paths: attribute.mappingPaths,
      dateFormat: attribute.type == .date ? format.flatMap { dateFormats[$0] ?? nil } : nil,
      defaultValue: attribute.defaultValue.flatMap { try? AttributeValue(literal: $0, type: attribute.type) },
      isOptional: attribute.isOptional, null: attribute.null ?? nearest(entity, \.null) ?? modelNulls,
      transformer: attribute.transformer, renamingIdentifier: attribute.renamingIdentifier)
  }

  private mutating func check(_ attribute: AttributeDescription, at path: [String]) {
    checkPaths(attribute.from, at: path + ["from"])
    if let format = attribute.format {
      if attribute.type == .date {
        checkDateFormat(format, at: path + ["format"])
      } else {
        report(
          "format-of-no-date", at: path + ["format"],
          "'\(attribute.name)' is \(attribute.type.rawValue), and only dates have a format",
          advice: "make its type 'date', or remove the format")
      }
    }
    if attribute.transformer != nil, attribute.type != .transformable {
      report(
        "transformer-of-no-transformable", at: path + ["transformer"],
        "'\(attribute.name)' is \(attribute.type.rawValue), and only transformable attributes have a transformer",
        advice: "make its type 'transformable', or remove the transformer")
    }
    if let literal = attribute.defaultValue {
      do {
        _ = try AttributeValue(literal: literal, type: attribute.type)
      } catch {
        report("default-value", at: path + ["default"], error.message, advice: error.advice)
      }
    }
  }

  private mutating func checkDateFormat(_ text: String, at path: [String]) {
    guard dateFormats[text] == nil else {
      if case .some(.none) = dateFormats[text] {
        report("date-format", at: path, "'\(text)' is no date format, as said above")
      }
      return
    }
    do {
      dateFormats[text] = .some(try DateFormat(text))
    } catch {
      dateFormats[text] = .some(nil)
      report("date-format", at: path, error.message, advice: error.advice)
    }
  }

  mutating func checkPaths(_ paths: [MappingPath], at path: [String]) {
    for (position, mappingPath) in paths.enumerated() {
      guard let error = mappingPath.syntaxError else { continue }
      report(
        "mapping-path", at: paths.count == 1 ? path : path + [String(position)], error.message,
        advice: error.advice)
    }
  }

  /// A name stands for one property of an entity, whether attribute or relationship, its own or inherited.
  private mutating func checkIsNew(_ name: PropertyName, in entity: Int, at path: [String]) -> Bool {
    let entityValue = schema.entities[entity]
    guard entityValue.attributePositions[name] != nil || entityValue.relationshipIndices[name] != nil else {
      return true
    }
    let owner = lineages[entity].dropFirst().first { ancestor in
      declared[ancestor].attributes.contains { $0.name == name }
        || declared[ancestor].relationships.contains { $0.name == name }
    }
    if let owner {
      report(
        "duplicate-property", at: path,
        "'\(declared[entity].name)' inherits '\(name)' from '\(declared[owner].name)' already",
        advice: "remove it here: a sub-entity has its ancestors' properties")
    } else {
      report("duplicate-property", at: path, "'\(declared[entity].name)' has a property '\(name)' already")
    }
    return false
  }

  // MARK: Relationships

  mutating func addRelationships() {
    let names = declared.map(\.name)
    for entity in entitiesTopDown {
      if let parent = schema.entities[entity].parent {
        schema.entities[entity].relationships = schema.entities[parent].relationships
        schema.entities[entity].relationshipIndices = schema.entities[parent].relationshipIndices
      }
      for relationship in declared[entity].relationships {
        let path = path(entity, "relationships", relationship.name.rawValue)
        checkName(relationship.name.rawValue, of: "a relationship", at: path)
        guard checkIsNew(relationship.name, in: entity, at: path) else { continue }
        check(relationship, at: path)
        guard let destination = schema.indices[relationship.destination] else {
          problems.append(
            .unknownDestination(of: relationship, in: declared[entity].name, among: names))
          skippedRelationships.insert(RelationshipName(entity: entity, name: relationship.name))
          continue
        }
        add(relationship, destination, to: entity)
      }
    }
  }

  private mutating func add(_ relationship: RelationshipDescription, _ destination: Int, to entity: Int) {
    let tree = schema.entities[entity].tree
    let index = schema.relationships.count
    schema.relationships.append(
      SchemaRelationship(
        index: index, entity: entity, name: relationship.name, destination: destination,
        isToMany: relationship.isToMany, slot: relationship.isToMany ? nil : schema.trees[tree].toOnes.count,
        isOrdered: relationship.isOrdered, isOptional: relationship.isOptional,
        minCount: relationship.minCount, maxCount: relationship.maxCount, deleteRule: relationship.deleteRule,
        paths: relationship.mappingPaths,
        null: relationship.null ?? nearest(entity, \.null) ?? modelNulls, assignment: relationship.assignment,
        stubs: relationship.stubs, renamingIdentifier: relationship.renamingIdentifier))
    if !relationship.isToMany { schema.trees[tree].toOnes.append(index) }
    schema.entities[entity].relationships.append(index)
    schema.entities[entity].relationshipIndices[relationship.name] = index
  }

  private mutating func check(_ relationship: RelationshipDescription, at path: [String]) {
    checkPaths(relationship.from, at: path + ["from"])
    if relationship.isToMany {
      if relationship.null != nil {
        report(
          "null-of-to-many", at: path + ["null"],
          "a null for the to-many '\(relationship.name)' is an empty list",
          advice: "remove 'null'; 'assignment: replace' makes an empty list clear it")
      }
      for (key, count) in [("minCount", relationship.minCount), ("maxCount", relationship.maxCount)]
      where count < 0 {
        report("count", at: path + [key], "'\(key)' is \(count), and counts are 0 or more")
      }
      if relationship.maxCount > 0, relationship.minCount > relationship.maxCount {
        report(
          "count", at: path + ["minCount"],
          "'minCount' is \(relationship.minCount), more than 'maxCount', which is \(relationship.maxCount)")
      }
      return
    }
    let onlyForToMany: [(key: String, isDeclared: Bool)] = [
      ("ordered", relationship.isOrdered), ("assignment", relationship.assignment != .union),
      ("keyedBy", relationship.keyedBy != nil), ("minCount", relationship.minCount > 1),
      ("maxCount", relationship.maxCount > 1),
    ]
    for (key, _) in onlyForToMany.filter(\.isDeclared) {
      report(
        "only-for-to-many", at: path + [key],
        "'\(key)' is for to-many relationships, and '\(relationship.name)' is to-one",
        advice: "write 'toMany: \(relationship.destination)', or remove it")
    }
  }

  mutating func resolveInverses() {
    for relationship in schema.relationships {
      let index = relationship.index
      let description = declared[relationship.entity].relationships.first { $0.name == relationship.name }
      let destination = schema.entities[relationship.destination]
      guard let name = description?.inverse else {
        let claims = schema.relationships.contains {
          $0.destination == relationship.entity && inverseName(of: $0) == relationship.name
            && $0.entity == relationship.destination
        }
        if !claims {
          warn(
            "no-inverse", at: path(relationship),
            "'\(relationship.name)' has no inverse, so the other side will not know of it",
            advice: "declare a relationship in '\(destination.name)' and name it as 'inverse'")
        }
        continue
      }
      guard let inverse = destination.relationshipIndices[name] else {
        guard !isSkipped(name, in: relationship.destination) else { continue }
        let isAttribute = destination.attributePositions[name] != nil
        report(
          "unknown-inverse", at: path(relationship, "inverse"),
          isAttribute
            ? "'\(name)' is an attribute of '\(destination.name)', and an inverse is a relationship"
            : "'\(destination.name)' has no relationship '\(name)'",
          advice: isAttribute
            ? nil
            : suggestion(
              for: name.rawValue,
              among: destination.relationships.map { schema.relationships[$0].name.rawValue }))
        continue
      }
      let other = schema.relationships[inverse]
      guard schema.isKind(relationship.entity, of: other.destination) else {
        report(
          "inverse-mismatch", at: path(relationship, "inverse"),
          "'\(destination.name).\(name)' leads to '\(schema.entities[other.destination].name)', not to '\(declared[relationship.entity].name)'"
        )
        continue
      }
      guard inverseName(of: other) == relationship.name, declaresBackReference(other, to: index) else {
        // An inverse that does not exist is reported where it is named.
        if let named = inverseName(of: other),
          schema.entities[other.destination].relationshipIndices[named] == nil
        {
          continue
        }
        let back = inverseName(of: other).map { "its inverse is '\($0)'" } ?? "it names no inverse"
        report(
          "inverse-mismatch", at: path(relationship, "inverse"),
          "'\(destination.name).\(name)' does not point back: \(back)",
          advice: "write 'inverse: \(relationship.name)' there")
        continue
      }
      schema.relationships[index].inverse = inverse
      schema.relationships[index].isInverseToOne = !other.isToMany
    }
  }

  private func inverseName(of relationship: SchemaRelationship) -> PropertyName? {
    declared[relationship.entity].relationships.first { $0.name == relationship.name }?.inverse
  }

  /// Whether the inverse that `other` names is the relationship itself and not a namesake elsewhere in the tree.
  private func declaresBackReference(_ other: SchemaRelationship, to index: Int) -> Bool {
    schema.entities[other.destination].relationshipIndices[schema.relationships[index].name] == index
  }

  private func isSkipped(_ name: PropertyName, in entity: Int) -> Bool {
    lineages[entity].contains { skippedRelationships.contains(RelationshipName(entity: $0, name: name)) }
  }
}

/// A relationship that a pass has reported, so that later ones do not report what follows from it.
struct RelationshipName: Hashable {
  var entity: Int
  var name: PropertyName
}

extension AttributeDescription {
  /// Where items have it, in the order in which to ask.
  public var mappingPaths: [MappingPath] { from + (usesOwnName ? [MappingPath(keys: [name.rawValue])] : []) }
}

extension RelationshipDescription {
  /// Where items have it, in the order in which to ask.
  public var mappingPaths: [MappingPath] { from + (usesOwnName ? [MappingPath(keys: [name.rawValue])] : []) }
}
