import JSONTree
import RecordModel
import Testing

@testable import RecordEngine

/// An unsaved change of the caller, which names records by their labels in a ``ReferenceGraph``.
enum CallerEdit: CustomStringConvertible {
  /// A new record with these attributes, which are its key.
  case insert(EntityName, [PropertyName: JSONValue])
  case delete(String)
  case value(String, PropertyName, JSONValue?)
  case link(String, RelationshipDescription, [String])
  case add(String, PropertyName, String)
  case remove(String, PropertyName, String)

  var description: String {
    switch self {
    case .insert(let entity, let key):
      "insert \(entity) \(key.sorted { $0.key < $1.key }.map { $0.value.compactText() })"
    case .delete(let label): "delete \(label)"
    case .value(let label, let name, let value): "\(label).\(name) = \(value?.compactText() ?? "nil")"
    case .link(let label, let relationship, let others): "\(label).\(relationship.name) = \(others)"
    case .add(let label, let name, let other): "add \(other) to \(label).\(name)"
    case .remove(let label, let name, let other): "remove \(other) from \(label).\(name)"
    }
  }
}

extension CallerEdit {
  /// Returns a random change of a record, but not of its key; nil if the graph has nothing to change. Later changes can
  /// name a record that this one inserts. New records can have keys that responses have.
  static func make(_ graph: inout ReferenceGraph, _ random: inout RandomNumbers) -> CallerEdit? {
    let model = graph.model
    let keyed = model.entities.filter { !$0.isAbstract && model.keyAttributes($0.name) != nil }
    if random.chance(15), let entity = random.pick(keyed)?.name, let key = model.keyAttributes(entity) {
      // Responses have smaller keys than 90.
      let number = random.chance(40) ? random.number(1...2) : 90 + graph.numbers.count
      let values = key.map { attribute -> (PropertyName, JSONValue) in
        (
          attribute.name,
          attribute.type == .string ? .string("\(number)") : .number(JSONNumber(Int64(number)))
        )
      }
      let attributes = Dictionary(values) { first, _ in first }
      _ = graph.insert(ReferenceGraph.Record(entity: entity, values: attributes))
      return .insert(entity, attributes)
    }
    guard let number = random.pick(graph.numbers), let record = graph.records[number] else { return nil }
    let label = graph.label(number)
    let key = model.key(record.entity)?.properties ?? []
    let attributes = model.attributes(record.entity).filter { !key.contains($0.name) }
    if random.chance(30), let attribute = random.pick(attributes) {
      return .value(label, attribute.name, random.chance(80) ? value(attribute.type, &random) : nil)
    }
    let relationships = model.relationships(record.entity).filter { relationship in
      !key.contains(relationship.name)
        && model.entities.allSatisfy { $0.primaryKey.map(Optional.some) != [relationship.inverse] }
    }
    guard let relationship = random.pick(relationships) else { return nil }
    let others = graph.numbers.filter {
      model.isKind(graph.records[$0]?.entity ?? "", of: relationship.destination)
    }
    if relationship.isToMany, random.chance(50) {
      let members = graph.members(number, relationship.name)
      if random.chance(50), let member = random.pick(members) {
        return .remove(label, relationship.name, graph.label(member))
      }
      if let other = random.pick(others) { return .add(label, relationship.name, graph.label(other)) }
    }
    let count = random.number(0...(relationship.isToMany ? 3 : 1))
    return .link(label, relationship, random.shuffled(others).prefix(count).map(graph.label))
  }

  private static func value(_ type: AttributeType, _ random: inout RandomNumbers) -> JSONValue {
    switch type {
    case .string: .string("mine \(random.number(1...2))")
    case .boolean: .boolean(random.chance(50))
    default: .number(JSONNumber(Int64(random.number(7...8))))
    }
  }
}

extension ResponseContext {
  /// Makes a change. Returns false if it names a record that does not exist, or a property that the record does not have.
  func perform(_ edit: CallerEdit) throws -> Bool {
    let model = engine.model
    let (graph, numbers) = try engine.graph(of: GraphReader(context.graph))
    func record(_ label: String, where isSuitable: (EntityName) -> Bool = { _ in true }) -> Record? {
      let id = numbers.filter { graph.label($0.value) == label }.keys.min()
      guard let record = id.flatMap({ context.record(with: $0) }) else { return nil }
      return record.entityName.map(isSuitable) ?? false ? record : nil
    }
    func owner(_ label: String, _ name: PropertyName) -> Record? {
      record(label) { model.relationships($0).contains { $0.name == name } }
    }
    func other(_ label: String, _ owner: Record, _ name: PropertyName) -> Record? {
      let relationships = owner.entityName.map(model.relationships) ?? []
      guard let relationship = relationships.first(where: { $0.name == name }) else { return nil }
      return record(label) { model.isKind($0, of: relationship.destination) }
    }
    switch edit {
    case .insert(let entity, let key):
      let record = try context.insert(entity)
      for (name, value) in key { set(value, name, of: record) }
    case .delete(let label):
      guard let record = record(label) else { return false }
      context.delete(record)
    case .value(let label, let name, let value):
      guard let record = record(label, where: { model.attributes($0).contains { $0.name == name } }) else {
        return false
      }
      set(value, name, of: record)
    case .link(let label, let relationship, let labels):
      guard let owner = owner(label, relationship.name) else { return false }
      let others = labels.compactMap { other($0, owner, relationship.name) }
      guard others.count == labels.count else { return false }
      if relationship.isToMany {
        owner[relationship.name] = others
      } else {
        owner[relationship.name] = others.first
      }
    case .add(let label, let name, let member):
      guard let owner = owner(label, name), let member = other(member, owner, name) else { return false }
      owner.add(member, to: name)
    case .remove(let label, let name, let member):
      guard let owner = owner(label, name), let member = other(member, owner, name) else { return false }
      owner.remove(member, from: name)
    }
    return true
  }

  private func set(_ value: JSONValue?, _ name: PropertyName, of record: Record) {
    switch value {
    case .string(let text): record[name] = text
    case .boolean(let boolean): record[name] = boolean
    case .number(let number): record[name] = number.int64Value
    default: record[name] = nil as String?
    }
  }
}
