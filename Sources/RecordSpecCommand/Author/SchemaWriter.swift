import JSONTree
import RecordSpec
import ScenarioFormat
import ScenarioRun

/// A writer that turns the mappings of the format into JSON Schema.
struct SchemaWriter {
  /// The mappings that were written, by name.
  private(set) var definitions: JSONObject = [:]

  /// Returns the schema of a mapping.
  mutating func object(_ mapping: FormatMapping) -> JSONObject {
    var properties = JSONObject(minimumCapacity: mapping.keys.count)
    for key in mapping.keys { properties[key.name] = .object(property(key)) }
    var schema: JSONObject = [
      "type": "object", "properties": .object(properties), "additionalProperties": false,
    ]
    // Without quotes, this key is YAML's null, which editors do not find among the properties.
    if properties["null"] != nil { schema["patternProperties"] = ["^null$": [:]] }
    let required = mapping.keys.filter(\.isRequired).map(\.name)
    if !required.isEmpty { schema["required"] = Self.strings(required) }
    let conditions = mapping.conditions.flatMap(Self.conditions)
    if !conditions.isEmpty { schema["allOf"] = .array(conditions) }
    return schema
  }

  private mutating func property(_ key: FormatKey) -> JSONObject {
    var property = schema(key.value)
    var text = key.meaning
    if let standard = key.standard { text += " Default: \(standard)." }
    property["description"] = .string(text.replacing("`", with: "'"))
    if text.contains("`") { property["markdownDescription"] = .string(text) }
    return property
  }

  private mutating func reference(to mapping: FormatMapping) -> JSONObject {
    if definitions[mapping.name] == nil {
      definitions[mapping.name] = .object(object(mapping))
    }
    return ["$ref": .string("#/definitions/\(mapping.name)")]
  }

  // MARK: Conditions

  private static func conditions(_ condition: FormatMapping.Condition) -> [JSONValue] {
    switch condition {
    case .exactlyOne(let keys): [["oneOf": required(eachOf: keys)]]
    case .atLeastOne(let keys): [["anyOf": required(eachOf: keys)]]
    case .atMostOne(let keys):
      keys.indices.flatMap { first in
        keys[(first + 1)...].map { second in
          ["not": ["required": strings([keys[first], second])]]
        }
      }
    case .requires(let key, let other): [["dependencies": [key: strings([other])]]]
    }
  }

  private static func required(eachOf keys: [String]) -> JSONValue {
    .array(keys.map { ["required": strings([$0])] })
  }

  private static func strings(_ texts: [String]) -> JSONValue { .array(texts.map(JSONValue.string)) }

  // MARK: Values

  private mutating func schema(_ value: FormatValue) -> JSONObject {
    switch value {
    case .null: ["type": "null"]
    case .boolean: ["type": "boolean"]
    case .yes: ["type": "boolean", "const": true]
    case .version:
      ["type": "integer", "enum": [.number(JSONNumber(Int64(FormatKey.supportedSchemaVersion)))]]
    case .json: [:]
    case .literal: ["not": ["type": "null"]]
    case .text: ["type": ["string", "number", "boolean"]]
    case .integer(let range): Self.integer(range)
    case .string(let form): Self.string(form)
    case .word(let words): ["type": "string", "enum": Self.strings(words)]
    case .known(let name): ["enum": .array(Self.names(name))]
    case .list(let element, let isEmptyAllowed): list(element, isEmptyAllowed: isEmptyAllowed)
    case .mapping(let mapping): reference(to: mapping)
    case .entries(let value, let key): entries(value, key)
    case .either(let values): either(values)
    case .chosen(let mappings, let otherwise): chosen(mappings, otherwise)
    }
  }

  private mutating func either(_ values: [FormatValue]) -> JSONObject {
    var schema: JSONObject = ["anyOf": .array(values.map { .object(self.schema($0)) })]
    // Editors choose what to insert after a key by its first type, which must not be null.
    if let types = FormatValue.either(values).types, !types.contains("null") {
      schema["type"] = Self.strings(types)
    }
    return schema
  }

