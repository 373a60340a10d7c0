import RecordEngine

/// The unsaved statements of a context: for each property, the latest statement of the caller and the latest statement
/// of a response. The caller's statement takes precedence.
struct ObviousStatements {
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

  /// The statements of the caller or of responses.
  struct Layer {
    var names: [String: String?] = [:]
    var ends: [End: EndValue] = [:]
    var pairs: [Pair: Bool] = [:]
  }

  private var inserted: [(key: String, entity: String, byHand: Bool)] = []
  private(set) var deleted: Set<String> = []
  private var caller = Layer()
  private var responses = Layer()
}

extension ObviousStatements {
  /// The statements without deletions, except those of records that the caller has inserted.
  var withoutDeletions: ObviousStatements {
    var rest = self
    rest.deleted.formIntersection(inserted.filter(\.byHand).map(\.key))
    return rest
  }
}

// MARK: - Making statements

extension ObviousStatements {
  /// Adds the statement of a change.
  ///
  /// - Parameters:
  ///   - view: The graph before the change.
  ///   - base: The graph without these statements.
  mutating func say(
    _ change: ObviousGraph.Change, byHand: Bool, view: ObviousGraph, base: ObviousGraph
  ) {
    switch change {
    case .insert(let key, let entity): inserted.append((key, entity, byHand))
    case .delete(let key): deleted.insert(key)
    case .name, .link, .add, .remove:
      var said = Layer()
      said.say(change, view: view)
      if byHand {
        caller.say(change, view: view)
      } else {
        let isThere = Set(base.nodes.keys).union(inserted.map(\.key))
        responses.add(said.emptying(isThere), view: view)
        // If the base already has the value, the statement is not unsaved, even if the caller has changed the value.
        for (end, value) in said.ends where value == .target(base.members(end.key, end.property).first) {
          responses.ends[end] = nil
        }
      }
    }
  }
}

extension ObviousStatements.Layer {
  typealias End = ObviousStatements.End
  typealias EndValue = ObviousStatements.EndValue
  typealias Pair = ObviousStatements.Pair

  mutating func say(_ change: ObviousGraph.Change, view: ObviousGraph) {
    switch change {
    case .insert, .delete: break
    case .name(let key, let name): names.updateValue(name, forKey: key)
    case .link(let key, let property, let other): link(End(key: key, property: property), other)
    case .add(let key, let property, let other):
      if let end = Self.memberEnd(key, property, other) {
        link(end, key)
      } else {
        set(Pair(end: End(key: key, property: property), other: other), true)
      }
    case .remove(let key, let property, let other):
      guard let end = Self.memberEnd(key, property, other) else {
        return set(Pair(end: End(key: key, property: property), other: other), false)
      }
      remove(key, from: end, view: view)
    }
  }

  /// Removes an owner from an end. An end with another owner stays unchanged.
  private mutating func remove(_ owner: String, from end: End, view: ObviousGraph) {
    let isMember = view.members(end.key, end.property).contains(owner)
    switch ends[end] {
    case .target: if isMember { set(end, .target(nil)) }
    case .without: if isMember { set(end, .without(owner)) }
    case nil: set(end, .without(owner))
    }
  }

  /// Returns the end of a member that has at most one owner.
  private static func memberEnd(_ key: String, _ property: String, _ other: String) -> End? {
    guard let inverse = ObviousGraph.properties[property]?.inverse,
      ObviousGraph.properties[inverse]?.isToOne ?? false
    else { return nil }
    return End(key: other, property: inverse)
  }

  private static func inverse(_ property: String) -> String {
    ObviousGraph.properties[property]?.inverse ?? ""
  }

  private static func isOneToOne(_ property: String) -> Bool {
    ObviousGraph.properties[inverse(property)]?.isToOne ?? false
  }

  private mutating func link(_ end: End, _ other: String?) {
    set(end, .target(other))
    if Self.isOneToOne(end.property), let other {
      set(End(key: other, property: Self.inverse(end.property)), .target(end.key))
    }
  }

  /// Sets an end. The former partner in a one-to-one relationship loses its link.
  private mutating func set(_ end: End, _ value: EndValue) {
    if Self.isOneToOne(end.property), case .target(let former?) = ends[end], value != .target(former) {
      let partner = End(key: former, property: Self.inverse(end.property))
      if ends[partner] == .target(end.key) { ends[partner] = .target(nil) }
    }
    ends[end] = value
  }

  private mutating func set(_ pair: Pair, _ isThere: Bool) {
    pairs[pair] = isThere
    pairs[
      Pair(end: End(key: pair.other, property: Self.inverse(pair.end.property)), other: pair.end.key)] =
      isThere
  }

  // MARK: Combining

  /// Adds later statements.
  ///
  /// - Parameter view: The graph without the later statements.
  mutating func add(_ later: Self, view: ObviousGraph) {
    names.merge(later.names) { _, later in later }
    pairs.merge(later.pairs) { _, later in later }
    for (end, value) in later.ends {
      if case .without(let owner) = value { remove(owner, from: end, view: view) } else { set(end, value) }
    }
  }

