import JSONTree
import RecordModel

/// Records are equal if they are the same object. A context has one object for each record, so equal records of a
/// context are the same record.
extension Record: Hashable {
  public static func == (left: Record, right: Record) -> Bool { left === right }

  public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

/// The identity is that of the object. A subclass can declare an `id` of its own, for example as an attribute.
extension Record: Identifiable {}

extension Record: CustomStringConvertible, CustomDebugStringConvertible {
  /// The entity, the key and the first attributes with a value: `Post/1 {id: 1, text: "Hello", …}`. Texts of more than
  /// 40 characters are shortened.
  public var description: String {
    guard let row = context.row(recordID) else { return "\(type(of: self)) (deleted)" }
    let entity = context.schema.entities[row.entity]
    let values = entity.attributes.lazy.compactMap { attribute in
      row.values[attribute.column].map { "\(attribute.name): \($0.shortText(attribute.type))" }
    }
    var shown = Array(values.prefix(RecordDescription.maximumAttributes + 1))
    if shown.count > RecordDescription.maximumAttributes { shown[RecordDescription.maximumAttributes] = "…" }
    return context.title(of: row) + " {\(shown.joined(separator: ", "))}"
  }

  /// The entity, the key, all properties with a value, the identifier and the unsaved state. A related record is shown
  /// with its entity and key: `Post/1 {id: 1, author: User/7, tags: [Tag/a, Tag/b]} (record 1 of tree 0, updated)`.
  public var debugDescription: String {
    guard let row = context.row(recordID) else { return "\(type(of: self)) (deleted, \(recordID))" }
    let entity = context.schema.entities[row.entity]
    var properties = entity.attributes.compactMap { attribute in
      row.values[attribute.column].map {
        "\(attribute.name): \($0.literal(type: attribute.type).compactText())"
      }
    }
    for index in entity.relationships {
      let relationship = context.schema.relationships[index]
      if relationship.isToMany {
        let members = context.toMany(relationship.name, of: recordID)
        let titles = members.prefix(RecordDescription.maximumMembers).map { context.title(of: $0) }
        let others = members.count > titles.count ? ["… \(members.count - titles.count) more"] : []
        if !members.isEmpty {
          properties.append("\(relationship.name): [\((titles + others).joined(separator: ", "))]")
        }
      } else if let other = context.toOne(relationship.name, of: recordID) {
        properties.append("\(relationship.name): \(context.title(of: other))")
      }
    }
    let state = isInserted ? ", inserted" : isUpdated ? ", updated" : ""
    return "\(context.title(of: row)) {\(properties.joined(separator: ", "))} (\(recordID)\(state))"
  }
}

/// The limits of descriptions.
private enum RecordDescription {
  static let maximumAttributes = 6
  static let maximumMembers = 10
}

extension ManagedObjectContext {
  fileprivate func title(of id: RecordID) -> String { row(id).map(title) ?? "deleted" }

  /// Returns the title of a record, or its entity if it has none. One query reads the parents of all records that were
  /// returned together.
  fileprivate func title(of row: Row) -> String {
    let entity = schema.entities[row.entity]
    var parent: Row?
    if case .relationship(let index) = entity.key {
      parent = toOne(schema.relationships[index].name, of: row.id).flatMap { self.row($0) }
    }
    return schema.title(of: row, parent: parent) ?? entity.name.rawValue
  }
}
