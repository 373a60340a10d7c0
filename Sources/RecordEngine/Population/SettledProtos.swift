import RecordModel

/// The protos of a response after duplicates have been settled, and before stored records are looked up.
struct SettledProtos: ~Copyable {
  private(set) var protos: [ProtoRecord]
  let summary: ItemSummary

  /// Creates the settled protos by moving the protos out of the items.
  init(_ met: inout VisitedItems) {
    protos = met.takeProtos()
    summary = met.summary
    dropUnreachable()
  }

  /// Determines the reachable protos. Protos that only superseded dictionaries or only tombstones mention do not become
  /// records. Rules: `merge.once`, `orphans.tombstone`, `population.effective`.
  private mutating func dropUnreachable() {
    for root in summary.roots + summary.others { protos[root].isReachable = true }
    var keysOfTombstones: [ProtoIndex] = []
    // Nearly all protos come before the protos that they lead to. For these, one pass in the order of memory suffices.
    var pending: [ProtoIndex] = []
    for index in protos.elementIndices where protos[index].isReachable {
      reachOthers(from: index, before: index, &pending, &keysOfTombstones)
      while let proto = pending.popLast() {
        reachOthers(from: proto, before: index, &pending, &keysOfTombstones)
      }
    }
    for proto in keysOfTombstones { lookUp(proto) }
  }

  /// Marks a parent that only tombstones name as reachable, only so that their records can be found.
  private mutating func lookUp(_ proto: ProtoIndex) {
    var next: ProtoIndex? = proto
    while let current = next, !protos[current].isReachable {
      protos[current].isReachable = true
      protos[current].mayBeCreated = false
      protos[current].effective.isFull = false
      protos[current].effective.children = []
      next = protos[current].parent
    }
  }

  /// Marks the protos that a proto leads to as reachable.
  ///
  /// - Parameter passed: the proto up to which the pass has advanced. Later protos are processed when the pass reaches
  ///   them.
  private mutating func reachOthers(
    from proto: ProtoIndex, before passed: ProtoIndex, _ pending: inout [ProtoIndex],
    _ keysOfTombstones: inout [ProtoIndex]
  ) {
    if protos[proto].isTombstone {
      if let parent = protos[proto].parent { keysOfTombstones.append(parent) }
      return
    }
    for children in protos[proto].effective.children {
      for link in children.links { reach(link.proto, before: passed, &pending) }
      for child in children.unlinked { reach(child, before: passed, &pending) }
    }
    if let parent = protos[proto].parent { reach(parent, before: passed, &pending) }
  }

  private mutating func reach(_ proto: ProtoIndex, before passed: ProtoIndex, _ pending: inout [ProtoIndex]) {
    guard !protos[proto].isReachable else { return }
    protos[proto].isReachable = true
    if proto < passed { pending.append(proto) }
  }
}
