import JSONTree
import RecordEngine
import RecordModel
import ScenarioFormat

/// Values that stand for several records or for one record, but are read as keys.
extension ResponseLint {
  /// Returns a warning for each entity and address with a text that lists keys, or with arrays of values.
  func misreadShapes() -> [AuthorDiagnostic] {
    var known: Set<[String]> = []
    return responses.flatMap { received -> [AuthorDiagnostic] in
      // One value of each entity suffices. A pointer takes the time to read the response up to it.
      var values: [EntityName: JSONNode] = [:]
      var texts: [EntityName: JSONNode] = [:]
      for record in received.response.population?.records ?? [] {
        for item in record.items where [.string, .number].contains(item.node.kind) {
          if values[record.entity] == nil { values[record.entity] = item.node }
          if texts[record.entity] == nil, item.node.string?.contains(",") ?? false {
            texts[record.entity] = item.node
          }
        }
      }
      let found =
        values.compactMap { row($0.value, of: $0.key, in: received) }
        + texts.compactMap { list($0.value, of: $0.key, in: received) }
      return found.sorted { $0.subject < $1.subject }.filter {
        known.insert([$0.subject, received.response.request.urn]).inserted
      }.map(\.warning)
    }
  }

  private typealias Shape = (subject: String, warning: AuthorDiagnostic)

  /// Returns the warning about an array of several values in a list; nil if the value is not in one.
  private func row(_ value: JSONNode, of entity: EntityName, in received: Received) -> Shape? {
    let tokens = value.pointer.tokens
    guard tokens.count > 1,
      let row = received.response.node(at: JSONPointer(tokens: Array(tokens.dropLast()))), row.kind == .array,
      let list = received.response.node(at: JSONPointer(tokens: Array(tokens.dropLast(2)))),
      list.kind == .array,
      row.count > 1, row.elements.allSatisfy({ ![.object, .array].contains($0.kind) })
    else { return nil }
    return warning(
      row, entity, received,
      "an array of values is not read as one '\(entity)': each value is the key of a record",
      "the items must be objects: convert rows before the engine reads them")
  }

  /// Returns the warning about a text with commas in place of a list; nil if the value is something else.
  private func list(_ text: JSONNode, of entity: EntityName, in received: Received) -> Shape? {
    let schema = scenario.model.schema
    let path = MappingPath(keys: text.pointer.tokens.suffix(1))
    guard let destination = schema.indices[entity], Int(path.keyText) == nil,
      let relationship = schema.relationships.first(where: {
        $0.isToMany && schema.isKind(destination, of: $0.destination)
          && $0.paths.contains { $0.components.last == path.components.last }
      })
    else { return nil }
    return warning(
      text, entity, received,
      "a text in place of a list is one '\(entity)', with the whole text as its key",
      "send '\(relationship.name)' as an array, or store the text in an attribute")
  }

  private func warning(
    _ node: JSONNode, _ entity: EntityName, _ received: Received, _ message: String, _ advice: String
  ) -> Shape {
    let span = span(of: node, at: node.pointer, in: received)
    return (
      entity.rawValue,
      AuthorDiagnostic(
        .wrappedItems, of: entity.rawValue, at: span.map { .span($0) } ?? .file(scenario.file.path), message,
        advice: advice)
    )
  }
}
