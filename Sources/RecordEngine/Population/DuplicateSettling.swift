import JSONTree
import RecordModel

/// The phase that settles duplicates: it determines the effective appearance of each proto.
/// Rules: `population.effective`, `merge.*`.
struct DuplicateSettling {
  private let population: Population
  private let report: PopulationReport
  private let schema: Schema
  private let mergesByHook: Bool
  private var met: VisitedItems
  /// For each proto, the number of appearances after the first that have been processed.
  private var settledCounts: [ProtoIndex: Int] = [:]

  static func run(_ met: consuming VisitedItems, _ report: PopulationReport) -> SettledProtos {
    var settling = DuplicateSettling(met, report)
    settling.settle()
    return SettledProtos(&settling.met)
  }

  private init(_ met: consuming VisitedItems, _ report: PopulationReport) {
    self.met = met
    population = report.population
    self.report = report
    schema = population.schema
    mergesByHook = population.hasMarshalers || population.options.mergeHook != nil
  }

  private mutating func settle() {
    var isSettled = false
    while !isSettled {
      isSettled = true
      for proto in met.protos.elementIndices where !met.others[for: proto].isEmpty {
        if met.others[for: proto].count == settledCounts[proto] { continue }
        settle(proto)
        // The dictionary that a hook has returned may contain items that fill a stub settled before.
        if mergesByHook { isSettled = false }
      }
    }
  }

  /// Selects the effective dictionary of a record. Rules: `merge.first-wins`, `merge.full-then-stub`,
  /// `merge.stub-then-full`.
  private mutating func settle(_ proto: ProtoIndex) {
    let others = met.others[for: proto]
    let known = met.protos[proto].effective
    // The order can differ from that of the list: an item identified by a parent that it names is added only after that
    // parent and all items nested in it. A proto is settled again only if a first full item joins references, which do
    // not count then.
    let appearances = ([known] + others).sorted { $0.order < $1.order }
    var counting = fullest(of: appearances)
    var members = Members()
    let first = counting.order
    for other in appearances where other.isFull && other.order != first {
      if mergesByHook, let merged = merged(counting, other, of: proto) {
        counting = merged
        members = Members()
        continue
      }
      let mergesDeep = strategy(of: counting.entity) == .deep
      var other = other
      if mergesByHook, !mergesDeep, isFuller(other, than: counting) {
        swap(&counting, &other)
        members = Members()
      }
      reportDifference(counting, other, mergesDeep: mergesDeep, &members)
      if mergesDeep, other.entity == counting.entity { merge(other, into: counting, &members) }
    }
    // A stub takes the entity of the full item.
    var entity = counting.entity
    if !counting.isFull {
      let stub = StubEntity(appearances, schema)
      entity = stub.entity
      for (stub, rival) in stub.rivals { reportDifference(stub, rival, mergesDeep: false, &members) }
    }
    report.provenance?.noteDuplicates(known, others, of: proto)
    settledCounts[proto] = others.count
    met.settle(proto, counting, entity)
  }

  /// Returns the first full appearance or, if duplicates are not merged, the one of its entity with the most properties.
  /// Without a full appearance, returns the first one.
  private func fullest(of appearances: [Appearance]) -> Appearance {
    guard let first = appearances.first(where: \.isFull) else { return appearances[0] }
    if mergesByHook || strategy(of: first.entity) == .deep { return first }
    return appearances.reduce(first) { fullest, other in
      other.isFull && isFuller(other, than: fullest) ? other : fullest
    }
  }

  /// Returns a Boolean value that indicates whether an appearance has more properties than another one of the same entity.
  private func isFuller(_ appearance: Appearance, than other: Appearance) -> Bool {
    let entity = schema.entities[appearance.entity]
    return appearance.entity == other.entity
      && appearance.findings.count(entity) > other.findings.count(entity)
  }

  /// Returns the result of a hook for two full dictionaries of one record; nil if the merge strategy applies.
  /// Rules: `merge.strategy`, `customize.merge`.
  private mutating func merged(
    _ first: Appearance, _ other: Appearance, of proto: ProtoIndex
  ) -> Appearance? {
    let entity = schema.entities[first.entity]
    let duplicates = DuplicateItems(
      entity: entity.name, first: first.item.dictionary(of: entity),
      other: other.item.dictionary(of: schema.entities[other.entity]))
    var answer = population.options.mergeHook?(duplicates) ?? .standard
    if answer == .standard, population.options.mergeStrategy == nil,
      let marshaler = population.marshaler(of: first.entity)
    {
      answer = marshaler.merge(duplicates)
    }
    switch answer {
    case .first: return first
    case .other: return other
    case .dictionary(let json) where json.kind == .object:
      return met.meet(merged: JSONDocument(json).root, like: first, of: proto)
    case .standard, .dictionary: return nil
    }
  }

  private func strategy(of entity: EntityIndex) -> MergeStrategy {
    population.options.mergeStrategy ?? schema.entities[entity].merge
  }

  // MARK: Merging

  /// The identified records in the relationships of the effective appearance. An entry is created when another
  /// appearance is first compared with it or merged into it.
  private typealias Members = [RelationshipIndex: Set<ProtoIndex>]

  private func identified(_ children: Appearance.Children) -> Set<ProtoIndex> {
    Set(children.protos.filter(isIdentified))
  }

