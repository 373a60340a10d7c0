import RecordModel

/// The mapping of the model in a file to a newer model, and the reasons why a migration is not possible.
struct ModelMigration {
  let old: StoredModel
  let new: StoredModel
  /// For each entity of the new model, the former entity.
  private(set) var entities: [StoredModel.Entity?] = []
  /// For each entity of the new model, the former attribute of each attribute.
  private(set) var attributes: [[StoredModel.Attribute?]] = []
  /// For each entity of the new model, the former relationship of each relationship.
  private(set) var relationships: [[StoredModel.Relationship?]] = []
  /// The changes that would lose data or are ambiguous, one sentence each, in the order of the model.
  private(set) var refusals: [String] = []

  /// Creates a migration.
  ///
  /// - Parameter hasDefault: a closure that returns whether an attribute of the new model has a default value.
  init(
    from old: StoredModel, to new: StoredModel, hasDefault: (_ entity: String, _ attribute: String) -> Bool
  ) {
    self.old = old
    self.new = new
    entities = Self.match(new.entities, old.entities)
    for (entity, before) in zip(new.entities, entities) {
      attributes.append(Self.match(entity.attributes, before?.attributes ?? []))
      relationships.append(Self.match(entity.relationships, before?.relationships ?? []))
    }
    for (index, entity) in new.entities.enumerated() {
      guard let before = entities[index] else { continue }
      compare(entity, before, at: index)
      for (attribute, match) in zip(entity.attributes, attributes[index]) {
        compare(attribute, match, of: entity, hasDefault: hasDefault(entity.name, attribute.name))
      }
      for (relationship, match) in zip(entity.relationships, relationships[index]) {
        compare(relationship, match, of: entity)
      }
      refuseRepeated(
        entity.attributes.map(\.name), attributes[index].map { $0?.name }, of: "attribute", in: entity.name)
      refuseRepeated(
        entity.relationships.map(\.name), relationships[index].map { $0?.name }, of: "relationship",
        in: entity.name)
      refuseChangedKinds(entity, before, at: index)
    }
    refuseRepeated(new.entities.map(\.name), entities.map { $0?.name }, of: "entity", in: nil)
    // Every record would be deleted. The file probably belongs to another model.
    if !old.entities.isEmpty, entities.allSatisfy({ $0 == nil }) {
      let names = old.entities.map { "'\($0.name)'" }.joined(separator: ", ")
      let advice =
        new.entities.isEmpty
        ? "use a model that has them" : "set the 'renamingIdentifier' of each renamed entity"
      refusals.append(
        "the model has none of the entities of the file: \(names); \(advice), or use another file")
    }
    refuseMoves()
  }

  /// Returns the former element of each new element.
  ///
  /// Elements match by these criteria, in this order: equal names and renaming identifiers; equal renaming identifiers;
  /// a renaming identifier that is the former name; equal names. A former element matches only one new element. An
  /// element that names an already matched one explicitly also gets it, which is refused later.
  private static func match<Element: StoredElement>(_ new: [Element], _ old: [Element]) -> [Element?] {
    var matches = [Element?](repeating: nil, count: new.count)
    var isTaken = [Bool](repeating: false, count: old.count)
    let rules: [(_ new: Element, _ old: Element) -> Bool] = [
      { $0.name == $1.name && $0.identifier == $1.identifier }, { $0.identifier == $1.identifier },
      { $0.identifier == $1.name }, { $0.name == $1.name },
    ]
    for rule in rules {
      for (index, element) in new.enumerated() where matches[index] == nil {
        guard let found = old.indices.first(where: { !isTaken[$0] && rule(element, old[$0]) }) else {
          continue
        }
        matches[index] = old[found]
        isTaken[found] = true
      }
    }
    for (index, element) in new.enumerated() where matches[index] == nil {
      matches[index] = old.first { rules[1](element, $0) } ?? old.first { rules[2](element, $0) }
    }
    return matches
  }
}

/// An element with a name that may have been renamed.
protocol StoredElement {
  var name: String { get }
  /// The first name of the element, which renaming identifiers refer to.
  var identifier: String { get }
}

extension StoredElement {
  /// Returns a Boolean value that indicates whether the renaming identifier of the element refers to a former one.
  fileprivate func continues(_ former: some StoredElement) -> Bool {
    identifier == former.identifier || identifier == former.name
  }
}

extension StoredModel.Entity: StoredElement {}
extension StoredModel.Attribute: StoredElement {}
extension StoredModel.Relationship: StoredElement {}

// MARK: - Former elements

