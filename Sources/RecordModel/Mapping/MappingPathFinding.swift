package import JSONTree

/// The result of looking up a path.
package enum PathFinding: Sendable {
  /// A single value, which may be null.
  case node(JSONNode)
  /// The results in the elements of an array on the path, in order.
  case list([PathFinding])
  /// The number of elements or members, or a position.
  case count(Int)
}

extension MappingPath {
  /// Looks up the path; returns nil if it is absent.
  ///
  /// At an array, the path continues in each element, and the results form a list. Elements without a result are
  /// omitted. The list is present even if it is empty. A null at the end of a path is a result; a null before the end
  /// makes the path absent. Rules: `mapping.key-path`, `mapping.first-match`.
  ///
  /// - Complexity: linear in the number of members and elements on the path.
  package func find(in node: JSONNode) -> PathFinding? {
    if let key = singleKey, node.kind == .object { return node[key].map(PathFinding.node) }
    return syntaxError == nil ? Self.find(components[...], in: node) : nil
  }

  private static func find(_ components: ArraySlice<Component>, in node: JSONNode) -> PathFinding? {
    guard let component = components.first else { return .node(node) }
    let next = components.dropFirst()
    switch (component, node.kind) {
    case (.key(let key), .object): return node[key].flatMap { find(next, in: $0) }
    case (.key, .array): return .list(node.elements.compactMap { find(components, in: $0) })
    case (.index(let index), .array):
      return node[Component.position(ofIndex: index, among: node.count)].flatMap { find(next, in: $0) }
    case (.first(let path, let value), .array):
      return node.elements.first { path.find(in: $0)?.isEqual(to: value) ?? false }.flatMap {
        find(next, in: $0)
      }
    case (.around(.parent), _): return node.enclosingObject.flatMap { find(next, in: $0) }
    case (.around(.root), _): return node.outermost.flatMap { find(next, in: $0) }
    case (.around(.request), _): return node.request.flatMap { find(next, in: $0) }
    case (.around(.index), _): return node.enclosingPosition.map(PathFinding.count)
    case (.around(.key), _): return node.enclosingKey.map { .node(JSONDocument(.string($0)).root) }
    case (.count, .array), (.count, .object): return .count(node.count)
    case (.unionOfObjects, .array): return .list(node.elements.compactMap { find(next, in: $0) })
    default: return nil
    }
  }
}

extension PathFinding {
  fileprivate func isEqual(to value: JSONValue) -> Bool {
    if case .node(let node) = self { node.value == value } else { false }
  }

  /// The result as one node. A list becomes an array and a count becomes a number, each in a new document.
  package var node: JSONNode {
    switch self {
    case .node(let node): node
    case .list, .count: JSONDocument(value).root
    }
  }

  /// The nodes of the result in order, with nested arrays flattened. A null is a node.
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
