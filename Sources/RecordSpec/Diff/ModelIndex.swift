package import RecordModel

/// What comparing needs to know of a model, by name.
package struct ModelIndex: Sendable {
  /// Each entity before its ancestors, nearest first.
  private let lineages: [EntityName: [EntityDescription]]

  package init(_ model: ManagedObjectModel) {
    let declared = Dictionary(model.entities.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
    lineages = declared.mapValues { entity in
      var lineage = [entity]
      while let name = lineage.last?.parent, let parent = declared[name], lineage.count <= declared.count {
        lineage.append(parent)
      }
      return lineage
    }
  }

  package var entities: some Sequence<EntityName> { lineages.keys }

  /// Whether `entity` is `ancestor` or one of its sub-entities.
  package func isKind(_ entity: EntityName, of ancestor: EntityName) -> Bool {
    entity == ancestor || lineages[entity, default: []].contains { $0.name == ancestor }
  }

  /// The key that the entity declares or inherits.
  package func key(of entity: EntityName) -> [PropertyName] {
    lineages[entity, default: []].first { !$0.primaryKey.isEmpty }?.primaryKey ?? []
  }

  package func attribute(_ name: PropertyName, of entity: EntityName) -> AttributeDescription? {
    for description in lineages[entity, default: []] {
      if let attribute = description.attributes.first(where: { $0.name == name }) { return attribute }
    }
    return nil
  }

  package func relationship(_ name: PropertyName, of entity: EntityName) -> RelationshipDescription? {
    for description in lineages[entity, default: []] {
      if let relationship = description.relationships.first(where: { $0.name == name }) {
        return relationship
      }
    }
    return nil
  }
}