  /// Returns the statements whose properties are not in `others`. Links that `others` remove become empty.
  func without(_ others: Self) -> Self {
    var rest = self
    rest.names = names.filter { others.names[$0.key] == nil }
    rest.pairs = pairs.filter { others.pairs[$0.key] == nil }
    for (end, value) in ends {
      switch others.ends[end] {
      case .target: rest.ends[end] = nil
      case .without(let owner): if value == .target(owner) { rest.ends[end] = .target(nil) }
      case nil:
        // The former partner in a one-to-one relationship loses its link.
        guard Self.isOneToOne(end.property), case .target(let partner?) = value,
          case .target = others.ends[End(key: partner, property: Self.inverse(end.property))]
        else { continue }
        rest.ends[end] = .target(nil)
      }
    }
    return rest
  }

  /// Returns the statements without links to or from deleted records, which have no effect.
  func leading(to isThere: Set<String>) -> Self {
    var rest = self
    rest.ends = ends.filter { end, value in
      guard isThere.contains(end.key) else { return false }
      return if case .target(let target?) = value { isThere.contains(target) } else { true }
    }
    return rest
  }

  /// Returns the statements with links to deleted records replaced by empty links.
  func emptying(_ isThere: Set<String>) -> Self {
    var rest = self
    for case (let end, .target(let target?)) in ends where !isThere.contains(target) {
      rest.ends[end] = .target(nil)
    }
    return rest
  }

  /// Returns the statements about existing records that change the base.
  func changing(_ base: ObviousGraph, _ isThere: Set<String>) -> Self {
    var rest = self
    rest.names = names.filter { key, name in
      isThere.contains(key) && (base.nodes[key] == nil || base.nodes[key]?.name != name)
    }
    rest.ends = ends.filter { end, value in
      guard isThere.contains(end.key), case .target(let target) = value, target.map(isThere.contains) ?? true
      else { return false }
      return base.members(end.key, end.property) != Set([target].compactMap(\.self))
    }
    rest.pairs = pairs.filter { pair, isLinked in
      isThere.contains(pair.end.key) && isThere.contains(pair.other)
        && base.members(pair.end.key, pair.end.property).contains(pair.other) != isLinked
    }
    return rest
  }

  // MARK: Application

  /// Returns the changes that apply the statements.
  ///
  /// - Parameter isThere: The keys of the existing records.
  func changes(_ isThere: Set<String>) -> [ObviousGraph.Change] {
    var changes: [ObviousGraph.Change] = names.map { .name($0.key, $0.value) }
    var links: [ObviousGraph.Change] = []
    for (end, value) in ends where isThere.contains(end.key) {
      switch value {
      case .target(nil): changes.append(.link(end.key, end.property, nil))
      case .target(let target?):
        if isThere.contains(target) { links.append(.link(end.key, end.property, target)) }
      case .without(let owner): changes.append(.remove(owner, Self.inverse(end.property), end.key))
      }
    }
    for (pair, isThere) in pairs {
      if isThere {
        links.append(.add(pair.end.key, pair.end.property, pair.other))
      } else {
        changes.append(.remove(pair.end.key, pair.end.property, pair.other))
      }
    }
    return changes + links
  }
}

// MARK: - Combining

extension ObviousStatements {
  /// Adds the statements that a child has saved. They take precedence over earlier statements of the caller and of
  /// responses.
  ///
  /// - Parameter view: The graph before the save.
  mutating func add(_ child: ObviousStatements, view: ObviousGraph) {
    inserted += child.inserted
    deleted.formUnion(child.deleted)
    let byHand = child.caller.leading(to: Set(view.nodes.keys).union(child.inserted.map(\.key)))
    caller = caller.without(child.responses)
    responses.add(child.responses, view: view)
    caller.add(byHand, view: view)
  }

  /// Removes earlier statements of responses. A later response takes precedence, even if it changes nothing.
  mutating func forgetResponses(about said: [ObviousGraph.Change]) {
    var later = Layer()
    for change in said { later.say(change, view: ObviousGraph()) }
    responses = responses.without(later)
  }

  /// Removes statements of responses that the base already contains.
  mutating func forgetResponses(in base: ObviousGraph) {
    inserted.removeAll { base.nodes[$0.key] != nil }
    responses = responses.changing(base, Set(base.nodes.keys).union(inserted.map(\.key)))
  }
}

extension ObviousGraph {
  /// Applies the statements.
  ///
  /// - Returns: The number of deletions that a `deny` rule forbids.
  @discardableResult
  mutating func apply(_ statements: ObviousStatements) -> Int { statements.apply(to: &self) }
}

extension ObviousStatements {
  fileprivate func apply(to graph: inout ObviousGraph) -> Int {
    let new = inserted.filter { [nodes = graph.nodes] in nodes[$0.key] == nil }
    let isThere = Set(graph.nodes.keys).union(new.map(\.key))
    let inserts = new.map { ObviousGraph.Change.insert($0.key, entity: $0.entity) }
    return graph.apply(
      inserts + responses.changes(isThere) + caller.changes(isThere) + deleted.map { .delete($0) })
  }
}
