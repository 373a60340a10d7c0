import JSONTree
import RecordModel

/// The phase that creates records for protos without a stored record, and calls the pre-population hook.
/// Rules: `population.create`, `population.hook`.
struct RecordCreation: ~Copyable {
  private let population: Population
  private let report: PopulationReport
  private var result: PopulatedGraph

  static func run(
    _ tied: consuming PopulatedGraph, _ report: PopulationReport
  ) -> PopulatedGraph {
    RecordCreation(tied, report).result
  }

  private init(_ tied: consuming PopulatedGraph, _ report: PopulationReport) {
    population = report.population
    self.report = report
    result = tied
    createRecords()
    result.prepopulate(result.protos.indexed.compactMap { $1.record == nil ? nil : $0 }, population)
  }

  private mutating func protosToCreate() -> [ProtoIndex] {
    let schema = population.schema
    var isRoot = Array(repeating: false, count: result.protos.count)
    for root in result.summary.roots { isRoot[for: root] = true }
    var new: [ProtoIndex] = []
    for index in result.protos.elementIndices
    where result.protos[index].isReachable && result.protos[index].record == nil {
      if result.protos[index].isTombstone { continue }
      let entity = result.protos[index].entity
      if schema.entities[entity].isAbstract {
        // References to it report the missing record. For an item of the list, only this reports it.
        if isRoot[for: index] {
          report.addNoRecord(entity, at: result.protos[index].effective.item.node)
          result.summary.leftOut.insert(entity)
        }
      } else if result.protos[index].mayBeCreated {
        new.append(index)
      }
    }
    return new
  }

  /// Returns the record with an unsaved deletion that has the key of a proto.
  private func deletedRecord(_ index: ProtoIndex) -> RecordID? {
    let deleted = population.options.deletedRecords
    guard case .key(let scope, let key)? = result.protos[index].identity else { return nil }
    return deleted[scope]?[key]
  }

  private mutating func createRecords() {
    var new = protosToCreate()
    // If the same response is populated again, the first item finds the oldest of the children of a parent.
    if result.summary.hasParents {
      new.sort { result.protos[$0].effective.order < result.protos[$1].effective.order }
    }
    var deleted: [RecordID?] = []
    if !population.options.deletedRecords.isEmpty {
      for index in new { deleted.append(deletedRecord(index)) }
    }
    let ids = result.graph.insert(new.map { result.protos[$0].entity }, as: deleted)
    for (index, id) in zip(new, ids) {
      if !result.protos[index].effective.isFull { result.graph.update(id) { $0.isStub = true } }
      result.tie(index, to: id)
    }
  }
}

extension PrePopulationItem {
  /// Creates the argument of the hook for an item.
  init(_ item: Item, of entity: SchemaEntity, _ parent: ParentItem?) {
    self.init(entity: entity.name, dictionary: item.dictionary(of: entity), parent: parent)
  }

  /// Returns the item with the dictionary of the hook; nil if the hook returns none.
  func answer(of hook: PrePopulation, for appearance: Appearance) -> Item? {
    guard let answer = hook(self), answer.kind == .object else { return nil }
    return Item(
      node: JSONDocument(answer, inPlaceOf: appearance.item.node).root,
      collectionKey: appearance.item.collectionKey)
  }
}

extension PopulatedGraph {
  /// Calls the pre-population hook once for the item of each proto. Attributes are then read from the dictionary that
  /// the hook returns.
  func prepopulate(_ indices: some Sequence<ProtoIndex>, _ population: Population) {
    guard let hook = population.options.prePopulation else { return }
    var foundKeys: [Int32] = []
    let parents = enclosingProtos()
    for index in indices where !protos[index].isTombstone && !protos[index].effective.isPrepopulated {
      let (appearance, entity) = (protos[index].effective, population.schema.entities[protos[index].entity])
      appearance.isPrepopulated = true
      let parent = parents[for: index].map { protos[$0] }
      let item = PrePopulationItem(
        appearance.item, of: entity,
        parent.map { ParentItem($0.effective.item, of: $0.entity, $0.identity, population.schema) })
      guard let changed = item.answer(of: hook, for: appearance) else { continue }
      appearance.findings = ItemFindings(
        changed, population.schema.entities, entity: entity.index, found: &foundKeys)
      // Properties that the hook adds make a stub full, as if the server had sent them.
      if appearance.findings.isFull(population.schema, entity.index) { appearance.isFull = true }
    }
  }

  /// Returns, for each proto, the first proto in which its item is nested.
  private func enclosingProtos() -> [ProtoIndex?] {
    var result = [ProtoIndex?](repeating: nil, count: protos.count)
    for index in protos.elementIndices {
      for children in protos[index].effective.children {
        for child in children.protos + children.unlinked where result[for: child] == nil && child != index {
          result[for: child] = index
        }
      }
    }
    return result
  }
}
