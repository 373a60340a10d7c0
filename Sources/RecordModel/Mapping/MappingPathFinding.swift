package import JSONTree

/// What a path found.
package enum PathFinding: Sendable {
  /// One value, null included.
  case node(JSONNode)
  /// What was found in the elements of an array on the way, in their order.
  case list([PathFinding])
  /// How many there are.
  case count(Int)
}

extension MappingPath {
  /// Looks the path up. Nil: it is absent. Linear in the members and elements on the way.
  ///
  /// An array on the way is walked element by element and gives a list of what is found, elements in which
  /// nothing is found left out: the list may be empty, and is present then too. A null is found at the end
  /// of a path, and absent on the way. Rules: `mapping.key-path`, `mapping.first-match`.
  package func find(in node: JSONNode) -> PathFinding? {
    if let key = singleKey, node.kind == .object { return node[key].map(PathFinding.node) }
    return syntaxError == nil ? Self.find(components[...], in: node) : nil
  }

  private static func find(_ rest: ArraySlice<Component>, in node: JSONNode) -> PathFinding? {
    guard let component = rest.first else { return .node(node) }
    let next = rest.dropFirst()
    switch (component, node.kind) {
    case (.key(let key), .object): return node[key].flatMap { find(next, in: $0) }
    case (.key, .array): return .list(node.elements.compactMap { find(rest, in: $0) })
    case (.index(let index), .array): return node[index].flatMap { find(next, in: $0) }
    case (.count, .array), (.count, .object): return .count(node.count)
    case (.unionOfObjects, .array): return .list(node.elements.compactMap { find(next, in: $0) })
    default: return nil
    }
  }
}

extension PathFinding {
  /// The finding as one node. A list becomes an array, a count a number, in a document of its own.
  package var node: JSONNode {
    switch self {
    case .node(let node): node
    case .list, .count: JSONDocument(value).root
    }
  }

  /// The nodes found, arrays within arrays flattened, in order. A list of none is empty; a null is a node.
  package var nodes: [JSONNode] {
    var nodes: [JSONNode] = []
    collect(into: &nodes)
    return nodes
  }

  private var value: JSONValue {
    switch self {
    case .node(let node): node.value
    case .list(let findings): .array(findings.map(\.value))
    case .count(let count): .number(JSONNumber(Int64(count)))
    }
  }

  private func collect(into nodes: inout [JSONNode]) {
    switch self {
    case .node(let node): Self.collect(node, into: &nodes)
    case .list(let findings): for finding in findings { finding.collect(into: &nodes) }
    case .count: nodes.append(node)
    }
  }

  private static func collect(_ node: JSONNode, into nodes: inout [JSONNode]) {
    guard node.kind == .array else { return nodes.append(node) }
    for element in node.elements { collect(element, into: &nodes) }
  }
}