  /// Merges an appearance property by property: the first value that is not null counts. Rule: `merge.strategy`.
  private func merge(_ other: Appearance, into counting: Appearance, _ members: inout Members) {
    for position in schema.entities[other.entity].attributes.elementIndices {
      guard let finding = other.findings.attribute(position),
        counting.findings.attribute(position)?.isNull ?? true
      else { continue }
      counting.findings.setAttribute(position, finding)
    }
    for children in other.children { merge(children, into: &counting.children, &members) }
    counting.mergedItems.append(other.item)
  }

  /// Merges the content of a relationship. For a to-one, the first value that is not null counts. For a to-many, the
  /// result is the union, with the children without identity of the first dictionary that has the list.
  private func merge(
    _ children: Appearance.Children, into all: inout [Appearance.Children], _ members: inout Members
  ) {
    let relationship = children.relationship
    guard let index = all.firstIndex(where: { $0.relationship == relationship }) else {
      all.append(children)
      all.sort { $0.relationship < $1.relationship }
      return
    }
    if schema.relationships[relationship].isToMany {
      if children.isPartial { all[index].isPartial = true }
      for link in children.links where isIdentified(link.proto) {
        let isNew = members[relationship, default: identified(all[index])].insert(link.proto).inserted
        if isNew { all[index].links.append(link) }
      }
    } else if all[index].isNull {
      all[index] = children
    }
  }

  private func isIdentified(_ proto: ProtoIndex) -> Bool { met.protos[proto].identity != nil }

  // MARK: Comparing dictionaries of one record

  /// Reports properties in which two dictionaries disagree, because the result depends on their order.
  /// Rule: `merge.inconsistent`.
  private func reportDifference(
    _ left: Appearance, _ right: Appearance, mergesDeep: Bool, _ members: inout Members
  ) {
    func report(_ property: PropertyName?, _ message: String) {
      self.report.add(
        .inconsistentDuplicates, entity: left.entity, property: property, at: left.item.node,
        other: right.item.node, message)
    }
    let entity = schema.entities[left.entity]
    guard left.entity == right.entity else {
      return report(
        nil,
        "two items of one record have different entities: '\(entity.name)' and '\(schema.entities[right.entity].name)'"
          + adviceForTwoRecords(left, right))
    }
    let comparison = Comparison(
      effective: left, other: right, mergesDeep: mergesDeep,
      isFuller: isFuller(left, than: right))
    var differing: [PropertyName] = []
    for position in entity.attributes.elementIndices where !entity.key.contains(position) {
      if differs(position, in: comparison) { differing.append(entity.attributes[position].name) }
    }
    for relationship in entity.relationships where entity.key != .relationship(relationship) {
      if differs(relationship, in: comparison, &members) {
        differing.append(schema.relationships[relationship].name)
      }
    }
    guard let property = differing.first else { return }
    let names = differing.map { "'\($0)'" }.joined(separator: ", ")
    report(property, "two items of one record differ in \(names)")
  }

  /// Returns the advice about two dictionaries with the same key and entities of different branches, which are probably two
  /// records; empty for other items.
  private func adviceForTwoRecords(_ left: Appearance, _ right: Appearance) -> String {
    let entity = schema.entities[left.entity]
    guard left.item.isDictionary, right.item.isDictionary, !schema.isKind(left.entity, of: right.entity),
      !schema.isKind(right.entity, of: left.entity), case .attributes(let positions) = entity.key
    else { return "" }
    let sign = entity.usedWhen?.keyPaths.lazy.compactMap(\.keys.first).first { !$0.hasPrefix("@") } ?? "type"
    let key = ([sign] + positions.map { entity.attributes[$0].name.rawValue }).joined(separator: ", ")
    return "; to make them two records, declare 'primaryKey: [\(key)]', or a key in each sub-entity"
  }

  /// Two dictionaries of one record and one entity.
  private struct Comparison {
    let effective: Appearance
    let other: Appearance
    let mergesDeep: Bool
    /// A Boolean value that indicates whether the effective dictionary has more properties than the other one, so that
    /// nothing is lost by what the other one lacks.
    let isFuller: Bool
  }

  private func differs(_ position: AttributeIndex, in comparison: Comparison) -> Bool {
    let entity = comparison.effective.entity
    let left = comparison.effective.findings.attribute(position)
    let right = comparison.other.findings.attribute(position)
    if comparison.mergesDeep, left?.isNull ?? true || right?.isNull ?? true { return false }
    guard let right else { return left != nil && !comparison.isFuller }
    guard let left else { return true }
    if left.isNull || right.isNull { return left.isNull != right.isNull }
    let attribute = schema.entities[entity].attributes[position]
    return population.convert(left.node, to: attribute, of: entity)
      != population.convert(right.node, to: attribute, of: entity)
  }

  /// Compares nested items by identity only. Their content is compared when they are settled themselves.
  private func differs(
    _ relationship: RelationshipIndex, in comparison: Comparison, _ members: inout Members
  ) -> Bool {
    let left = comparison.effective.children.first { $0.relationship == relationship }
    let right = comparison.other.children.first { $0.relationship == relationship }
    if comparison.mergesDeep {
      if schema.relationships[relationship].isToMany { return false }
      guard let left, let right, !left.isNull, !right.isNull else { return false }
    }
    guard let right else { return left != nil && !comparison.isFuller }
    guard let left else { return true }
    if left.isNull || right.isNull { return left.isNull != right.isNull }
    let known = members[relationship] ?? identified(left)
    members[relationship] = known
    return known != identified(right)
  }
}
