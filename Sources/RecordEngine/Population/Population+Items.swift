import JSONTree
import RecordModel

/// The response object becomes an array of items. Rules: `population.items`, `response.*`.
extension Population {
  mutating func items(of document: JSONDocument?) throws(RequestFailure) -> Items {
    let description = schema.entities[entity]
    guard let document else {
      report(.emptyResultSet, entity: entity, "the response has an empty body")
      return .none
    }
    for duplicate in document.duplicateKeys {
      let pointer = JSONPointer(tokens: duplicate.object.tokens + [duplicate.key])
      diagnostics.append(
        Diagnostic(
          .duplicateKey, pointer: pointer, response: response,
          message: "the key stands twice in its object; the last one counts"))
    }
    let found = Self.items(in: document, at: options.responseKeyPath ?? description.responseKeyPath)
    guard let found, !found.isNull else {
      report(.emptyResultSet, entity: entity, at: found.flatMap(place(of:)), "the response holds no items")
      return .none
    }
    if case .node(let node) = found, ![.object, .array].contains(node.kind),
      scalarProblem(node, entity) != nil
    {
      throw failure(
        .invalidResponseFormat, at: node, "a \(node.kind.rawValue) cannot be records of '\(description.name)'"
      )
    }
    let items = Items(in: found, keyedBy: description.responseKeyedBy)
    // What a path has gathered and is empty may as well be missing.
    // One object alone says nothing of what else there is.
    if case .node(let node) = found {
      hasList = node.kind == .array || description.responseKeyedBy != nil
    } else {
      hasList = !items.isEmpty
    }
    if items.isEmpty {
      report(.emptyResultSet, entity: entity, at: place(of: found), "the response holds no items")
    }
    return items
  }

  static func items(in document: JSONDocument, at path: MappingPath?) -> PathFinding? {
    guard document.root.kind == .object, let path else { return .node(document.root) }
    return path.find(in: document.root)
  }

  /// How many items a response has, whatever they are.
  static func itemCount(of document: JSONDocument, at path: MappingPath?, keyedBy attribute: AttributeIndex?)
    -> Int
  {
    guard let found = items(in: document, at: path), !found.isNull else { return 0 }
    return Items(in: found, keyedBy: attribute).reduce(0) { count, _ in count + 1 }
  }

  /// Why a scalar cannot stand for a record of `entity`; nil if it can. Rule: `response.scalar-item`.
  func scalarProblem(_ node: JSONNode, _ entity: EntityIndex) -> String? {
    let description = schema.entities[entity]
    guard case .attributes(let positions) = description.key, positions.count == 1 else {
      return "'\(description.name)' has no single attribute as key for it to be"
    }
    if node.kind == .boolean { return "a boolean is no key" }
    if node.string?.isEmpty ?? false { return "an empty string is no key" }
    let attribute = description.attributes[positions[0]]
    guard convert(node, attribute, entity) != nil else {
      return "it is no \(attribute.type.rawValue), as the key '\(attribute.name)' is"
    }
    return nil
  }
}
