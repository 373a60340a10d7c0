import JSONTree
import RecordModel

/// The items of a response as protos. Rules: `population.protos`, `identity.back-reference`,
/// `relationships.self`.
///
/// Items are read depth first. Each item becomes a proto, which is known from then on, before its relationships are
/// followed.
struct VisitedItems {
  /// The protos, in the order in which they were read, depth first.
  private(set) var protos: [ProtoRecord] = []
  /// For each proto, its appearances after the first, except for exact repetitions of the first.
  private(set) var others: [[Appearance]] = []
  var summary = ItemSummary()

  let population: Population
  let report: PopulationReport
  let schema: Schema
  private let document: JSONDocument
  private let entityChoice: EntityChoice
  /// The record whose details were requested; nil for other requests.
  var requested: RequestedRecord?
  var problems: ParentProblems
  private var identities = ProtoIdentities()
  /// The items that have been read, to recognize exact repetitions.
  private var repeatedItems = RepeatedItems()
  /// The protos whose first appearance is a reference and that have a full item.
  private var filled: Set<ProtoIndex> = []
  /// A reusable buffer for looking up keys.
  var foundKeys: [Int32] = []
  /// A Boolean value that indicates whether the current items are nested in a dictionary that a hook has merged.
  private var isMeetingMerged = false

  static func run(_ items: consuming Items, _ report: PopulationReport) throws(StoreError) -> VisitedItems {
    try VisitedItems(items, report)
  }

  /// Reads all items. If an item names a parent that turns out to be invalid, all items are read again.
  private init(_ items: Items, _ report: PopulationReport) throws(StoreError) {
    let population = report.population
    let choice = EntityChoice(schema: population.schema, population.options.customization)
    let requested = try RequestedRecord(population)
    self.init(report, choice, requested, ParentProblems())
    let noticed = report.diagnostics.count
    meetRoots(items)
    while summary.hasParents, try problems.find(among: self, population) {
      report.removeAll(from: noticed)
      report.provenance?.removeRoots()
      self = VisitedItems(report, choice, requested, problems)
      meetRoots(items)
    }
  }

  private init(
    _ report: PopulationReport, _ entityChoice: EntityChoice, _ requested: RequestedRecord?,
    _ problems: ParentProblems
  ) {
    self.report = report
    population = report.population
    schema = population.schema
    document = report.document
    self.entityChoice = entityChoice
    self.requested = requested
    self.problems = problems
  }

  private mutating func meetRoots(_ items: Items) {
    // Reserve space for at least one proto for each item. Reserving too much costs less than growing repeatedly.
    let count = items.estimatedCount
    summary.roots.reserveCapacity(count)
    protos.reserveCapacity(count)
    others.reserveCapacity(count)
    identities.reserveCapacity(count)
    repeatedItems.reserveCapacity(count)
    for item in items {
      guard let proto = meet(item, declared: population.entity, in: .response) else { continue }
      summary.roots.append(proto)
      report.provenance?.noteRoot(item, proto)
    }
    meetOtherLists()
  }

  /// Reads the lists beside that of the items. Rules: `response.sideloaded`, `orphans.deleted-keys`.
  private mutating func meetOtherLists() {
    for (item, declared) in entityChoice.sideloadedItems(of: population.entity, in: document) {
      if let proto = meet(item, declared: declared, in: .sideloaded) { summary.others.append(proto) }
    }
    guard let deleted = ResponseItems.deletedKeys(of: schema.entities[population.entity], in: document) else {
      return
    }
    for item in deleted {
      if let proto = meet(item, declared: population.entity, in: .deletedKeys) {
        summary.others.append(proto)
      }
    }
  }

  /// Reads a dictionary that a hook has merged from items of a proto, and the items nested in it.
  ///
  /// - Parameter first: the first of these items. The merged dictionary takes its position in the order.
  mutating func meet(merged node: JSONNode, like first: Appearance, of proto: ProtoIndex) -> Appearance {
    let item = Item(node: node)
    let appearance = Appearance(
      order: first.order, item: item, entity: first.entity,
      findings: ItemFindings(item, schema.entities, entity: first.entity, found: &foundKeys), isFull: true)
    isMeetingMerged = true
    follow(appearance, of: proto)
    isMeetingMerged = false
    return appearance
  }

