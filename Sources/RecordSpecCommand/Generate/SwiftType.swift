/// The types of libraries that generated code names.
enum SwiftType: String {
  case bool = "Bool"
  case double = "Double"
  case float = "Float"
  case int = "Int"
  case int16 = "Int16"
  case int32 = "Int32"
  case string = "String"
  case data = "Data"
  case date = "Date"
  case decimal = "Decimal"
  case url = "URL"
  case uuid = "UUID"
  case entityDescription = "EntityDescription"
  case field = "Field"
  case jsonNumber = "JSONNumber"
  case jsonValue = "JSONValue"
  case record = "Record"
  case toMany = "ToMany"
  case toOne = "ToOne"

  /// The module that declares or exports the type.
  var module: String {
    switch self {
    case .bool, .double, .float, .int, .int16, .int32, .string: "Swift"
    case .data, .date, .decimal, .url, .uuid: "Foundation"
    case .entityDescription, .field, .jsonNumber, .jsonValue, .record, .toMany, .toOne: "RecordEngine"
    }
  }
}
