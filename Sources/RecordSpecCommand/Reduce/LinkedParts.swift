import ScenarioFormat
import ScenarioReport

/// The parts of a scenario that refer to each other by name, so that none of them can be removed alone.
enum LinkedParts {
  /// Returns all sets of linked parts. Linear in the number of parts.
  static func sets(in parts: RemovableParts) -> [[Int]] { exchanges(in: parts) + models(in: parts) }

  /// Returns each address with the steps that request it. Without its step, a response is unused. If an address has a list
  /// of responses, also returns each of them with its step.
  private static func exchanges(in parts: RemovableParts) -> [[Int]] {
    var steps: [String: [Int]] = [:]
    for step in parts.children(of: parts.topLevel("steps")) {
      if let urn = parts.parts[step].value["urn"]?.scalar?.text { steps[urn, default: []].append(step) }
    }
    return parts.children(of: parts.topLevel("responses")).flatMap { address -> [[Int]] in
      // An address may begin with a method.
      let urn = parts.parts[address].key?.split(separator: " ").last.map(String.init) ?? ""
      guard let requests = steps[urn] else { return [] }
      let responses = parts.parts[address].value.elements == nil ? [] : parts.children(of: address)
      return [[address] + requests] + zip(responses, requests).map { [$0, $1] }
    }
  }

  /// Returns each entity with the relationships that lead to it, and each relationship with its inverse.
  private static func models(in parts: RemovableParts) -> [[Int]] {
    func members(_ key: String, of part: Int?) -> [Int] { parts.children(of: parts.child(key, of: part)) }
    func text(_ key: String, of part: Int) -> String? {
      parts.parts[part].value[key]?.scalar?.text
    }
    let entities = members("entities", of: parts.topLevel("model"))
    var incoming: [String: [Int]] = [:]
    var relationships: [String: [String: Int]] = [:]
    for entity in entities {
      guard let name = parts.parts[entity].key else { continue }
      for relationship in members("relationships", of: entity) {
        parts.parts[relationship].key.map { relationships[name, default: [:]][$0] = relationship }
        let destination = text("to", of: relationship) ?? text("toMany", of: relationship)
        destination.map { incoming[$0, default: []].append(relationship) }
      }
      parts.child("parent", of: entity).flatMap { parts.parts[$0].value.scalar?.text }
        .map { incoming[$0, default: []].append(entity) }
    }
    var sets: [[Int]] = []
    for entity in entities {
      guard let name = parts.parts[entity].key, let links = incoming[name] else { continue }
      sets.append([entity] + links)
    }
    for entity in entities {
      guard let name = parts.parts[entity].key else { continue }
      for relationship in members("relationships", of: entity) {
        guard let destination = text("to", of: relationship) ?? text("toMany", of: relationship),
          let inverse = text("inverse", of: relationship).flatMap({ relationships[destination]?[$0] }),
          relationship != inverse, destination != name || relationship < inverse
        else { continue }
        sets.append([relationship, inverse])
      }
    }
    return sets
  }
}