  /// Sets the effective appearance and the entity of a proto, which items that are still to be read refer to.
  mutating func settle(_ proto: ProtoIndex, _ effective: Appearance, _ entity: EntityIndex) {
    protos[proto].effective = effective
    protos[proto].entity = entity
  }

  /// Moves the protos out, so that the next phase can change them in place.
  mutating func takeProtos() -> [ProtoRecord] {
    let taken = protos
    protos = []
    return taken
  }

  // MARK: One item

  /// Returns the proto of an item; nil if the item cannot become a record, which is reported.
  private mutating func meet(_ item: Item, declared: EntityIndex, in origin: ItemOrigin) -> ProtoIndex? {
    var item = item
    item.standForKey(of: schema.entities[declared])
    let mark =
      schema.readsAroundItems
      ? nil
      : repeatedItems.mark(of: item, in: document, schema.entities[declared].lookup, declared: declared)
    if let mark, let known = repeatedItems.proto(of: mark, in: document) { return known }
    guard canBeRecord(item, declared: declared, in: origin) else {
      summary.leftOut.insert(declared)
      return nil
    }
    let chosen = entityChoice.entity(claiming: item, declared: declared)
    let isKeyAlone = origin.isTombstone
    let isTombstone = !isKeyAlone && (origin.isDeletedKey || entityChoice.isTombstone(item, of: chosen))
    // A tombstone need not indicate its own entity, nor that of its parent. A dictionary with only the key is a reference,
    // like the key itself.
    let needsEntity = schema.entities[chosen].isAbstract && !isTombstone && !isKeyAlone
    if needsEntity, !item.containsOnlyKey(of: schema.entities[chosen]) {
      return noEntity(chosen, item, declared)
    }
    let findings = ItemFindings(item, schema.entities, entity: chosen, found: &foundKeys)
    summary.count += 1
    let appearance = Appearance(
      order: summary.count, item: item, entity: chosen, findings: findings,
      isFull: item.isDictionary && !isKeyAlone && !needsEntity && findings.isFull(schema, chosen),
      mayMakeStub: !isKeyAlone
        && origin.relationship.map { schema.relationships[$0].stubs == .create } ?? true)
    var proto = ProtoRecord(first: appearance, isTombstone: isTombstone)
    identify(&proto, origin, isKeyAlone: isKeyAlone)
    if needsEntity, proto.identity == nil { return noEntity(chosen, item, declared) }
    if proto.identity == nil, proto.missingKey == .absent, schema.entities[chosen].skipsItemsWithoutKey,
      !isRequested(origin)
    {
      summary.leftOut.insert(declared)
      return nil
    }
    if proto.identity == nil, !isKeyAlone, findings.hasPartsOfKey(schema, chosen) {
      appearance.isFull = true
      proto.mayBeCreated = true
    }
    // Children of different parents can have the same bytes.
    if case .key? = proto.identity { return note(consume proto, mark) }
    return note(consume proto, nil)
  }

  /// Adds an item to the proto with its identity, or adds a new proto, and follows its relationships.
  private mutating func note(_ proto: consuming ProtoRecord, _ mark: RepeatedItems.Mark?) -> ProtoIndex {
    let appearance = proto.effective
    let isTombstone = proto.isTombstone
    let index = ProtoIndex(protos.count)
    if let identity = proto.identity, let known = identities.proto(with: identity, orInsert: index) {
      if proto.isTombstone { protos[known].isTombstone = true }
      let makesRecord = proto.mayBeCreated && !protos[known].mayBeCreated
      if makesRecord { protos[known].mayBeCreated = true }
      let isFirstFull =
        appearance.isFull && !protos[known].effective.isFull && filled.insert(known).inserted
      if let mark, makesRecord || isFirstFull { repeatedItems.insert(mark, proto: known) }
      if repeatsFirst(appearance, of: known) {
        if appearance.mayMakeStub { protos[known].effective.mayMakeStub = true }
      } else if !isMeetingMerged || isFirstFull {
        // Only a stub takes a full item nested in a merged dictionary; all other content has been read where the item was
        // first found.
        others[for: known].append(appearance)
        follow(appearance, of: known, isTombstone: isTombstone)
      }
      return known
    }
    // An item that creates no record here may create one when it is repeated elsewhere.
    if let mark, proto.mayBeCreated { repeatedItems.insert(mark, proto: index) }
    protos.append(consume proto)
    others.append([])
    follow(appearance, of: index, isTombstone: isTombstone)
    return index
  }