extension ModelMigration {
  func entity(_ name: String) -> Int? { new.entities.firstIndex { $0.name == name } }

  /// Returns the former name of an entity of the new model.
  private func oldName(_ entity: String) -> String? { self.entity(entity).flatMap { entities[$0]?.name } }

  /// Returns a relationship of the new model, which an entity or an ancestor declares, with the former relationship.
  func relationship(_ name: String, of entity: String) -> (
    new: StoredModel.Relationship, old: StoredModel.Relationship?
  )? {
    var current = self.entity(entity)
    while let index = current {
      if let position = new.entities[index].relationships.firstIndex(where: { $0.name == name }) {
        return (new.entities[index].relationships[position], relationships[index][position])
      }
      current = new.entities[index].parent.flatMap { self.entity($0) }
    }
    return nil
  }

  /// Returns the former name of a property of the new model, which an entity or an ancestor declares.
  private func oldPropertyName(_ name: String, of entity: String) -> String? {
    var current = self.entity(entity)
    while let index = current {
      if let position = new.entities[index].attributes.firstIndex(where: { $0.name == name }) {
        return attributes[index][position]?.name
      }
      current = new.entities[index].parent.flatMap { self.entity($0) }
    }
    return relationship(name, of: entity)?.old?.name
  }
}

// MARK: - Refused changes

extension ModelMigration {
  private mutating func compare(_ entity: StoredModel.Entity, _ before: StoredModel.Entity, at index: Int) {
    if entity.parent.map({ oldName($0) ?? "" }) != before.parent {
      refusals.append(
        "the parent of '\(entity.name)' changed from \(Self.quoted(before.parent)) to \(Self.quoted(entity.parent))"
      )
    }
    if entity.isAbstract, !before.isAbstract {
      refusals.append("'\(entity.name)' became abstract, and may have records")
    }
    if entity.key.map({ oldPropertyName($0, of: entity.name) ?? "" }) != before.key {
      refusals.append(
        "the primary key of '\(entity.name)' changed from \(Self.listed(before.key)) to \(Self.listed(entity.key))"
      )
    }
  }

  private mutating func compare(
    _ attribute: StoredModel.Attribute, _ before: StoredModel.Attribute?, of entity: StoredModel.Entity,
    hasDefault: Bool
  ) {
    let name = "'\(entity.name).\(attribute.name)'"
    guard let before else {
      if !attribute.isOptional, !hasDefault {
        refusals.append("\(name) is new and required, and has no default for existing records")
      }
      return
    }
    if !attribute.type.holds(before.type) {
      refusals.append("\(name) changed from \(before.type.rawValue) to \(attribute.type.rawValue)")
    }
    if !attribute.isOptional, before.isOptional, !hasDefault {
      refusals.append("\(name) became required, and has no default for records without a value")
    }
  }

  private mutating func compare(
    _ relationship: StoredModel.Relationship, _ before: StoredModel.Relationship?,
    of entity: StoredModel.Entity
  ) {
    let name = "'\(entity.name).\(relationship.name)'"
    guard let before else {
      if !relationship.isOptional {
        refusals.append("\(name) is new and required, and existing records have none")
      }
      return
    }
    if !relationship.isOptional, before.isOptional {
      refusals.append("\(name) became required, and some records may have none")
    }
    guard relationship.isToMany == before.isToMany else {
      refusals.append(
        "\(name) changed from \(before.isToMany ? "to-many" : "to-one") to \(relationship.isToMany ? "to-many" : "to-one")"
      )
      return
    }
    if !leads(to: relationship.destination, from: before.destination) {
      refusals.append(
        "the destination of \(name) changed from \(Self.quoted(before.destination)) to '\(relationship.destination)'"
      )
    }
    if !keepsInverse(relationship, before) {
      refusals.append(
        "the inverse of \(name) changed from \(Self.quoted(before.inverse)) to \(Self.quoted(relationship.inverse))"
      )
    }
  }

  /// Returns a Boolean value that indicates whether a relationship has its former inverse, or an inverse that can be
  /// derived from the stored data.
  private func keepsInverse(
    _ relationship: StoredModel.Relationship, _ before: StoredModel.Relationship
  ) -> Bool {
    let inverse = relationship.inverse.flatMap { self.relationship($0, of: relationship.destination) }
    if let inverse {
      if before.inverse != nil { return inverse.old?.name == before.inverse }
      // A new inverse can be derived from the stored data, unless several records may lead to the same one.
      return inverse.old == nil && inverse.new.isToMany
    }
    // Without its inverse, a relationship keeps its content, unless the inverse stored it.
    guard let former = oldInverse(of: before) else { return true }
    let wasKeptByOther = before.isToMany && !former.isToMany
    let remains = zip(entities, relationships).contains { entity, relationships in
      entity?.name == before.destination && relationships.contains { $0?.name == former.name }
    }
    return !wasKeptByOther && !remains
  }