  private static func integer(_ range: ClosedRange<Int>) -> JSONObject {
    var schema: JSONObject = ["type": "integer", "minimum": .number(JSONNumber(Int64(range.lowerBound)))]
    // The largest integer is a limit of the readers, which is not worth a line in an editor.
    if range.upperBound != .max { schema["maximum"] = .number(JSONNumber(Int64(range.upperBound))) }
    return schema
  }

  private static func string(_ form: StringForm) -> JSONObject {
    var schema: JSONObject = ["type": "string"]
    if let pattern = form.pattern {
      schema["pattern"] = .string(pattern)
    } else if !form.isEmptyAllowed {
      schema["minLength"] = 1
    }
    if !form.examples.isEmpty { schema["examples"] = strings(form.examples) }
    return schema
  }

  private static func names(_ name: FormatValue.KnownName) -> [JSONValue] {
    let numbers = KnownCodes.numbers
    let texts = numbers.map { JSONValue.string(String($0)) }
    return switch name {
    case .rule: Rule.all.map { .string($0.id) }
    case .failure: KnownCodes.failures.map(JSONValue.string) + texts + numbers.map(Self.number)
    case .diagnostic: KnownCodes.diagnostics.map(JSONValue.string) + texts + numbers.map(Self.number)
    case .diagnosticText: KnownCodes.diagnostics.map(JSONValue.string) + texts
    }
  }

  private static func number(_ value: Int) -> JSONValue { .number(JSONNumber(Int64(value))) }

  private mutating func list(_ element: FormatValue, isEmptyAllowed: Bool) -> JSONObject {
    var list: JSONObject = ["type": "array", "items": .object(schema(element))]
    if !isEmptyAllowed { list["minItems"] = 1 }
    return list
  }

  private mutating func entries(_ value: FormatValue, _ key: FormatValue.EntryKey) -> JSONObject {
    var entries: JSONObject = ["type": "object", "additionalProperties": .object(schema(value))]
    // Editors check the names before they merge the mappings of '<<'.
    switch key {
    case .any: break
    case .header: entries["propertyNames"] = ["pattern": "^(<<|[!#$%&'*+.^_`|~0-9A-Za-z-]+)$"]
    case .words(let words):
      entries["propertyNames"] = ["anyOf": [["enum": Self.strings(words)], ["const": "<<"]]]
    }
    return entries
  }

  /// Returns a schema that applies one of several mappings, so that a validator reports the errors in this mapping alone.
  private mutating func chosen(_ mappings: [FormatMapping], _ otherwise: FormatMapping?) -> JSONObject {
    var branches: [JSONValue] = []
    var properties: JSONObject = [:]
    var choices: [String] = []
    for mapping in mappings {
      guard let key = mapping.keys.first else { continue }
      choices.append(key.name)
      properties[key.name] = .object(property(key))
      branches.append([
        "if": ["type": "object", "required": Self.strings([key.name])],
        "then": .object(reference(to: mapping)),
      ])
    }
    let isChosen = Self.required(eachOf: choices)
    // An editor completes the choices, until one of them is written. Without the type, nothing would be a choice.
    let unchosen =
      otherwise.map { reference(to: $0) } ?? ["anyOf": isChosen, "properties": .object(properties)]
    return [
      "type": "object", "allOf": .array(branches), "if": ["type": "object", "anyOf": isChosen],
      "else": .object(unchosen),
    ]
  }
}

extension FormatValue {
  /// The types of the values, each of them once; nil for any type.
  fileprivate var types: [String]? {
    switch self {
    case .null: ["null"]
    case .boolean, .yes: ["boolean"]
    case .integer, .version: ["integer"]
    case .string, .word, .known(.rule), .known(.diagnosticText): ["string"]
    case .known(.failure), .known(.diagnostic): ["string", "integer"]
    case .text: ["string", "number", "boolean"]
    case .json, .literal: nil
    case .list: ["array"]
    case .mapping, .entries, .chosen: ["object"]
    case .either(let values):
      values.reduce([]) { types, value in
        types.flatMap { types in value.types.map { types + $0.filter { !types.contains($0) } } }
      }
    }
  }
}
