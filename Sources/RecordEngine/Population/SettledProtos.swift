import RecordModel

/// The records that the items of a response are, each with what counts for it, before any record is looked for.
struct SettledProtos: ~Copyable {
  private(set) var protos: [ProtoRecord]
  let summary: ItemSummary

  /// Takes the protos out of the items that were met.
  init(_ met: inout MetItems) {
    protos = met.takeProtos()
    summary = met.summary
    dropUnreachable()
  }

  /// Protos that only superseded dictionaries speak of are no records, nor those of which only records speak that are
  /// gone. Rules: `population.effective`, `merge.once`, `orphans.tombstone`.
  private mutating func dropUnreachable() {
    for root in summary.roots { protos[root].isReachable = true }
    var keysOfTombstones: [ProtoIndex] = []
    // Nearly all have been met before those that they lead to: in that order, which is that of memory, one pass is enough
    // for them.
    var pending: [ProtoIndex] = []
    for index in protos.elementIndices where protos[index].isReachable {
      reachOthers(from: index, before: index, &pending, &keysOfTombstones)
      while let proto = pending.popLast() {
        reachOthers(from: proto, before: index, &pending, &keysOfTombstones)
      }
    }
    for proto in keysOfTombstones { lookUp(proto) }
  }

  /// A parent that only items name whose records are gone is looked up, for these to be found, and nothing else.
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

  /// - Parameter passed: the proto up to which all have been gone over; those behind it wait for their turn.
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
