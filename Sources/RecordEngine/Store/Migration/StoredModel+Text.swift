import JSONTree
import RecordModel

/// The textual form of the model in a file: JSON without members that are absent, empty or false.
extension StoredModel {
  var text: String {
    JSONValue.object([
      "entities": .array(
        entities.map { entity in
          var members: JSONObject = ["name": .string(entity.name)]
          if entity.identifier != entity.name { members["identifier"] = .string(entity.identifier) }
          members["number"] = .number(JSONNumber(entity.number))
          if let parent = entity.parent { members["parent"] = .string(parent) }
          if entity.isAbstract { members["abstract"] = true }
          if !entity.key.isEmpty { members["key"] = .array(entity.key.map(JSONValue.string)) }
          if let table = entity.table { members["table"] = .string(table) }
          members["attributes"] = .array(entity.attributes.map(\.json))
          members["relationships"] = .array(entity.relationships.map(\.json))
          return .object(members)
        })
    ]).compactText()
  }

  /// Creates a model from its textual form; nil if the text is not a model.
  init?(text: String) {
    guard let document = try? JSONDocument(parsing: Array(text.utf8)),
      case .array(let elements)? = document.root.value["entities"]
    else { return nil }
    entities = []
    for element in elements {
      guard let name = element.text("name"), case .number(let number)? = element["number"],
        let number = number.int64Value, case .array(let attributes)? = element["attributes"],
        case .array(let relationships)? = element["relationships"]
      else { return nil }
      var key: [String] = []
      if case .array(let names)? = element["key"] {
        for case .string(let name) in names { key.append(name) }
      }
      let entity = Entity(
        name: name, identifier: element.text("identifier") ?? name, number: number,
        parent: element.text("parent"), isAbstract: element.flag("abstract"), key: key,
        table: element.text("table"), attributes: attributes.compactMap(Attribute.init),
        relationships: relationships.compactMap(Relationship.init))
      guard entity.attributes.count == attributes.count, entity.relationships.count == relationships.count
      else {
        return nil
      }
      entities.append(entity)
    }
  }
}

extension JSONValue {
  fileprivate func text(_ key: String) -> String? {
    if case .string(let text)? = self[key] { text } else { nil }
  }

  fileprivate func flag(_ key: String) -> Bool { self[key] == .boolean(true) }
}

extension StoredModel.Attribute {
  fileprivate var json: JSONValue {
    var members: JSONObject = ["name": .string(name)]
    if identifier != name { members["identifier"] = .string(identifier) }
    members["type"] = .string(type.rawValue)
    if isOptional { members["optional"] = true }
    members["column"] = .string(column)
    return .object(members)
  }

  fileprivate init?(_ json: JSONValue) {
    guard let name = json.text("name"), let type = json.text("type").flatMap(AttributeType.init),
      let column = json.text("column")
    else { return nil }
    self.init(
      name: name, identifier: json.text("identifier") ?? name, type: type, isOptional: json.flag("optional"),
      column: column)
  }
}

extension StoredModel.Relationship {
  fileprivate var json: JSONValue {
    var members: JSONObject = ["name": .string(name)]
    if identifier != name { members["identifier"] = .string(identifier) }
    members["destination"] = .string(destination)
    if isToMany { members["toMany"] = true }
    if isOrdered { members["ordered"] = true }
    if isOptional { members["optional"] = true }
    for (key, value) in [("inverse", inverse), ("column", column), ("position", position), ("table", table)] {
      if let value { members[key] = .string(value) }
    }
    return .object(members)
  }

  fileprivate init?(_ json: JSONValue) {
    guard let name = json.text("name"), let destination = json.text("destination") else { return nil }
    self.init(
      name: name, identifier: json.text("identifier") ?? name, destination: destination,
      isToMany: json.flag("toMany"), isOrdered: json.flag("ordered"), isOptional: json.flag("optional"),
      inverse: json.text("inverse"), column: json.text("column"), position: json.text("position"),
      table: json.text("table"))
  }
}
