import RecordModel
import ScenarioComparison
import ScenarioFormat
package import ScenarioRun

/// A drawing of a graph: nodes and edges, with the changes since the previous step. It is the same in each format.
///
/// A graph of at most 60 records has a node for each record. A larger one is folded: it has a node for each entity, with
/// the number of its records. The records that the step deleted count, too, and so do labels without a record.
package struct GraphDrawing: Hashable, Sendable {
  /// A change since the previous step.
  package enum Change: String, CaseIterable, Hashable, Sendable {
    case none, inserted, updated, deleted

    /// The sign before the text of what has changed, so that a change is visible without color. Empty for no change.
    package var sign: String {
      switch self {
      case .none: ""
      case .inserted: "+ "
      case .updated: "~ "
      case .deleted: "− "
      }
    }
  }

  package struct Node: Hashable, Sendable {
    /// The label of the record, or the name of the entity.
    package var title: String
    /// The texts below the title.
    package var lines: [String] = []
    package var change = Change.none
  }

  package struct Edge: Hashable, Sendable {
    /// The index of the node at the start.
    package var start: Int
    /// The index of the node at the end.
    package var end: Int
    /// The names of the relationships, the one from the start first: `posts / author`.
    package var text: String
    /// A Boolean value that indicates whether the relationships have inverses.
    package var isTwoWay: Bool
    package var change = Change.none
  }

  /// The name and the title of the scenario.
  package var title: String
  /// The step, and the number of records and changes.
  package var captions: [String]
  /// A Boolean value that indicates whether a node stands for all records of an entity.
  package var isFolded = false
  package var nodes: [Node] = []
  package var edges: [Edge] = []

  /// The maximum number of nodes.
  package static let limit = 60
}

extension GraphDrawing {
  /// Creates the drawing of the graph after a step. For 0, it is the graph before the first step, without changes.
  package init(of result: ActualResult, afterStep number: Int) {
    let after = result.executed.graph(afterStep: number)
    let before = number == 0 ? after : result.executed.graph(afterStep: number - 1)
    let changes = GraphChanges(before: before, after: after)
    title = "\(result.name): \(result.title)"
    let step = result.steps.indices.contains(number - 1) ? ": " + result.steps[number - 1].actionText : ""
    captions = [number == 0 ? "before step 1" : "after step \(number)\(step)", changes.summary]
    let links = GraphLinks(before: before, after: after, model: result.model)
    let labels = links.labels
    if labels.count > Self.limit {
      fold(labels, links, changes)
    } else {
      draw(labels, links, changes, result.model)
    }
  }

  private mutating func draw(
    _ labels: [RecordLabel], _ links: GraphLinks, _ changes: GraphChanges, _ model: Schema
  ) {
    var index: [RecordLabel: Int] = [:]
    for label in labels {
      index[label] = nodes.count
      nodes.append(
        Node(
          title: label.rawValue, lines: changes.lines(for: label, model: model),
          change: changes.change(of: label)))
    }
    var merged: [Edge: [String]] = [:]
    for link in links.all {
      guard let start = index[link.start], let end = index[link.end] else { continue }
      let edge = Edge(
        start: start, end: end, text: "", isTwoWay: link.isTwoWay, change: links.change(of: link))
      merged[edge, default: []].append(link.text)
    }
    edges = merged.map { edge, texts in
      var edge = edge
      edge.text = texts.joined(separator: ", ")
      return edge
    }.sorted()
  }

  private mutating func fold(_ labels: [RecordLabel], _ links: GraphLinks, _ changes: GraphChanges) {
    isFolded = true
    var counts: [EntityName: [Change: Int]] = [:]
    for label in labels {
      counts[changes.entity(of: label), default: [:]][changes.change(of: label), default: 0] += 1
    }
    let totals = counts.mapValues { $0.values.reduce(0, +) }
    let entities = totals.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.map(\.key)
    let drawn = entities.prefix(Self.limit).sorted()
    if entities.count > drawn.count {
      let rest = entities.dropFirst(Self.limit).reduce(0) { $0 + totals[$1, default: 0] }
      let more = entities.count - drawn.count
      captions.append("and \(more) more \(more == 1 ? "entity" : "entities") with \(counted(rest, "record"))")
    }
    var index: [EntityName: Int] = [:]
    for entity in drawn {
      index[entity] = nodes.count
      nodes.append(Self.node(entity, counts[entity, default: [:]]))
    }
    var merged: [Edge: Int] = [:]
    var differences: [Edge: [Change: Int]] = [:]
    for link in links.all {
      guard let start = index[changes.entity(of: link.start)], let end = index[changes.entity(of: link.end)]
      else { continue }
      let edge = Edge(start: start, end: end, text: link.text, isTwoWay: link.isTwoWay)
      let change = links.change(of: link)
      merged[edge, default: 0] += change == .deleted ? 0 : 1
      differences[edge, default: [:]][change, default: 0] += 1
    }
    edges = merged.map { edge, count in
      var edge = edge
      edge.text += " ×\(count)" + Self.signs(differences[edge, default: [:]])
      return edge
    }.sorted()
  }

  private static func node(_ entity: EntityName, _ counts: [Change: Int]) -> Node {
    let total = counts.values.reduce(0, +)
    var node = Node(title: entity.rawValue)
    node.lines = [counted(total - counts[.deleted, default: 0], "record")]
    for change in [Change.inserted, .updated, .deleted] {
      guard let count = counts[change] else { continue }
      node.lines.append("\(change.sign)\(count) \(change.rawValue)")
      if node.change == .none { node.change = count == total ? change : .updated }
    }
    return node
  }

  /// Returns the numbers of added and removed links: ` (+3 −1)`.
  private static func signs(_ counts: [Change: Int]) -> String {
    let parts = [(Change.inserted, "+"), (.deleted, "−")].compactMap { change, sign in
      counts[change].map { "\(sign)\($0)" }
    }
    return parts.isEmpty ? "" : " (\(parts.joined(separator: " ")))"
  }
}

extension GraphDrawing.Edge: Comparable {
  package static func < (left: Self, right: Self) -> Bool {
    (left.start, left.end, left.text, left.change.sign) < (
      right.start, right.end, right.text, right.change.sign
    )
  }
}
