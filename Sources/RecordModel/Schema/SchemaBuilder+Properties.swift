import JSONTree

extension SchemaBuilder {
  // MARK: Attributes

  mutating func addAttributes() {
    if let modelDateFormat { checkDateFormat(modelDateFormat, at: ["dateFormat"]) }
    /// The declared attributes by tree and column.
    var declarations = Array(repeating: [AttributeDescription](), count: schema.trees.count)
    for entity in schema.depthFirst {
      if let format = declared[for: entity].dateFormat {
        checkDateFormat(format, at: path(entity, "dateFormat"))
      }
      let tree = schema.entities[entity].tree
      inheritAttributes(of: entity, declarations[for: tree])
      for attribute in declared[for: entity].attributes {
        let path = path(entity, "attributes", attribute.name.rawValue)
        checkName(attribute.name.rawValue, of: "an attribute", at: path)
        guard checkIsNew(attribute.name, in: entity, at: path) else { continue }
        check(attribute, at: path)
        let value = resolved(attribute, ColumnIndex(schema.trees[tree].columnCount), entity)
        schema.trees[tree].columnCount += 1
        declarations[for: tree].append(attribute)
        schema.entities[entity].attributeIndices[attribute.name] =
          schema.entities[entity].attributes.nextIndex
        schema.entities[entity].attributes.append(value)
      }
    }
  }

  /// Copies the attributes of the parent. They are resolved again if the sub-entity declares a date format or null
  /// policy of its own. Rule: `mapping.inheritance`.
  private mutating func inheritAttributes(of entity: EntityIndex, _ declarations: [AttributeDescription]) {
    guard let parent = schema.entities[entity].parent.map({ schema.entities[$0] }) else { return }
    schema.entities[entity].attributes = parent.attributes
    schema.entities[entity].attributeIndices = parent.attributeIndices
    let description = declared[for: entity]
    guard
      description.dateFormat != nil || description.null != nil || description.names != nil
        || description.nullValues != nil
    else { return }
    schema.entities[entity].attributes = parent.attributes.map {
      resolved(declarations[for: $0.column], $0.column, entity)
    }
  }

  /// Returns the attribute of `entity`, which may be inherited and read with the sub-entity's own date format.
  private func resolved(_ attribute: AttributeDescription, _ column: ColumnIndex, _ entity: EntityIndex)
    -> SchemaAttribute
  {
    let format = attribute.format ?? effective[for: entity].dateFormat ?? modelDateFormat
    return SchemaAttribute(
      name: attribute.name, type: attribute.type, column: column,
      paths: paths(of: attribute.mappingPaths, usesOwnName: attribute.usesOwnName, entity),
      dateFormat: attribute.type == .date ? format.flatMap { dateFormats[$0] ?? nil } : nil,
      defaultValue: attribute.defaultValue.flatMap { try? AttributeValue(literal: $0, type: attribute.type) },
      isOptional: attribute.isOptional, null: attribute.null ?? effective[for: entity].null ?? modelNulls,
      nullValues: attribute.nullValues ?? effective[for: entity].nullValues ?? [],
      transformer: attribute.transformer, renamingIdentifier: attribute.renamingIdentifier)
  }

  /// Returns the paths of a property, the last of which is its name in the convention of the entity.
  func paths(of paths: [MappingPath], usesOwnName: Bool, _ entity: EntityIndex) -> [MappingPath] {
    guard usesOwnName, let convention = effective[for: entity].names, let name = paths.last?.singleKey else {
      return paths
    }
    return paths.dropLast() + [MappingPath(keys: [convention.key(for: name)])]
  }

  mutating func checkNullValues(_ values: [JSONValue]?, at path: [String]) {
    for value in values ?? [] {
      let isEmpty =
        switch value {
        case .array(let elements): elements.isEmpty
        case .object(let members): members.isEmpty
        default: true
        }
      if !isEmpty {
        report(
          "null-values", at: path, "\(value.compactText()) cannot mean null",
          advice: "write strings, numbers, Booleans, [] or {}")
      }
    }
  }

