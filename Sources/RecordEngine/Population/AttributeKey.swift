import JSONTree
import RecordModel

/// The key that an item has through its attributes.
/// Rules: `customize.representation`, `identity.*`, `identity.composite`.
enum AttributeKey {
  /// Returns the key of an item: the computed key, or the one in the item.
  ///
  /// - Parameter positions: the attributes that form the key.
  static func find(
    of appearance: Appearance, _ positions: [AttributeIndex], _ population: Population
  ) throws(MissingKey) -> RecordKey {
    let entity = appearance.entity
    if let answer = computed(for: appearance, population) {
      let attribute = population.schema.entities[entity].attributes[positions[0]]
      guard let value = population.convert(JSONDocument(answer).root, to: attribute, of: entity) else {
        throw .unconvertible
      }
      return .single(value)
    }
    if positions.count == 1 { return .single(try value(of: positions[0], in: appearance, population)) }
    return RecordKey(
      try positions.map { (position) throws(MissingKey) in
        try value(of: position, in: appearance, population)
      })
  }

  /// Returns the key of an item without a key, with the value or the missing parts that the injection hook returns.
  ///
  /// - Parameters:
  ///   - positions: the attributes that form the key.
  ///   - parent: the enclosing item.
  static func injected(
    by injection: KeyInjection, into appearance: Appearance, _ positions: [AttributeIndex],
    _ population: Population, parent: ParentItem?
  ) throws(MissingKey) -> RecordKey {
    let description = population.schema.entities[appearance.entity]
    let item = KeyInjectionItem(
      entity: description.name, dictionary: appearance.item.dictionary(of: description), parent: parent)
    guard let answer = injection(item), answer != .null else { throw .absent }
    func convert(_ answer: JSONValue, to position: AttributeIndex) throws(MissingKey) -> AttributeValue {
      guard
        let value = AttributeValue(
          converting: JSONDocument(answer).root, to: description.attributes[position], nil)
      else { throw .unconvertible }
      return value
    }
    if positions.count == 1 { return .single(try convert(answer, to: positions[0])) }
    return RecordKey(
      try positions.map { (position) throws(MissingKey) in
        do throws(MissingKey) {
          return try value(of: position, in: appearance, population)
        } catch {
          let part = answer[description.attributes[position].name.rawValue] ?? .null
          guard error == .absent, part != .null else { throw error }
          return try convert(part, to: position)
        }
      })
  }

  /// Returns the key that the representation of the entity computes; nil if there is none.
  static func computed(for appearance: Appearance, _ population: Population) -> JSONValue? {
    guard let computation = population.schema.entities[appearance.entity].keyComputation,
      appearance.item.isDictionary
    else { return nil }
    let dictionary = appearance.item.dictionary(of: population.schema.entities[appearance.entity])
    // A null stands for no result. `JSONValue` has a nil literal, so `nil` in an expression of this type is a null.
    guard let answer = computation.primaryKeyValue(in: dictionary), answer != .null else { return nil }
    return answer
  }

  /// Returns the finding for an attribute of the key; nil if all its paths are absent or null.
  /// Rule: `identity.key-path`.
  static func finding(
    of position: AttributeIndex, in appearance: Appearance, _ population: Population
  ) -> PathFinding? {
    let finding = appearance.findings.attribute(position)
    guard finding?.isNull ?? false else { return finding }
    let attribute = population.schema.entities[appearance.entity].attributes[position]
    return ItemFindings.key(attribute, in: appearance.item.node)
  }

  /// Returns the first part of a key that cannot be converted; nil if a hook or a representation has returned the key.
  static func unconvertiblePart(
    of appearance: Appearance, _ positions: [AttributeIndex], _ population: Population
  ) -> (attribute: SchemaAttribute, finding: PathFinding)? {
    guard computed(for: appearance, population) == nil else { return nil }
    for position in positions {
      let attribute = population.schema.entities[appearance.entity].attributes[position]
      if let finding = finding(of: position, in: appearance, population),
        population.convert(finding.node, to: attribute, of: appearance.entity) == nil
      {
        return (attribute, finding)
      }
    }
    return nil
  }

  /// Returns a Boolean value that indicates whether an item has a part of a key with another value.
  static func contradicts(
    _ key: RecordKey, in appearance: Appearance, _ positions: [AttributeIndex], _ population: Population
  ) -> Bool {
    completed(key, by: appearance, positions, population) != key
  }

  /// Returns a key with the parts that an item has.
  static func completed(
    _ key: RecordKey, by appearance: Appearance, _ positions: [AttributeIndex], _ population: Population
  ) -> RecordKey {
    guard computed(for: appearance, population) == nil else { return key }
    let parts = zip(positions, key.values).map { position, known in
      let attribute = population.schema.entities[appearance.entity].attributes[position]
      let finding = finding(of: position, in: appearance, population)
      return finding.flatMap { population.convert($0.node, to: attribute, of: appearance.entity) } ?? known
    }
    return RecordKey(parts)
  }

  /// Returns the value of an attribute of the key, converted to its type. Rules: `identity.key-path`,
  /// `identity.key-type`.
  private static func value(
    of position: AttributeIndex, in appearance: Appearance, _ population: Population
  ) throws(MissingKey) -> AttributeValue {
    let entity = appearance.entity
    if !population.hasMarshalers,
      let value = population.plainValue(
        of: position, among: population.schema.entities[entity].attributes, in: appearance.findings)
    {
      return value
    }
    let attribute = population.schema.entities[entity].attributes[position]
    guard let finding = finding(of: position, in: appearance, population) else { throw .absent }
    guard let value = population.convert(finding.node, to: attribute, of: entity) else {
      throw .unconvertible
    }
    return value
  }
}

extension ParentItem {
  /// Creates the item of a proto for a hook.
  init(_ item: Item, of entity: EntityIndex, _ identity: ProtoIdentity?, _ schema: Schema) {
    let description = schema.entities[entity]
    var key: JSONValue?
    if case .key(_, .single(let value)) = identity, case .attributes(let positions) = description.key {
      key = value.literal(type: description.attributes[positions[0]].type)
    }
    self.init(entity: description.name, key: key, dictionary: item.dictionary(of: description))
  }
}
