import JSONTree
import RecordModel

extension JSONValue {
  /// Takes over, key by key, the first value that is not null, as `deep` has it. Rule: `merge.strategy`.
  mutating func fill(from other: JSONValue) {
    guard case .object(var members) = self, case .object(let others) = other else { return }
    for (key, value) in others where members[key] ?? .null == .null { members[key] = value }
    self = .object(members)
  }

  /// Removes what a path leads to. An element of an array that is removed leaves a null, so that the others keep their
  /// positions.
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