  private mutating func check(_ attribute: AttributeDescription, at path: [String]) {
    checkNullValues(attribute.nullValues, at: path + ["nullValues"])
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
        report("date-format", at: path, "'\(text)' is not a date format, see above")
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

  /// Checks that no attribute or relationship of the entity, declared or inherited, has the name. Returns false after
  /// reporting a problem.
  private mutating func checkIsNew(_ name: PropertyName, in entity: EntityIndex, at path: [String]) -> Bool {
    guard
      schema.entities[entity].attributeIndices[name] != nil
        || schema.entities[entity].relationshipIndices[name] != nil
    else { return true }
    if let owner = redeclared[DeclaredName(entity: entity, name: name)] {
      report(
        "duplicate-property", at: path,
        "'\(declared[for: entity].name)' already inherits '\(name)' from '\(declared[for: owner].name)'",
        advice: "remove it here; a sub-entity has the properties of its ancestors")
    } else {
      report(
        "duplicate-property", at: path, "duplicate property '\(name)' in '\(declared[for: entity].name)'")
    }
    return false
  }

  // MARK: Relationships

  mutating func addRelationships() {
    let names = declared.map(\.name)
    for entity in schema.depthFirst {
      if let parent = schema.entities[entity].parent {
        schema.entities[entity].relationships = schema.entities[parent].relationships
        schema.entities[entity].relationshipIndices = schema.entities[parent].relationshipIndices
      }
      for relationship in declared[for: entity].relationships {
        let path = path(entity, "relationships", relationship.name.rawValue)
        checkName(relationship.name.rawValue, of: "a relationship", at: path)
        guard checkIsNew(relationship.name, in: entity, at: path) else { continue }
        check(relationship, inheriting: effective[for: entity].null, at: path)
        guard let destination = schema.indices[relationship.destination] else {
          problems.append(
            .unknownDestination(of: relationship, in: declared[for: entity].name, among: names, &suggestions))
          skippedRelationships.insert(relationship.name, schema.entities[entity].subtree)
          continue
        }
        add(relationship, destination, to: entity)
      }
    }
  }

  private mutating func add(
    _ relationship: RelationshipDescription, _ destination: EntityIndex, to entity: EntityIndex
  ) {
    let tree = schema.entities[entity].tree
    let index = schema.relationships.nextIndex
    schema.relationships.append(
      SchemaRelationship(
        index: index, entity: entity, name: relationship.name, destination: destination,
        isToMany: relationship.isToMany,
        slot: relationship.isToMany ? nil : SlotIndex(schema.trees[tree].toOnes.count),
        isOrdered: relationship.isOrdered, isOptional: relationship.isOptional,
        minCount: relationship.minCount, maxCount: relationship.maxCount, deleteRule: relationship.deleteRule,
        paths: paths(of: relationship.mappingPaths, usesOwnName: relationship.usesOwnName, entity),
        null: relationship.null ?? effective[for: entity].null ?? modelNulls,
        nullValues: relationship.nullValues ?? effective[for: entity].nullValues ?? [],
        assignment: relationship.assignment,
        stubs: relationship.stubs, renamingIdentifier: relationship.renamingIdentifier))
    inverseNames.append(relationship.inverse)
    if !relationship.isToMany { schema.trees[tree].toOnes.append(index) }
    schema.entities[entity].relationships.append(index)
    schema.entities[entity].relationshipIndices[relationship.name] = index
  }

  /// - Parameter inheritedNull: the null policy of the entity; nil if neither it nor an ancestor declares one.
  private mutating func check(
    _ relationship: RelationshipDescription, inheriting inheritedNull: NullPolicy?, at path: [String]
  ) {
    checkPaths(relationship.from, at: path + ["from"])
    checkNullValues(relationship.nullValues, at: path + ["nullValues"])
    if relationship.isToMany {
      if relationship.null != nil {
        report(
          "null-of-to-many", at: path + ["null"],
          "a null for the to-many relationship '\(relationship.name)' means an empty list",
          advice: "remove 'null'; with 'assignment: replace', an empty list clears the relationship")
      } else if relationship.assignment == .replace, inheritedNull == .keep {
        warn(
          .nullOfToMany, at: path + ["assignment"],
          "'null: keep' of the entity does not apply to the to-many relationship '\(relationship.name)': a null clears it",
          advice: "write 'null: keep' only for the attributes and to-one relationships that need it")
      }
      for (key, count) in [("minCount", relationship.minCount), ("maxCount", relationship.maxCount)]
      where count < 0 {
        report("count", at: path + [key], "'\(key)' must be 0 or more, not \(count)")
      }
      if relationship.maxCount > 0, relationship.minCount > relationship.maxCount {
        report(
          "count", at: path + ["minCount"],
          "'minCount' (\(relationship.minCount)) is greater than 'maxCount' (\(relationship.maxCount))")
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
        "'\(key)' is only allowed for to-many relationships, and '\(relationship.name)' is to-one",
        advice: "write 'toMany: \(relationship.destination)', or remove it")
    }
  }

  /// The key by which a relationship is found that names another one as its inverse.
  private struct ClaimedInverse: Hashable {
    var entity: EntityIndex
    var name: PropertyName
    var destination: EntityIndex
  }

  mutating func resolveInverses() {
    let claims = Set(
      schema.relationships.compactMap { relationship in
        inverseNames[for: relationship.index].map {
          ClaimedInverse(entity: relationship.destination, name: $0, destination: relationship.entity)
        }
      })
    var claimed: Set<RelationshipIndex> = []
    for relationship in schema.relationships {
      let index = relationship.index
      let destination = schema.entities[relationship.destination]
      guard let name = inverseNames[for: index] else {
        let claim = ClaimedInverse(
          entity: relationship.entity, name: relationship.name, destination: relationship.destination)
        if !claims.contains(claim) {
          warn(
            .noInverse, at: path(relationship),
            "'\(relationship.name)' has no inverse, so '\(destination.name)' does not change with it",
            advice: "declare a relationship in '\(destination.name)' and name it as 'inverse'")
        }
        continue
      }
      guard let inverse = destination.relationshipIndices[name] else {
        guard !skippedRelationships.contains(name, destination.subtree) else { continue }
        let isAttribute = destination.attributeIndices[name] != nil
        let relationships = schema.relationships
        report(
          "unknown-inverse", at: path(relationship, "inverse"),
          isAttribute
            ? "the inverse must be a relationship, and '\(name)' is an attribute of '\(destination.name)'"
            : "'\(destination.name)' has no relationship '\(name)'",
          advice: isAttribute
            ? nil
            : suggestion(
              for: name.rawValue, among: destination.relationships.map { relationships[$0].name.rawValue }))
        continue
      }
      let other = schema.relationships[inverse]
      guard schema.isKind(relationship.entity, of: other.destination) else {
        report(
          "inverse-mismatch", at: path(relationship, "inverse"),
          "the destination of the inverse '\(destination.name).\(name)' is '\(schema.entities[other.destination].name)', not '\(declared[for: relationship.entity].name)'",
          otherPath: path(other))
        continue
      }
      guard inverseNames[for: inverse] == relationship.name, declaresBackReference(other, to: index) else {
        // An inverse that does not exist is reported at its own declaration.
        if let named = inverseNames[for: inverse],
          schema.entities[other.destination].relationshipIndices[named] == nil
        {
          continue
        }
        let isTaken = !claimed.insert(inverse).inserted || hasInverse(other)
        let back = inverseNames[for: inverse].map { "its inverse is '\($0)'" } ?? "it has no inverse"
        report(
          "inverse-mismatch", at: path(relationship, "inverse"),
          "'\(destination.name).\(name)' is not the inverse: \(back)",
          advice: isTaken
            ? "a relationship has one inverse; add another relationship to '\(destination.name)', or remove 'inverse'"
            : "write 'inverse: \(relationship.name)' in '\(schema.entities[other.entity].name).\(name)'",
          otherPath: path(other))
        continue
      }
      schema.relationships[index].inverse = inverse
      schema.relationships[index].isInverseToOne = !other.isToMany
    }
  }

  /// Checks the number of inherited properties. An entity that adds properties, or reads inherited ones differently,
  /// has a separate list of all its properties. A deep hierarchy of such entities would take time and memory quadratic
  /// in the size of the model.
  ///
  /// - Returns: false if there are too many inherited properties, so that the lists must not be created.
  mutating func checkInheritedProperties() -> Bool {
    var totals = Array(repeating: 0, count: schema.trees.count)
    var counts = Array(repeating: 0, count: schema.entities.count)
    for entity in schema.depthFirst {
      let (description, value) = (declared[for: entity], schema.entities[entity])
      let inherited = value.parent.map { counts[for: $0] } ?? 0
      let own = description.attributes.count + description.relationships.count
      counts[for: entity] = inherited + own
      let sharesList =
        own == 0 && description.dateFormat == nil && description.null == nil
        && description.names == nil && description.nullValues == nil
      if !sharesList { totals[for: value.tree] += inherited }
    }
    var isWithinLimit = true
    for (tree, total) in zip(schema.trees, totals) where total > Schema.maximumInheritedProperties {
      isWithinLimit = false
      report(
        "too-many-inherited-properties", at: path(tree.root),
        "the sub-entities of '\(schema.entities[tree.root].name)' inherit \(total) properties in total; at most "
          + "\(Schema.maximumInheritedProperties) are allowed",
        advice: "inherit over fewer levels, or declare fewer properties in sub-entities")
    }
    return isWithinLimit
  }

  /// Checks the number of columns. Every store refuses a model that one store cannot hold, so that a model works on all
  /// stores.
  mutating func checkColumns() {
    for (tree, value) in schema.trees.indexed {
      let columns = schema.columns(ofTree: tree)
      guard columns > Schema.maximumColumns else { continue }
      let root = schema.entities[value.root]
      let entities =
        root.children.isEmpty ? "'\(root.name)' needs" : "'\(root.name)' and its sub-entities need"
      report(
        "too-many-columns", at: path(value.root),
        "\(entities) \(columns) columns in a store; at most \(Schema.maximumColumns) are allowed",
        advice:
          "an attribute or a to-one relationship takes one column, a to-one relationship with an ordered inverse two; move some to their own "
          + "entity or into a transformable attribute")
    }
  }

  /// Returns whether a relationship and its inverse name each other.
  private func hasInverse(_ relationship: SchemaRelationship) -> Bool {
    guard let name = inverseNames[for: relationship.index],
      let back = schema.entities[relationship.destination].relationshipIndices[name]
    else { return false }
    return inverseNames[for: back] == relationship.name
      && declaresBackReference(schema.relationships[back], to: relationship.index)
  }

  /// Returns whether the inverse that `other` names is this relationship, and not one of the same name elsewhere in the
  /// tree.
  private func declaresBackReference(_ other: SchemaRelationship, to index: RelationshipIndex) -> Bool {
    schema.entities[other.destination].relationshipIndices[schema.relationships[index].name] == index
  }
}

/// The name of a property and the entity that declares it.
struct DeclaredName: Hashable {
  var entity: EntityIndex
  var name: PropertyName
}

/// The relationships that a pass has reported. Later passes do not report consequences of these problems.
struct SkippedRelationships {
  /// The subtrees with a skipped relationship, by its name. They are disjoint and sorted by their numbers.
  private var subtrees: [PropertyName: [Range<Int>]] = [:]

