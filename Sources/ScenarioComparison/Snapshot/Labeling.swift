import JSONTree
import OrderedCollections
import RecordModel
import ScenarioFormat

extension UnlabeledGraph {
  /// Labels every record by its key, its owner or its content. The labels do not depend on the order of the records or
  /// on their ids.
  ///
  /// A record is labeled by its key if no other record has the same key. Records without a key, and records that share
  /// one, are ordered by the records that link to them, then by their content, and numbered. Linear in the number of
  /// records and links if every record has a unique key.
  package func labeled() -> LabeledGraph<ID> {
    let labeling = Labeling(self)
    var labels: [ID: RecordLabel] = [:]
    var snapshots: [RecordLabel: RecordSnapshot] = [:]
    for (index, record) in labeling.records.enumerated() {
      labels[record.id] = labeling.labels[index]
      snapshots[labeling.labels[index]] = labeling.snapshot(of: index)
    }
    return LabeledGraph(snapshot: GraphSnapshot(records: snapshots), labels: labels)
  }
}

/// The source of a record's label.
private enum Identity {
  case key(RecordLabel)
  /// A key that is a to-one relationship to the record with this index.
  case owner(Int)
  case none
}

private struct Labeling<ID: Hashable & Sendable> {
  let records: [UnlabeledRecord<ID>]
  private(set) var labels: [RecordLabel] = []
  private let indexOfID: [ID: Int]

  init(_ graph: UnlabeledGraph<ID>) {
    records = graph.records
    indexOfID = Dictionary(
      graph.records.enumerated().map { ($1.id, $0) }, uniquingKeysWith: { first, _ in first })
    let identities = Self.identities(of: records, indexOfID: indexOfID)
    let bases = Self.bases(identities, of: records)
    labels = bases.map { $0 ?? RecordLabel(rawValue: "") }
    let unresolved = Self.unresolved(identities, bases: bases)
    if !unresolved.isEmpty { number(unresolved, identities: identities, bases: bases) }
  }

  func snapshot(of index: Int) -> RecordSnapshot {
    let record = records[index]
    var properties: [PropertyName: PropertySnapshot] = [:]
    for (name, value) in record.properties {
      switch value {
      case .attribute(let value, let type): properties[name] = .attribute(value, type)
      case .toOne(let id, let destination): properties[name] = .toOne(label(of: id, destination))
      case .toMany(let ids, let destination, let isOrdered) where !ids.isEmpty:
        let members = ids.map { label(of: $0, destination) }
        properties[name] = .toMany(isOrdered ? members : members.sorted(), isOrdered: isOrdered)
      case .toMany: break
      }
    }
    return RecordSnapshot(label: labels[index], entity: record.entity, properties: properties)
  }

  private func label(of id: ID, _ destination: EntityName) -> RecordLabel {
    indexOfID[id].map { labels[$0] } ?? .dangling(destination)
  }
}

// Labels from keys and owners
extension Labeling {
  private static func identities(
    of records: [UnlabeledRecord<ID>], indexOfID: [ID: Int]
  ) -> [Identity] {
    records.map { record in
      if record.key.count == 1, case .toOne(let id, _) = record.properties[record.key[0]] {
        return indexOfID[id].map(Identity.owner) ?? .none
      }
      return record.keyLabel.map(Identity.key) ?? .none
    }
  }

  /// Returns the label of each record before numbering. It is nil for records without a key, for records whose owner
  /// has no key, and for records in a cycle of owners.
  private static func bases(
    _ identities: [Identity], of records: [UnlabeledRecord<ID>]
  ) -> [RecordLabel?] {
    var bases: [RecordLabel?] = identities.map { if case .key(let label) = $0 { label } else { nil } }
    for start in identities.indices where bases[start] == nil {
      var chain: [Int] = []
      var seen: Set<Int> = []
      var current = start
      while bases[current] == nil, case .owner(let next) = identities[current], seen.insert(current).inserted
      {
        chain.append(current)
        current = next
      }
      guard var base = bases[current] else { continue }
      for index in chain.reversed() {
        base = .owned(records[index].entity, by: base)
        bases[index] = base
      }
    }
    return bases
  }

