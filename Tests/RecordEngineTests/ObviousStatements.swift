import RecordEngine

/// What a context has to add to its base: for each property the latest statement, by whom it was made, and nothing else.
struct ObviousStatements {
  struct Said<Value: Equatable>: Equatable {
    var value: Value
    var isByHand: Bool
  }

  struct End: Hashable {
    var key: String
    var property: String
  }

  enum EndValue: Equatable {
    case target(String?)
    case without(String)
  }

  struct Pair: Hashable {
    var end: End
    var other: String
  }

  private var inserted: [(key: String, entity: String)] = []
  private var deleted: Set<String> = []
  private var names: [String: Said<String?>] = [:]
  private var ends: [End: Said<EndValue>] = [:]
  private var pairs: [Pair: Said<Bool>] = [:]
}

// MARK: - Making statements

extension ObviousStatements {
  /// - Parameter view: the graph before.
  mutating func say(_ change: ObviousGraph.Change, byHand: Bool, view: ObviousGraph) {
    switch change {
    case .insert(let key, let entity): inserted.append((key, entity))
    case .delete(let key): deleted.insert(key)
    case .name(let key, let name):
      if byHand || !(names[key]?.isByHand ?? false) { names[key] = Said(value: name, isByHand: byHand) }
    case .link(let key, let property, let other): link(End(key: key, property: property), other, byHand)
    case .add(let key, let property, let other):
      if let end = Self.memberEnd(key, property, other) {
        link(end, key, byHand)
      } else {
        set(Pair(end: End(key: key, property: property), other: other), true, byHand)
      }
    case .remove(let key, let property, let other):
      guard let end = Self.memberEnd(key, property, other) else {
        return set(Pair(end: End(key: key, property: property), other: other), false, byHand)
      }
      let isMember = view.members(key, property).contains(other)
      switch ends[end] {
      case .some(let said) where said.isByHand:
        guard isMember else { return }
        if case .target = said.value { set(end, .target(nil), true) } else { set(end, .without(key), true) }
      case .some: set(end, isMember ? .target(nil) : .without(key), true)
      case nil: set(end, .without(key), true)
      }
    }
  }

  /// The end of a member that has one owner at most.
  private static func memberEnd(_ key: String, _ property: String, _ other: String) -> End? {
    guard let inverse = ObviousGraph.properties[property]?.inverse,
      ObviousGraph.properties[inverse]?.isToOne ?? false
    else { return nil }
    return End(key: other, property: inverse)
  }

  private static func inverse(_ property: String) -> String { ObviousGraph.properties[property]?.inverse ?? "" }

  private static func isOneToOne(_ property: String) -> Bool {
    ObviousGraph.properties[inverse(property)]?.isToOne ?? false
  }

  private func isByHand(_ end: End, _ target: String?) -> Bool {
    guard let said = ends[end], said.isByHand else { return false }
    if case .without(let former) = said.value { return former == target }
    return true
  }

  private mutating func link(_ end: End, _ other: String?, _ byHand: Bool) {
    let isOneToOne = Self.isOneToOne(end.property)
    let otherEnd = other.map { End(key: $0, property: Self.inverse(end.property)) }
    if !byHand {
      if isByHand(end, other) { return }
      if isOneToOne, let otherEnd, isByHand(otherEnd, end.key) { return }
    }
    set(end, .target(other), byHand)
    if isOneToOne, let otherEnd { set(otherEnd, .target(end.key), byHand) }
  }

  /// What a one-to-one leaves is nobody's.
  private mutating func set(_ end: End, _ value: EndValue, _ byHand: Bool) {
    if Self.isOneToOne(end.property), case .target(let former?)? = ends[end]?.value,
      value != .target(former)
    {
      let partner = End(key: former, property: Self.inverse(end.property))
      if ends[partner]?.value == .target(end.key) { ends[partner]?.value = .target(nil) }
    }
    ends[end] = Said(value: value, isByHand: byHand)
  }

  private mutating func set(_ pair: Pair, _ isThere: Bool, _ byHand: Bool) {
    let inverse = Pair(
      end: End(key: pair.other, property: Self.inverse(pair.end.property)), other: pair.end.key)
    for pair in [pair, inverse] where byHand || !(pairs[pair]?.isByHand ?? false) {
      pairs[pair] = Said(value: isThere, isByHand: byHand)
    }
  }
}

// MARK: - Combining

extension ObviousStatements {
  /// What a child has saved counts more, by hand or not.
  mutating func add(_ later: ObviousStatements) {
    inserted += later.inserted
    deleted.formUnion(later.deleted)
    names.merge(later.names) { _, later in later }
    pairs.merge(later.pairs) { _, later in later }
    for (end, said) in later.ends { set(end, said.value, said.isByHand) }
  }

  /// A later response counts more than those before it, whether or not it changes anything.
  mutating func forgetResponses(about said: [ObviousGraph.Change]) {
    var others = ObviousStatements()
    for change in said { others.say(change, byHand: false, view: ObviousGraph()) }
    names = names.filter { $0.value.isByHand || others.names[$0.key] == nil }
    ends = ends.filter { $0.value.isByHand || others.ends[$0.key] == nil }
    pairs = pairs.filter { $0.value.isByHand || others.pairs[$0.key] == nil }
  }

  /// What responses have said and the base has by now is unsaved no more.
  mutating func forgetResponses(in base: ObviousGraph) {
    inserted.removeAll { base.nodes[$0.key] != nil }
    names = names.filter { key, said in
      said.isByHand || base.nodes[key] == nil || base.nodes[key]?.name != said.value
    }
    ends = ends.filter { end, said in
      guard !said.isByHand, base.nodes[end.key] != nil, case .target(let target) = said.value else {
        return true
      }
      return base.members(end.key, end.property) != Set([target].compactMap(\.self))
    }
    pairs = pairs.filter { pair, said in
      said.isByHand || base.members(pair.end.key, pair.end.property).contains(pair.other) != said.value
    }
  }
}

// MARK: - Applying

extension ObviousGraph {
  /// - Returns: how many deletions a `deny` rule forbids.
  @discardableResult
  mutating func apply(_ statements: ObviousStatements) -> Int { statements.apply(to: &self) }
}

extension ObviousStatements {
  fileprivate func apply(to graph: inout ObviousGraph) -> Int {
    let base = graph
    var changes: [ObviousGraph.Change] = inserted.filter { base.nodes[$0.key] == nil }
      .map { .insert($0.key, entity: $0.entity) }
    changes += names.map { .name($0.key, $0.value.value) }
    let isThere = Set(base.nodes.keys).union(inserted.map(\.key))
    var links: [ObviousGraph.Change] = []
    for (end, said) in ends.sorted(by: { ($0.key.key, $0.key.property) < ($1.key.key, $1.key.property) })
    where isThere.contains(end.key) {
      switch said.value {
      case .target(nil): changes.append(.link(end.key, end.property, nil))
      case .target(let target?):
        if isThere.contains(target) { links.append(.link(end.key, end.property, target)) }
      case .without(let owner): changes.append(.remove(end.key, end.property, owner))
      }
    }
    for (pair, said) in pairs where !said.value {
      changes.append(.remove(pair.end.key, pair.end.property, pair.other))
    }
    for (pair, said) in pairs where said.value {
      links.append(.add(pair.end.key, pair.end.property, pair.other))
    }
    return graph.apply(changes + links + deleted.map { .delete($0) })
  }
}
