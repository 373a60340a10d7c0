package import JSONTree
package import RecordModel

/// The population of records from one response. Rules: `population.*`, `merge.order-free`.
///
/// Each phase takes the result of the previous phase and processes all protos. It can therefore rely on the earlier
/// phases for every record. The store is queried for groups of records, never for single ones.
// A class, because every phase holds a reference to it.
package final class Population {
  let schema: Schema
  let reader: any StoreReader
  let entity: EntityIndex
  let options: PopulationOptions
  /// The address of the response, for diagnostics.
  let response: String
  /// A Boolean value that indicates whether any entity of the model has a marshaler.
  let hasMarshalers: Bool

  package init(
    schema: Schema, reader: any StoreReader, entity: EntityIndex, response: String, options: PopulationOptions
  ) {
    self.schema = schema
    self.reader = reader
    self.entity = entity
    self.options = options
    self.response = response
    hasMarshalers = !options.customization.hasNoMarshalers
  }

  /// Populates the records of a document without saving them.
  func records(of document: JSONDocument?) throws(RequestFailure) -> PopulatedResponse {
    let report = PopulationReport(self, document)
    if let predicate = options.failWhen, let root = document?.root, predicate.matches(root) {
      throw report.failure(
        .statedError,
        "the response matches 'failWhen: \(predicate)': \(PathFinding.node(root).excerpt(of: 200))")
    }
    try OrphanSearch.checkScope(report)
    let items = try ResponseItems(of: document, report)
    let populated = try graph(of: items, report)
    try options.checkCancellation()
    let outcome = try OrphanSearch.delete(from: populated, hasList: items.hasList, report)
    return try PopulatedResponse(outcome.populated, outcome.mentioned, report)
  }

  /// Returns the graph that results from the items of a response.
  private func graph(
    of items: ResponseItems, _ report: PopulationReport
  ) throws(RequestFailure) -> PopulatedGraph {
    // Each phase consumes the previous result and changes it in place.
    let met = try report.run(VisitedItems.run, items.items)
    let settled = try report.run(DuplicateSettling.run, consume met)
    let known = try report.run(RecordTying.run, settled)
    let tied = try report.run(ChildTying.run, known)
    let created = try report.run(RecordCreation.run, tied)
    let filled = try report.run(AttributeSetting.run, created)
    let linked = try report.run(RelationshipSetting.run, filled)
    let cleared = try report.run(TombstoneDeletion.run, linked)
    return try report.run(MarshalerNotice.run, cleared)
  }

  /// Populates a document and returns the changes that a save has to write. Writes nothing.
  package func populate(_ document: JSONDocument?) throws(RequestFailure) -> PopulationResult {
    try records(of: document).result
  }

  /// Populates a document and saves all changes, or none. The caller must have exclusive write access.
  /// Rule: `population.save`.
  package func populateAndSave(
    _ document: JSONDocument?, to store: any Store
  ) throws(RequestFailure) -> PopulationResult {
    var populated = try records(of: document)
    try populated.save(to: store)
    return populated.result
  }
}

extension Population {
  func marshaler(of entity: EntityIndex) -> (any Marshaler)? {
    hasMarshalers ? options.customization.marshaler(of: entity) : nil
  }

  /// Returns the relationship that is the key of an entity; nil if the key is not a relationship.
  func keyRelationship(of entity: EntityIndex) -> RelationshipIndex? {
    if case .relationship(let relationship) = schema.entities[entity].key { relationship } else { nil }
  }

  /// Returns the rows with the given keys. Stores find rows by the keys of their model. If a tweak sets another key,
  /// all rows of the entity are read with one fetch. Rule: `tweaks.key`.
  func storedRows(scope: EntityIndex, keys: [RecordKey]) throws(StoreError) -> [Row?] {
    guard schema.tweakedKeyScopes.contains(scope) else { return try reader.rows(scope: scope, keys: keys) }
    var found: [RecordKey: Row?] = Dictionary(keys.map { ($0, nil) }, uniquingKeysWith: { first, _ in first })
    // If several rows have the key, the oldest one counts, as with the keys of the model.
    for row in try reader.rows(of: scope) where schema.entities[row.entity].keyScope == scope {
      if let key = row.key(in: schema), let known = found[key], known == nil { found[key] = row }
    }
    return keys.map { found[$0] ?? nil }
  }
}

// MARK: - Values

extension Population {
  /// Converts a value of the response to a value of an attribute, with the marshaler of the entity if it has one.
  /// Returns nil for null, and if the conversion fails. Rules: `values.*`, `customize.value`.
  func convert(_ node: JSONNode, to attribute: SchemaAttribute, of entity: EntityIndex) -> AttributeValue? {
    if node.isNull { return nil }
    let transformer = attribute.transformer.flatMap { options.transformers[$0] }
    guard let marshaler = marshaler(of: entity) else {
      return AttributeValue(converting: node, to: attribute, transformer)
    }
    let conversion = ValueConversion(
      entity: schema.entities[entity].name, rawValue: node, description: attribute, transformer: transformer)
    return marshaler.value(conversion).flatMap { $0.storable(as: attribute.type) }
  }

  /// Converts a value of the document without a transformer or a marshaler. Returns nil if the finding is not a value
  /// of the document, if the attribute has a key pattern, or if the conversion fails.
  // Inlined, because it is called for nearly every value of a response.
  @inline(__always)
  func plainValue(
    of attribute: AttributeIndex, among attributes: [SchemaAttribute], in findings: ItemFindings
  ) -> AttributeValue? {
    let tapeIndex = findings.tapeIndex(of: attribute)
    let type = attributes[attribute].type
    guard tapeIndex >= 0, type != .transformable, attributes[attribute].keyPattern == nil else { return nil }
    return AttributeValue(
      converting: tapeIndex, of: findings.document, to: type,
      dateFormat: type == .date ? attributes[attribute].dateFormat : nil)
  }

  /// Returns the reason why a scalar cannot represent a record of an entity; nil if it can.
  /// Rule: `response.scalar-item`.
  func scalarProblem(_ node: JSONNode, of entity: EntityIndex) -> String? {
    let description = schema.entities[entity]
    guard case .attributes(let positions) = description.key, positions.count == 1 else {
      return "the key of '\(description.name)' is not a single attribute"
    }
    if node.kind == .boolean { return "a Boolean cannot be a key" }
    if node.string?.isEmpty ?? false { return "an empty string cannot be a key" }
    let attribute = description.attributes[positions[0]]
    guard convert(node, to: attribute, of: entity) != nil else {
      return "the key '\(attribute.name)' must be \(attribute.type.rawValue)"
    }
    return nil
  }
}
