import JSONTree
import OrderedCollections
import RecordModel

/// The dictionaries that records keep. Rules: `dynamic.store`, `dynamic.relationships`.
extension Population {
  /// What counts for a record, without its relationships.
  func keptDictionary(of proto: ProtoRecord) -> JSONValue {
    let entity = schema.entities[proto.entity]
    let item = proto.effective.item
    let findings = proto.effective.findings
    // A hook's dictionary stands in a document of its own.
    let isItem = findings.document === item.node.document
    var dictionary = (isItem ? item.dictionary(of: entity) : findings.node).value
    for merged in proto.effective.mergedItems { fill(&dictionary, from: merged.dictionary(of: entity).value) }
    for relationship in entity.relationships {
      for path in schema.relationships[relationship].paths {
        dictionary.remove(path)
      }
    }
    return dictionary
  }

  /// Key by key the first value that is not null, as `deep` has it. Rule: `merge.strategy`.
  private func fill(_ dictionary: inout JSONValue, from other: JSONValue) {
    guard case .object(var members) = dictionary, case .object(let others) = other else { return }
    for (key, value) in others where members[key] ?? .null == .null { members[key] = value }
    dictionary = .object(members)
  }
}

extension JSONValue {
  /// Takes out what a path leads to. An element of an array that is taken out leaves a null, so that the others keep their
  /// places.
  mutating func remove(_ path: MappingPath) { remove(path.components[...]) }

  private mutating func remove(_ path: ArraySlice<MappingPath.Component>) {
    guard let component = path.first else { return }
    let rest = path.dropFirst()
    switch (component, self) {
    case (.key(let key), .object(var members)):
      guard var value = members[key] else { return }
      if rest.isEmpty {
        members[key] = nil
      } else {
        value.remove(rest)
        members[key] = value
      }
      self = .object(members)
    case (.key, .array(var elements)):
      for index in elements.indices { elements[index].remove(path) }
      self = .array(elements)
    case (.unionOfObjects, .array(var elements)):
      for index in elements.indices { elements[index].remove(rest) }
      self = .array(elements)
    case (.index(let index), .array(var elements)):
      guard elements.indices.contains(index) else { return }
      if rest.isEmpty { elements[index] = .null } else { elements[index].remove(rest) }
      self = .array(elements)
    default: break
    }
  }
}
