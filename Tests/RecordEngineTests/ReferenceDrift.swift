import JSONTree
import RecordEngine
import RecordModel

/// A second, slow and obvious implementation of the rule `diagnostics.drift` for the models of `RandomModel`: paths
/// have one or two keys, and `kind` determines the sub-entity of an item.
struct ReferenceDrift {
  let model: RandomModel
  private var items: [EntityName: Int] = [:]
  private var unused: [EntityName: [String: Int]] = [:]
  private var come: [EntityName: Set<PropertyName>] = [:]
  /// The counts by entity and property. The suffix `[]` marks the elements of a list.
  private var kinds: [EntityName: [String: [JSONKind: Int]]] = [:]

  init(_ model: RandomModel, _ response: JSONValue, of entity: EntityName) {
    self.model = model
    for item in flattened(response) { judge(item, entity) }
  }

  private func flattened(_ value: JSONValue) -> [JSONValue] {
    if case .array(let elements) = value { elements.flatMap(flattened) } else { [value] }
  }

  private mutating func judge(_ item: JSONValue, _ declared: EntityName) {
    guard case .object(let members) = item else { return }
    let below = model.entities.filter { $0.name != declared && model.isKind($0.name, of: declared) }
    let entity = below.first { members["kind"] == .string($0.name.rawValue) }?.name ?? declared
    if model.isAbstract(entity) { return }
    items[entity, default: 0] += 1
    let attributes = model.attributes(entity).map { ($0.name, $0.from) }
    let relationships = model.relationships(entity).map { ($0.name, $0.from) }
    let paths = (attributes + relationships).flatMap { name, from in from.map(keys) + [[name.rawValue]] }
    for (key, value) in members {
      if paths.contains([key]) || (key == "kind" && !below.isEmpty) { continue }
      let goesOn = paths.contains { $0.count == 2 && $0[0] == key }
      if goesOn, value == .null { continue }
      guard goesOn, case .object(let inner) = value else {
        unused[entity, default: [:]][key, default: 0] += 1
        continue
      }
      for name in inner.keys where !paths.contains([key, name]) {
        unused[entity, default: [:]]["\(key).\(name)", default: 0] += 1
      }
    }
    for attribute in model.attributes(entity) {
      guard let value = first(attribute.from, attribute.name, members) else { continue }
      come[entity, default: []].insert(attribute.name)
      note(value, entity, attribute.name.rawValue)
    }
    for relationship in model.relationships(entity) {
      guard let value = first(relationship.from, relationship.name, members) else { continue }
      come[entity, default: []].insert(relationship.name)
      note(value, entity, relationship.name.rawValue)
      let children = flattened(value)
      if relationship.isToMany, value.kind == .array {
        for child in children { note(child, entity, "\(relationship.name)[]") }
      }
      for child in children { judge(child, relationship.destination) }
    }
  }

  private mutating func note(_ value: JSONValue, _ entity: EntityName, _ property: String) {
    if value != .null { kinds[entity, default: [:]][property, default: [:]][value.kind, default: 0] += 1 }
  }

  private func keys(_ path: MappingPath) -> [String] {
    path.components.compactMap { if case .key(let key) = $0 { key } else { nil } }
  }

  private func first(
    _ from: [MappingPath], _ name: PropertyName, _ members: JSONObject
  ) -> JSONValue? {
    for path in from.map(keys) + [[name.rawValue]] {
      guard let value = members[path[0]] else { continue }
      if path.count == 1 { return value }
      if case .object(let inner) = value, let value = inner[path[1]] { return value }
    }
    return nil
  }

  // MARK: Findings

  /// A line for each finding, unordered.
  var lines: Set<String> {
    var lines: Set<String> = []
    for (entity, count) in items {
      for (key, count) in unused[entity] ?? [:] { lines.insert("\(entity) unused \(key) \(count)") }
      let attributes = model.attributes(entity)
      for name in attributes.map(\.name) where !(come[entity] ?? []).contains(name) {
        lines.insert("\(entity) missing \(name) of \(count)")
      }
      for relationship in model.relationships(entity) {
        let sides = [relationship, model.inverse(relationship)].compactMap(\.self).map(\.name)
        let isOwn = (come[entity] ?? []).contains(relationship.name)
        // Property names are unique in the model.
        let isInverse = sides.dropFirst().contains { side in come.values.contains { $0.contains(side) } }
        if !isOwn, !isInverse, !isFilledFromInverse(relationship) {
          lines.insert("\(entity) missing \(relationship.name) of \(count)")
        }
      }
      for (property, found) in kinds[entity] ?? [:] {
        let expected = expected(property, entity)
        guard found.count > 1 || found.keys.contains(where: { !expected.contains($0) }) else { continue }
        for (kind, count) in found { lines.insert("\(entity) \(property) \(kind) \(count)") }
      }
    }
    return lines
  }

  /// A list of records that name their owner themselves.
  private func isFilledFromInverse(_ relationship: RelationshipDescription) -> Bool {
    guard relationship.isToMany, relationship.from.isEmpty, relationship.assignment != .replace,
      relationship.keyedBy == nil, let inverse = model.inverse(relationship), !inverse.isToMany
    else { return false }
    return model.keyRelationship(relationship.destination)?.name != inverse.name
  }

  private func expected(_ property: String, _ entity: EntityName) -> [JSONKind] {
    let name = property.hasSuffix("[]") ? String(property.dropLast(2)) : property
    if let attribute = model.attributes(entity).first(where: { $0.name.rawValue == name }) {
      return [kind(attribute.type)]
    }
    guard let relationship = model.relationships(entity).first(where: { $0.name.rawValue == name }) else {
      return []
    }
    if relationship.isToMany, name == property { return [.array] }
    let key = model.keyAttributes(relationship.destination) ?? []
    return [.object] + (key.count == 1 ? [kind(key[0].type)] : [])
  }

  private func kind(_ type: AttributeType) -> JSONKind {
    switch type {
    case .string: .string
    case .boolean: .boolean
    default: .number
    }
  }

  /// Returns the same lines for a report.
  static func lines(_ report: DriftReport) -> Set<String> {
    var lines: Set<String> = []
    for drift in report.entities {
      for key in drift.unusedKeys { lines.insert("\(drift.entity) unused \(key.path) \(key.count)") }
      for property in drift.missingProperties {
        lines.insert("\(drift.entity) missing \(property.name) of \(drift.itemCount)")
      }
      for type in drift.changedTypes {
        for kind in type.found {
          let property = "\(type.property)\(type.isOfElements ? "[]" : "")"
          lines.insert("\(drift.entity) \(property) \(kind.kind) \(kind.count)")
        }
      }
    }
    return lines
  }
}
