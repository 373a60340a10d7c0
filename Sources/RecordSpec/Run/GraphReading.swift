import RecordEngine
import RecordModel

extension ManagedObjectContext {
  /// All records as this context has them, with their labels, and the way back from labels to records.
  func labelledGraph(_ model: ManagedObjectModel) throws(RequestFailure) -> LabelledGraph<RecordID> {
    var graph = UnlabelledGraph<RecordID>()
    for entity in model.entities where entity.parent == nil {
      for record in try fetch(RecordFetchRequest(entity.name)) {
        graph.records.append(unlabelled(record, model))
      }
    }
    return graph.labelled()
  }

  private func unlabelled(_ record: Record, _ model: ManagedObjectModel) -> UnlabelledRecord<RecordID> {
    guard let name = record.entityName, let entity = model.schema.entity(name) else {
      return UnlabelledRecord(id: record.recordID, entity: "", key: [])
    }
    var result = UnlabelledRecord(id: record.recordID, entity: name, key: model.schema.key(of: name))
    for attribute in entity.attributes {
      result.properties[attribute.name] = record.value(of: attribute.name).map {
        .attribute($0, attribute.type)
      }
    }
    for relationship in entity.relationships.map({ model.schema.relationships[$0] }) {
      let destination = model.schema.entities[relationship.destination].name
      if relationship.isToMany {
        let members: [Record] = record[relationship.name]
        if !members.isEmpty {
          result.properties[relationship.name] = .toMany(
            members.map(\.recordID), destination: destination, isOrdered: relationship.isOrdered)
        }
      } else if let target: Record = record[relationship.name] {
        result.properties[relationship.name] = .toOne(target.recordID, destination: destination)
      }
    }
    return result
  }
}
