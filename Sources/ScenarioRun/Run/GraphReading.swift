import RecordEngine
import RecordModel
import ScenarioComparison

extension ManagedObjectContext {
  /// Returns all records of this context with their labels.
  func labeledGraph(_ model: ManagedObjectModel) throws(RequestFailure) -> LabeledGraph<RecordID> {
    UnlabeledGraph(records: try allRecords(model).map { unlabeled($0, model) }).labeled()
  }

  /// Returns all records by entity, in the order of the model, oldest first.
  func allRecords(_ model: ManagedObjectModel) throws(RequestFailure) -> [Record] {
    var records: [Record] = []
    for entity in model.entities where entity.parent == nil {
      records += try fetch(RecordFetchRequest(entity.name))
    }
    return records
  }

  private func unlabeled(_ record: Record, _ model: ManagedObjectModel) -> UnlabeledRecord<RecordID> {
    var result = withAttributes(record, model)
    guard let entity = model.schema.entity(result.entity) else { return result }
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

  /// Returns the record without its relationships.
  func withAttributes(_ record: Record, _ model: ManagedObjectModel) -> UnlabeledRecord<RecordID> {
    guard let name = record.entityName, let entity = model.schema.entity(name) else {
      return UnlabeledRecord(id: record.recordID, entity: "", key: [])
    }
    var result = UnlabeledRecord(id: record.recordID, entity: name, key: model.schema.key(of: name))
    for attribute in entity.attributes {
      result.properties[attribute.name] = record.value(of: attribute.name).map {
        .attribute($0, attribute.type)
      }
    }
    return result
  }
}