  /// Reports an item whose entity is not known. Rule: `subentity.abstract`.
  private mutating func noEntity(
    _ chosen: EntityIndex, _ item: Item, _ declared: EntityIndex
  ) -> ProtoIndex? {
    report.addNoEntity(chosen, at: item.node)
    summary.leftOut.insert(declared)
    return nil
  }

  private func canBeRecord(_ item: Item, declared: EntityIndex, in origin: ItemOrigin) -> Bool {
    if item.isDictionary { return true }
    let property = origin.relationship.map { schema.relationships[$0].name }
    let owner =
      switch origin {
      case .response, .sideloaded, .deletedKeys: declared
      case .item(_, let proto, _, _): protos[proto].entity
      case .child(let entity, _, _): entity
      }
    if item.node.isNull {
      report.add(
        .nullElement, entity: owner, property: property, at: item.node,
        "a null in a list of items was ignored")
      return false
    }
    if let problem = population.scalarProblem(item.node, of: declared) {
      report.add(
        property == nil ? .invalidItem : .valueType, entity: owner, property: property, at: item.node,
        "a \(item.node.kind.rawValue) was ignored: \(problem)")
      return false
    }
    return true
  }

  /// Returns a Boolean value that indicates whether an appearance repeats the first one of its proto byte by byte, and
  /// thus adds no information.
  private func repeatsFirst(_ appearance: Appearance, of proto: ProtoIndex) -> Bool {
    let first = protos[proto].effective
    guard !schema.readsAroundItems, first.isFull == appearance.isFull, first.entity == appearance.entity,
      first.item.collectionKey == nil, appearance.item.collectionKey == nil
    else { return false }
    let (node, other) = (first.item.node, appearance.item.node)
    let document = node.document
    return document === other.document
      && document.haveSameBytes(document.extent(at: node.index), document.extent(at: other.index))
  }

  // MARK: Nested items

  private mutating func follow(_ appearance: Appearance, of proto: ProtoIndex, isTombstone: Bool = false) {
    guard appearance.isFull else { return }
    let existing = appearance.children
    var all: [Appearance.Children] = []
    all.reserveCapacity(schema.entities[appearance.entity].relationships.count)
    for (position, relationship) in schema.entities[appearance.entity].relationships.enumerated() {
      if let known = existing.first(where: { $0.relationship == relationship }) {
        all.append(known)
      } else if let finding = appearance.findings.relationship(position) {
        let origin = ItemOrigin.item(appearance.item, proto, relationship, isTombstone: isTombstone)
        let found = children(finding, relationship, of: protos[proto].entity, in: origin)
        if let found { all.append(found) }
      }
    }
    appearance.children = all
  }

  /// Returns the content of a relationship; nil if all items of a to-one were left out.
  /// Rules: `relationships.to-one`, `relationships.to-many`, `relationships.key-reference`, `relationships.single-for-many`.
  mutating func children(
    _ finding: PathFinding, _ relationship: RelationshipIndex, of entity: EntityIndex, in origin: ItemOrigin
  ) -> Appearance.Children? {
    let isToMany = schema.relationships[relationship].isToMany
    let destination = schema.relationships[relationship].destination
    var result = Appearance.Children(relationship: relationship)
    if case .node(let node) = finding {
      result.position = report.position(of: node)
      if isToMany, node.kind == .array { result.links.reserveCapacity(node.count) }
    }
    if finding.isNull {
      result.isNull = !isToMany
      return result
    }
    var items = 0
    for item in Items(in: finding, keyedBy: schema.relationships[relationship].keyedBy) {
      items += 1
      guard let child = meet(item, declared: destination, in: origin) else {
        result.isPartial = true
        continue
      }
      if isToMany || result.links.isEmpty {
        result.links.append(Appearance.Reference(proto: child, position: report.position(of: item.node)))
      } else if protos[child].identity != nil {
        result.unlinked.append(child)
      }
    }
    if !isToMany, items > 1 || items == 0 && finding.standingNode?.kind == .array {
      report.add(
        .manyForOne, entity: entity, property: schema.relationships[relationship].name,
        at: finding.standingNode,
        items == 0
          ? "an empty array for a to-one relationship was ignored"
          : "an array of \(items) items for a to-one relationship: the first was linked"
      )
    }
    guard isToMany || !result.links.isEmpty else { return nil }
    return result
  }
}
