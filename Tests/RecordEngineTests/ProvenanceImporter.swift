import JSONTree
import RecordModel
import Testing

@testable import RecordEngine

/// A store, with methods that import responses and describe the provenance of their records.
struct ProvenanceImporter {
  let schema: Schema
  let store: MemoryStore

  init(_ entities: EntityDescription..., representations: [EntityName: any Representation] = [:]) throws {
    schema = try ManagedObjectModel(entities: entities, representations: representations).schema
    store = MemoryStore(schema: schema)
  }

  /// Returns the description of posts with an integer as their key.
  static func post(
    _ attributes: [AttributeDescription] = [], _ relationships: [RelationshipDescription] = [],
    merge: MergeStrategy? = nil
  ) -> EntityDescription {
    EntityDescription(
      "Post", primaryKey: "id", merge: merge, deletedWhen: RecordPredicate("gone == true"),
      attributes: [AttributeDescription("id", .int32)] + attributes, relationships: relationships)
  }

  static let user = EntityDescription(
    "User", primaryKey: "id",
    attributes: [AttributeDescription("id", .string), AttributeDescription("name", .string)])

  func result(
    _ body: JSONValue, _ change: (inout PopulationOptions) -> Void = { _ in }
  ) throws -> PopulationResult {
    var options = PopulationOptions()
    options.recordsProvenance = true
    change(&options)
    let population = Population(
      schema: schema, reader: store, entity: 0, response: "test", options: options)
    return try population.populateAndSave(JSONDocument(body), to: store)
  }

  /// Imports a response. Returns a line for each record, and one for each deletion.
  @discardableResult
  func records(
    _ body: JSONValue, _ change: (inout PopulationOptions) -> Void = { _ in }
  ) throws -> [String] {
    let provenance = try #require(try result(body, change).provenance)
    return provenance.records.map { record in
      let items = record.items.map { "\(pointer($0.node)) \($0.role)" }.joined(separator: ", ")
      let unmodified = record.isUnmodified ? " (unmodified)" : ""
      return "\(record.entity) \(record.finding) by \(text(record.key)): \(items)\(unmodified)"
    }
      + provenance.deletions.map { deletion in
        switch deletion.cause {
        case .tombstone(let node): "deleted: tombstone \(pointer(node))"
        case .orphan: "deleted: orphan"
        case .cascade(_, let name): "deleted: cascade of \(name)"
        case .deleteRule: "deleted: delete rule"
        }
      }
  }

  /// Imports a response. Returns a line for each attribute of its first record, or of the first one of an entity.
  func attributes(
    _ body: JSONValue, of entity: EntityName? = nil, _ change: (inout PopulationOptions) -> Void = { _ in }
  ) throws -> [String] {
    let records = try #require(try result(body, change).provenance?.records)
    let record = try #require(records.first { entity == nil || $0.entity == entity })
    return record.attributes.map { attribute in
      let value = attribute.value.map { value in
        let position = value.position.map { pointer($0) } ?? "nowhere"
        let path = value.path.map { " by \($0)" } ?? ""
        let origin = value.origin == .item ? "" : " (\(value.origin))"
        return ": \(value.node.value.compactText()) at \(position)\(path)\(origin)"
      }
      let lost = attribute.superseded.map { ", not \($0.node.value.compactText())" }.joined()
      return "\(attribute.name) \(attribute.effect)\(value ?? "")\(lost)"
    }
  }

  /// Imports a response. Returns a line for each relationship of its records.
  func relationships(
    _ body: JSONValue, _ change: (inout PopulationOptions) -> Void = { _ in }
  ) throws -> [String] {
    let provenance = try #require(try result(body, change).provenance)
    return provenance.records.flatMap { record in
      record.relationships.map { relationship in
        var parts = relationship.links.map { link in
          "\(link.position.map { pointer($0) } ?? "nowhere")\(link.record == nil ? " (none)" : "")"
        }
        if relationship.isNull { parts.append("null \(relationship.position.map { pointer($0) } ?? "")") }
        if relationship.parent != nil { parts.append("parent") }
        parts += relationship.inverses.map { inverse in
          "inverse of \(inverse.name) \(inverse.position.map { pointer($0) } ?? "nowhere")"
        }
        let path = relationship.path.map { " by \($0)" } ?? ""
        return "\(record.entity).\(relationship.name)\(path): \(parts.joined(separator: ", "))"
      }
    }
  }

  private func pointer(_ node: JSONNode) -> String {
    node.pointer.tokens.isEmpty ? "/" : node.pointer.description
  }

  private func text(_ key: RecordProvenance.Key) -> String {
    switch key {
    case .attributes(let names): names.map(\.rawValue).joined(separator: "+")
    case .computed(let name): "computed \(name)"
    case .injected(let name): "injected \(name)"
    case .parent(_, let name, let isNamed): "\(isNamed ? "named" : "enclosing") \(name)"
    case .none: "nothing"
    }
  }
}
