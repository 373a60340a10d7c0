import RecordModel

extension EntityReader {
  /// The names of keys in other tools.
  private static let otherNames = [
    "dateformat": ["format"], "pattern": ["format"], "key": ["from"], "keypath": ["from"], "path": ["from"],
    "source": ["from"], "jsonkey": ["from"], "at": ["from"], "json": ["from"], "field": ["from"],
    "url": ["from"], "nullable": ["optional"], "nulls": ["null"],
  ]
  /// The types for the formats of JSON Schema and OpenAPI, with the date format that belongs to them.
  private static let schemaFormats = [
    "int32": "type: int32", "int64": "type: int64", "float": "type: float", "double": "type: double",
    "byte": "type: binary", "binary": "type: binary", "uuid": "type: uuid", "uri": "type: uri",
    "date": "type: date, format: yyyy-MM-dd", "date-time": "type: date, format: iso8601",
  ]

  /// Reads an attribute: `id: string` or a mapping.
  ///
  /// - Parameter index: the index of the attribute in the model file; nil if the file does not declare it.
  func readAttribute(
    _ pair: YAMLPair, at index: Int?, into entity: inout EntityDescription, outline: ModelOutline
  ) {
    if mode == .overlay, index == nil {
      let names = entity.attributes.map(\.name.rawValue)
      reportUndeclared(pair, "attribute", of: entity, among: names, outline)
      return
    }
    let declared = index.map { entity.attributes[$0] }
    guard let attribute = attribute(pair, over: declared) else { return }
    if let index { entity.attributes[index] = attribute } else { entity.attributes.append(attribute) }
  }

  private func attribute(_ pair: YAMLPair, over declared: AttributeDescription?) -> AttributeDescription? {
    if pair.value.scalar != nil { return type(pair, over: declared).map { with($0, declared, pair.key) } }
    if reportsOtherProperty(pair) { return nil }
    guard
      let reader = MappingReader(
        pair, as: .attribute, hints: Self.hints(pair), otherNames: Self.otherNames, findings: findings)
    else { return nil }
    let typePair = declared == nil ? reader.required("type") : reader["type"]
    let written = typePair.map { type($0, over: declared) }
    // Without a type, the other errors of the attribute are still reported.
    var attribute = with((written ?? declared?.type) ?? .transformable, declared, pair.key)
    if let from = findings.paths(reader["from"]) { attribute.from = from }
    if let usesOwnName = findings.boolean(reader["usesOwnName"]) { attribute.usesOwnName = usesOwnName }
    if let format = dateFormat(reader["format"]) { attribute.format = format }
    if let value = reader["default"].flatMap({ findings.json($0.value) }) { attribute.defaultValue = value }
    if let isOptional = findings.boolean(reader["optional"]) { attribute.isOptional = isOptional }
    if let null = findings.choice(reader["null"], NullPolicy.self) { attribute.null = null }
    if let values = findings.jsonList(reader["nullValues"]) { attribute.nullValues = values }
    if let pair = reader["transformer"], let name = findings.string(pair) {
      attribute.transformer = name
      findings.note(.transformer, name, at: pair.value.span)
    }
    if let name = findings.string(reader["renamingIdentifier"]) { attribute.renamingIdentifier = name }
    return attribute
  }

  /// Returns the advice for keys of other tools, whose values have another meaning here.
  private static func hints(_ pair: YAMLPair) -> [String: String] {
    let isRequired = pair.value["required"]?.scalar?.value != .boolean(false)
    let isUnique = pair.value["unique"]?.scalar?.value != .boolean(false)
    return [
      "required": isRequired ? "write 'optional: false'" : "remove it; attributes are optional by default",
      "unique": isUnique
        ? "write 'primaryKey: \(pair.key)' in the entity if it identifies the records, otherwise remove it"
        : "remove it",
    ]
  }

  /// Reports a list of one type, such as `[string]`, and a relationship, such as `{to: User}`. Returns a Boolean value
  /// that indicates whether the attribute is one.
  private func reportsOtherProperty(_ pair: YAMLPair) -> Bool {
    if let elements = pair.value.elements, elements.count == 1, let text = elements[0].scalar?.text {
      findings.wrongKind(
        pair.value, expected: "a mapping", for: "'\(pair.key)'", advice: Self.listAdvice(of: text))
      return true
    }
    let key = pair.value.pairs?.first { FormatMapping.destinationKeys.contains($0.key) }
    guard let key, pair.value["type"] == nil else { return false }
    findings.report(
      .unknownKey, at: key.keySpan, "unknown key '\(key.key)' in an attribute",
      advice: "move '\(pair.key)' to 'relationships'")
    return true
  }