  /// Returns the records whose labels depend on the order of the records:
  ///
  /// - records without a label
  /// - records with a label that others share
  /// - records with a label that contains such a label
  private static func unresolved(_ identities: [Identity], bases: [RecordLabel?]) -> [Int] {
    var counts: [RecordLabel: Int] = [:]
    for base in bases { if let base { counts[base, default: 0] += 1 } }
    var state = bases.map { $0.map { counts[$0, default: 0] > 1 } ?? true }
    for start in identities.indices where !state[start] {
      var chain: [Int] = []
      var current = start
      while !state[current], case .owner(let next) = identities[current] {
        chain.append(current)
        current = next
      }
      if state[current] { for index in chain { state[index] = true } }
    }
    return state.indices.filter { state[$0] }
  }
}

// Labels from an order
extension Labeling {
  private mutating func number(_ unresolved: [Int], identities: [Identity], bases: [RecordLabel?]) {
    let order = CanonicalOrder.of(nodes(of: unresolved, bases: bases))

    // Owners come before the records that they own, because labels contain the labels of owners.
    var isNamed = Array(repeating: true, count: records.count)
    for index in unresolved { isNamed[index] = false }
    for level in levels(of: order.map { unresolved[$0] }, identities: identities, isNamed: isNamed) {
      var groups: OrderedDictionary<RecordLabel, [Int]> = [:]
      for index in level {
        if case .owner(let owner) = identities[index], isNamed[owner] {
          groups[.owned(records[index].entity, by: labels[owner]), default: []].append(index)
        } else {
          let base = bases[index] ?? RecordLabel(rawValue: records[index].entity.rawValue)
          groups[base, default: []].append(index)
        }
      }
      for (base, members) in groups {
        // The only record of an owner needs no number. A record that has neither a key nor an owner always gets one.
        if members.count == 1, base.owner != nil {
          labels[members[0]] = base
        } else {
          for (number, index) in members.enumerated() { labels[index] = base.numbered(number + 1) }
        }
      }
      for index in level { isNamed[index] = true }
    }
  }

  /// Groups the records by their distance from an owner with a label, or from a record without an owner. Records that
  /// own each other in a cycle count as records without an owner.
  private func levels(of indices: [Int], identities: [Identity], isNamed: [Bool]) -> [[Int]] {
    var depth: [Int: Int] = [:]
    for start in indices where depth[start] == nil {
      var chain: [Int] = []
      var positionInChain: [Int: Int] = [:]
      var current = start
      var level = 0
      while true {
        if let known = depth[current] {
          level = known + 1
          break
        }
        if let ring = positionInChain[current] {
          for index in chain[ring...] { depth[index] = 0 }
          chain.removeSubrange(ring...)
          level = 1
          break
        }
        positionInChain[current] = chain.count
        chain.append(current)
        guard case .owner(let owner) = identities[current], !isNamed[owner] else { break }
        current = owner
      }
      for index in chain.reversed() {
        depth[index] = level
        level += 1
      }
    }
    var levels: [[Int]] = []
    for index in indices {
      let level = depth[index] ?? 0
      while levels.count <= level { levels.append([]) }
      levels[level].append(index)
    }
    return levels
  }

  private func nodes(of unresolved: [Int], bases: [RecordLabel?]) -> [CanonicalOrder.Node] {
    var nodeOfIndex: [Int: Int] = [:]
    for (node, index) in unresolved.enumerated() { nodeOfIndex[index] = node }

    var nodes = unresolved.map { index in
      CanonicalOrder.Node(
        name: (bases[index]?.rawValue ?? records[index].entity.rawValue), content: records[index].content)
    }
    for (source, record) in records.enumerated() {
      let sourceNode = nodeOfIndex[source]
      for (name, value) in record.properties {
        let ids: [ID]
        var isOrdered = false
        switch value {
        case .attribute: continue
        case .toOne(let id, _): ids = [id]
        case .toMany(let members, _, let ordered): (ids, isOrdered) = (members, ordered)
        }
        for (position, id) in ids.enumerated() {
          let target = indexOfID[id]
          let targetNode = target.flatMap { nodeOfIndex[$0] }
          let position = isOrdered ? position : 0
          switch (sourceNode, targetNode) {
          case (nil, nil): break
          case (nil, .some(let node)):
            nodes[node].owners.append(
              .init(label: labels[source], property: name.rawValue, position: position))
          case (.some(let node), nil):
            let label = target.map { labels[$0] } ?? ""
            nodes[node].links.append(.init(label: label, property: name.rawValue, position: position))
          case (.some(let from), .some(let to)):
            nodes[from].edges.append(
              .init(property: name.rawValue, isIncoming: false, position: position, to))
            nodes[to].edges.append(.init(property: name.rawValue, isIncoming: true, position: position, from))
          }
        }
      }
    }
    return nodes
  }
}
