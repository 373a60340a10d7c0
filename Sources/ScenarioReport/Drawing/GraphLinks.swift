import RecordModel
import ScenarioComparison
import ScenarioFormat

/// The links of a graph before and after a step. A relationship and its inverse are one link.
struct GraphLinks {
  struct Link: Hashable, Comparable {
    let start: RecordLabel
    let end: RecordLabel
    /// The name of the relationship, or of a pair of inverse relationships: `posts / author`.
    let text: String
    let isTwoWay: Bool

    static func < (left: Link, right: Link) -> Bool {
      (left.start, left.end, left.text) < (right.start, right.end, right.text)
    }
  }

  private let before: Set<Link>
  private let after: Set<Link>
  /// The links before and after the step, sorted.
  let all: [Link]
  /// The records before and after the step, and those that a link names although they do not exist, in an order
  /// for people.
  let labels: [RecordLabel]

  /// Creates the links. Linear in the size of the graphs, apart from sorting.
  init(before: GraphSnapshot, after: GraphSnapshot, model: Schema) {
    self.before = Self.links(of: before, model)
    self.after = before == after ? self.before : Self.links(of: after, model)
    all = self.before.union(self.after).sorted()
    let named = all.flatMap { [$0.start, $0.end] }
    labels = Set(named).union(before.records.keys).union(after.records.keys).sortedForReading()
  }

  func change(of link: Link) -> GraphDrawing.Change {
    switch (before.contains(link), after.contains(link)) {
    case (false, true): .inserted
    case (true, false): .deleted
    default: .none
    }
  }

  private static func links(of graph: GraphSnapshot, _ model: Schema) -> Set<Link> {
    var links: Set<Link> = []
    for (label, record) in graph.records {
      for (name, property) in record.properties where !property.links.isEmpty {
        let relationship = model.relationship(name, of: record.entity)
        let inverse = relationship?.inverse.map { model.relationships[$0] }
        let isForward = relationship.map { Self.isForward($0, inverse) } ?? true
        let first = isForward ? name : inverse?.name ?? name
        let second = isForward ? inverse?.name : name
        // A relationship may be its own inverse.
        let isSymmetric = relationship != nil && relationship?.index == inverse?.index
        let text = [first, isSymmetric ? nil : second].compactMap { $0?.rawValue }.joined(separator: " / ")
        for other in property.links {
          let isStart = isSymmetric ? label < other : isForward
          links.insert(
            Link(
              start: isStart ? label : other, end: isStart ? other : label, text: text,
              isTwoWay: inverse != nil))
        }
      }
    }
    return links
  }

  /// Returns a Boolean value that indicates whether links are drawn in the direction of a relationship: from the owner
  /// to its members, or in the direction of the relationship that is declared first.
  private static func isForward(_ relationship: SchemaRelationship, _ inverse: SchemaRelationship?) -> Bool {
    guard let inverse else { return true }
    if relationship.isToMany != inverse.isToMany { return relationship.isToMany }
    return relationship.index <= inverse.index
  }
}