  /// Returns the advice for a list of values of a type, or of records of an entity.
  private static func listAdvice(of type: String) -> String {
    type.first?.isUppercase ?? false && !isType(folded(type))
      ? "declare a relationship to an entity under 'relationships': {toMany: \(type)}"
      : "write transformable, which stores a list"
  }

  /// Returns the type of the elements in `[string]` or `string[]`; nil for another text.
  private static func elementType(of text: String) -> String? {
    if text.hasSuffix("[]") { return String(text.dropLast(2)) }
    return text.hasPrefix("[") && text.hasSuffix("]") ? String(text.dropFirst().dropLast()) : nil
  }

  /// Reads the format of date strings. Reports a format of JSON Schema, which names a type.
  private func dateFormat(_ pair: YAMLPair?) -> String? {
    guard let pair, let text = pair.value.scalar?.text, let meant = Self.schemaFormats[text] else {
      return findings.dateFormat(pair)
    }
    findings.report(
      .dateSyntax, at: pair.value.span, "'\(text)' is not a date format", advice: "write {\(meant)}")
    return nil
  }

  private func with(
    _ type: AttributeType, _ declared: AttributeDescription?, _ name: String
  ) -> AttributeDescription {
    var attribute = declared ?? AttributeDescription(PropertyName(name), type)
    attribute.type = type
    return attribute
  }

  private func type(_ pair: YAMLPair, over declared: AttributeDescription?) -> AttributeType? {
    guard let text = findings.string(pair.value, for: "the type of an attribute") else { return nil }
    guard let type = AttributeType(rawValue: text) else {
      let (names, advice) = Self.typeAdvice(for: text)
      findings.report(
        .unknownValue, at: pair.value.span, "unknown type '\(text)'", expected: names.map(Findings.oneOf),
        advice: advice)
      return nil
    }
    if let declared, type != declared.type, !declared.type.widerTypes.contains(type) {
      let wider = declared.type.widerTypes.map(\.rawValue)
      findings.report(
        .overlay, at: pair.value.span,
        "'\(declared.name)' is \(declared.type.rawValue) in the model file and cannot become \(type.rawValue), which is not wider",
        expected: wider.isEmpty ? nil : Findings.oneOf(wider))
      return nil
    }
    return type
  }

  /// Returns the advice for an unknown type, and the types to list; nil if the advice is about the form of the text.
  private static func typeAdvice(for text: String) -> (names: [String]?, advice: String?) {
    let names = AttributeType.allCases.map(\.rawValue)
    if text.hasSuffix("?"), names.contains(String(text.dropLast())) {
      return (nil, "write \(text.dropLast()); attributes are optional by default")
    }
    if let element = elementType(of: text) { return (nil, listAdvice(of: element)) }
    if let near = otherTypeNames[folded(text)] ?? nearestName(to: text, among: names) {
      return (names, "did you mean '\(near)'?")
    }
    if text.first?.isUppercase ?? false {
      return (names, "declare a relationship to an entity under 'relationships': {to: \(text)}")
    }
    let isPath = text.contains(".") && text.count <= 100 && (try? MappingPath(text)) != nil
    let path = text.trimmingPrefix("$.")
    return (names, isPath ? "write {type: string, from: \(path)} for a value at this path" : nil)
  }

  /// Returns a Boolean value that indicates whether a text is the type of an attribute, here or in another language.
  static func isType(_ text: String) -> Bool {
    AttributeType(rawValue: text) != nil || otherTypeNames[text] != nil
  }

  /// Returns the name of a type in lower case and without spaces, as in `Integer 64` of Xcode.
  private static func folded(_ name: String) -> String { name.lowercased().filter { !" _-".contains($0) } }

  /// The names of types in other languages, for suggestions.
  private static let otherTypeNames = [
    "int": "int64", "integer": "int64", "long": "int64", "bool": "boolean", "text": "string",
    "varchar": "string", "str": "string", "char": "string", "float64": "double", "float32": "float",
    "uint": "int64", "short": "int16", "currency": "decimal", "blob": "binary", "guid": "uuid",
    "number": "double", "integer16": "int16", "integer32": "int32", "integer64": "int64",
    "binarydata": "binary",
    "datetime": "date", "timestamp": "date", "data": "binary", "url": "uri", "json": "transformable",
    "object": "transformable", "array": "transformable", "dictionary": "transformable",
  ]
}

extension AttributeType {
  /// The types that can represent every value of this type.
  fileprivate var widerTypes: [AttributeType] {
    switch self {
    case .int16: [.int32, .int64, .double, .decimal]
    case .int32: [.int64, .double, .decimal]
    case .int64: [.decimal]
    case .float: [.double]
    case .uuid, .uri: [.string]
    case .double, .decimal, .boolean, .string, .date, .binary, .transformable: []
    }
  }
}