  /// Adds a relationship.
  ///
  /// - Parameter subtree: the subtree of the entity that declares the relationship. Calls are in depth-first order.
  mutating func insert(_ name: PropertyName, _ subtree: Range<Int>) {
    if let last = subtrees[name]?.last, last.contains(subtree.lowerBound) { return }
    subtrees[name, default: []].append(subtree)
  }

  /// Returns whether an entity or one of its ancestors declares a skipped relationship of the name.
  func contains(_ name: PropertyName, _ subtree: Range<Int>) -> Bool {
    guard let ranges = subtrees[name] else { return false }
    var (low, high) = (0, ranges.count)
    while low < high {
      let middle = (low + high) / 2
      if ranges[middle].upperBound <= subtree.lowerBound { low = middle + 1 } else { high = middle }
    }
    return low < ranges.count && ranges[low].contains(subtree.lowerBound)
  }
}

extension AttributeDescription {
  /// The paths at which the attribute is looked up in items, in the order in which they are tried.
  public var mappingPaths: [MappingPath] { from + (usesOwnName ? [MappingPath(keys: [name.rawValue])] : []) }
}

extension RelationshipDescription {
  /// The paths at which the relationship is looked up in items, in the order in which they are tried.
  public var mappingPaths: [MappingPath] { from + (usesOwnName ? [MappingPath(keys: [name.rawValue])] : []) }
}