  /// Returns a Boolean value that indicates whether all records of the former destination belong to the new one.
  private func leads(to destination: String, from former: String) -> Bool {
    var current = new.entities.indices.first { entities[$0]?.name == former }
    while let index = current {
      if new.entities[index].name == destination { return true }
      current = new.entities[index].parent.flatMap { entity($0) }
    }
    return false
  }

  /// Returns the inverse of a relationship in the old model. Its destination declares the inverse itself.
  func oldInverse(of relationship: StoredModel.Relationship) -> StoredModel.Relationship? {
    old.entities.first { $0.name == relationship.destination }?.relationships
      .first { $0.name == relationship.inverse }
  }

  private mutating func refuseRepeated(
    _ names: [String], _ olds: [String?], of what: String, in owner: String?
  ) {
    for (number, old) in olds.enumerated() {
      guard let old, let first = olds.firstIndex(of: old), first < number else { continue }
      let ofOwner = owner.map { " of '\($0)'" } ?? ""
      refusals.append(
        "both '\(names[first])' and '\(names[number])'\(ofOwner) are renamed from the \(what) '\(old)'")
    }
  }

  private mutating func refuseChangedKinds(
    _ entity: StoredModel.Entity, _ before: StoredModel.Entity, at index: Int
  ) {
    for (attribute, match) in zip(entity.attributes, attributes[index])
    where match == nil
      && Self.changesKind(attribute, from: before.relationships, without: relationships[index])
    {
      refusals.append("'\(entity.name).\(attribute.name)' changed from a relationship to an attribute")
    }
    for (relationship, match) in zip(entity.relationships, relationships[index])
    where match == nil && Self.changesKind(relationship, from: before.attributes, without: attributes[index])
    {
      refusals.append("'\(entity.name).\(relationship.name)' changed from an attribute to a relationship")
    }
  }

  /// Returns a Boolean value that indicates whether a new property continues a former one of the other kind. If the
  /// former one is kept, only its latest name counts, because its earlier names can be given again.
  private static func changesKind(
    _ property: any StoredElement, from former: [some StoredElement], without kept: [(some StoredElement)?]
  ) -> Bool {
    former.contains { $0.name == property.identifier }
      || nameContinued(by: property, among: former, without: kept) != nil
  }

  /// Returns the name of the former property that a new one continues, unless it is kept.
  private static func nameContinued(
    by property: any StoredElement, among former: [some StoredElement],
    without kept: [(some StoredElement)?]
  ) -> String? {
    former.first { former in property.continues(former) && !kept.contains { $0?.name == former.name } }?.name
  }

  /// Refuses properties that have moved to another entity of the tree, because their values would have to move, too.
  private mutating func refuseMoves() {
    func added<Element: StoredElement>(_ elements: [Element], _ matches: [Element?]) -> [any StoredElement] {
      zip(elements, matches).compactMap { element, match in match == nil ? element : nil }
    }
    for (index, entity) in new.entities.enumerated() {
      for property in added(entity.attributes, attributes[index])
        + added(entity.relationships, relationships[index])
      {
        guard let former = formerPlace(of: property, now: index) else { continue }
        refusals.append("'\(former.property)' moved from '\(former.entity)' to '\(entity.name)'")
      }
    }
  }

  /// Returns the name of a property of another entity of the tree that a new property continues, and that its former
  /// entity no longer has.
  private func formerPlace(
    of property: any StoredElement, now index: Int
  ) -> (property: String, entity: String)? {
    let tree = root(index)
    for (other, before) in entities.enumerated() where other != index && root(other) == tree {
      guard let before else { continue }
      if let name = Self.nameContinued(by: property, among: before.attributes, without: attributes[other])
        ?? Self.nameContinued(by: property, among: before.relationships, without: relationships[other])
      {
        return (name, before.name)
      }
    }
    return nil
  }

  /// Returns the root of the tree of an entity of the new model.
  func root(_ index: Int) -> Int {
    var current = index
    while let parent = new.entities[current].parent.flatMap({ entity($0) }) { current = parent }
    return current
  }

  private static func quoted(_ name: String?) -> String { name.map { "'\($0)'" } ?? "none" }

  private static func listed(_ names: [String]) -> String {
    names.isEmpty ? "none" : names.map { "'\($0)'" }.joined(separator: ", ")
  }
}
