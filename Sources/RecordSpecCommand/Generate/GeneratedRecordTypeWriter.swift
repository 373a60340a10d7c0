import Foundation
import JSONTree
import RecordModel

/// Writes the classes of entities.
struct GeneratedRecordTypeWriter {
  private let model: ManagedObjectModel
  private let names: RecordTypeNames
  private let access: GeneratedRecordTypes.Access
  /// The number of entities whose records can be stubs, before each position in depth-first order.
  private let stubCounts: [Int]
  /// The columns of keys, by tree.
  private let keyColumns: [Set<ColumnIndex>]
  /// A Boolean value that indicates whether a class uses a type of Foundation.
  private(set) var usesFoundation = false

  init(_ model: ManagedObjectModel, _ names: RecordTypeNames, access: GeneratedRecordTypes.Access) {
    self.model = model
    self.names = names
    self.access = access
    let entitiesWithStubs = model.schema.entitiesWithStubs
    stubCounts = model.schema.depthFirst.reduce(into: [0]) { counts, entity in
      counts.append(counts[counts.count - 1] + (entitiesWithStubs.contains(entity) ? 1 : 0))
    }
    var keyColumns = Array(repeating: Set<ColumnIndex>(), count: model.schema.trees.count)
    for entity in model.schema.entities {
      guard case .attributes(let key) = entity.key else { continue }
      for attribute in key { keyColumns[for: entity.tree].insert(entity.attributes[attribute].column) }
    }
    self.keyColumns = keyColumns
  }

  /// Returns the lines of the class of an entity.
  mutating func lines(of entity: SchemaEntity, _ description: EntityDescription) -> [String] {
    let superclass = entity.parent.map { names.type(of: $0) } ?? names.library(.record)
    let hasStubs = stubCounts[entity.subtree.lowerBound] < stubCounts[entity.subtree.upperBound]
    let key = declaresKey(description) ? Set(description.primaryKey) : []
    var body: [String] = []
    for attribute in description.attributes {
      body += property(attribute, of: entity, isInKey: key.contains(attribute.name), hasStubs: hasStubs)
        .lines(access)
    }
    for relationship in description.relationships {
      body += property(relationship, of: entity, isInKey: key.contains(relationship.name)).lines(access)
    }
    let configuration = configuration(of: entity)
    // A class inherits the method of its superclass.
    let inherited = entity.parent.map { self.configuration(of: model.schema.entities[$0]) } ?? []
    if !configuration.isEmpty || !inherited.isEmpty {
      if !body.isEmpty { body.append("") }
      body += configurationLines(configuration)
    }
    let modifier = entity.children.isEmpty ? "final " : ""
    let head = "\(access.prefix)\(modifier)class \(names.type(of: entity.index)): \(superclass) {"
    return body.isEmpty ? [head + "}"] : [head] + body + ["}"]
  }

  // MARK: Properties

  private mutating func property(
    _ attribute: AttributeDescription, of entity: SchemaEntity, isInKey: Bool, hasStubs: Bool
  ) -> GeneratedProperty {
    let resolved = entity.attributeIndices[attribute.name].map { entity.attributes[$0] }
    // A key has no initial value, because reading a missing key must not return it.
    let isInKeyOfTree = resolved.map { keyColumns[for: entity.tree].contains($0.column) } ?? false
    let initialValue =
      isInKeyOfTree ? nil : resolved?.defaultValue.flatMap { self.initialValue($0, attribute.type) }
    let isOptional: Bool
    if attribute.isOptional {
      isOptional = true
    } else if let initialValue {
      isOptional = initialValue.isOptional
    } else {
      // A stub lacks the value, and so does a new record whose default is not the initial value.
      isOptional = !entity.isPartOfKey(attribute.name) && (hasStubs || attribute.defaultValue != nil)
    }
    let type = attribute.type.swiftType
    if type.module == "Foundation" { usesFoundation = true }
    var property = GeneratedProperty(
      wrapper: names.library(.field), arguments: arguments(attribute.name, isInKey: isInKey),
      name: names.property(attribute.name, of: entity.index),
      type: names.library(type) + (isOptional ? "?" : ""))
    property.initialValue = initialValue?.expression
    addMapping(attribute.from, usesOwnName: attribute.usesOwnName, to: &property)
    property.assign("format", attribute.format.map(SwiftLiteral.string))
    if initialValue == nil, let literal = attribute.defaultValue {
      property.assign("defaultValue", SwiftLiteral.json(literal, number: names.library(.jsonNumber)))
    }
    if attribute.isOptional != isOptional { property.assign("isOptional", String(attribute.isOptional)) }
    property.assign("null", attribute.null.map { ".\($0)" })
    if let values = attribute.nullValues { property.assign("nullValues", literal(values)) }
    property.assign("transformer", attribute.transformer.map(SwiftLiteral.string))
    property.assign("renamingIdentifier", attribute.renamingIdentifier.map(SwiftLiteral.string))
    return property
  }

  private func property(
    _ relationship: RelationshipDescription, of entity: SchemaEntity, isInKey: Bool
  ) -> GeneratedProperty {
    let destination = model.schema.indices[relationship.destination].map(names.type(of:)) ?? ""
    var arguments = arguments(relationship.name, isInKey: isInKey)
    if let inverse = relationship.inverse {
      arguments.insert("inverse: \(SwiftLiteral.string(inverse.rawValue))", at: 1)
    }
    var property = GeneratedProperty(
      wrapper: names.library(relationship.isToMany ? .toMany : .toOne), arguments: arguments,
      name: names.property(relationship.name, of: entity.index),
      type: relationship.isToMany ? "[\(destination)]" : "\(destination)?")
    if relationship.isOrdered { property.assign("isOrdered", "true") }
    if !relationship.isOptional { property.assign("isOptional", "false") }
    if relationship.minCount != 0 { property.assign("minCount", String(relationship.minCount)) }
    if relationship.maxCount != 0 { property.assign("maxCount", String(relationship.maxCount)) }
    if relationship.deleteRule != .nullify { property.assign("deleteRule", ".\(relationship.deleteRule)") }
    addMapping(relationship.from, usesOwnName: relationship.usesOwnName, to: &property)
    property.assign("null", relationship.null.map { ".\($0)" })
    if let values = relationship.nullValues { property.assign("nullValues", literal(values)) }
    if relationship.assignment != .union { property.assign("assignment", ".\(relationship.assignment)") }
    if relationship.stubs != .create { property.assign("stubs", ".\(relationship.stubs)") }
    property.assign("keyedBy", (relationship.keyedBy?.rawValue).map(SwiftLiteral.string))
    property.assign("renamingIdentifier", relationship.renamingIdentifier.map(SwiftLiteral.string))
    return property
  }

  private func literal(_ values: [JSONValue]) -> SwiftExpression {
    SwiftLiteral.json(.array(values), number: names.library(.jsonNumber))
  }

  private func arguments(_ name: PropertyName, isInKey: Bool) -> [String] {
    [SwiftLiteral.string(name.rawValue)] + (isInKey ? ["isPrimaryKey: true"] : [])
  }

  private func addMapping(
    _ paths: [MappingPath], usesOwnName: Bool, to property: inout GeneratedProperty
  ) {
    if !paths.isEmpty { property.assign("from", SwiftLiteral.strings(paths.map(\.description))) }
    if !usesOwnName { property.assign("usesOwnName", "false") }
  }

  /// Returns the expression of an initial value, and whether its type is optional; nil if only a JSON value can express
  /// it.
  private func initialValue(
    _ value: AttributeValue, _ type: AttributeType
  ) -> (expression: SwiftExpression, isOptional: Bool)? {
    func call(_ type: SwiftType, _ label: String, _ text: String) -> SwiftExpression {
      .call(names.library(type), argument: "\(label): \(SwiftLiteral.string(text))")
    }
    switch value {
    case .integer(let value): return (.text(SwiftLiteral.integer(value)), false)
    case .double(let value):
      return (.text(type == .float ? Float(value).description : value.description), false)
    case .boolean(let value): return (.text(String(value)), false)
    case .string(let value): return (.text(SwiftLiteral.string(value)), false)
    case .date(let value):
      let seconds = value.timeIntervalSinceReferenceDate.description
      let argument = "timeIntervalSinceReferenceDate: \(seconds)"
      return (.call(names.library(.date), argument: argument), false)
    case .decimal(let value):
      let text = value.exactText
      if let integer = Int64(text) { return (.text(SwiftLiteral.integer(integer)), false) }
      return Decimal(string: text) == value ? (call(.decimal, "string", text), true) : nil
    case .binary(let value): return (call(.data, "base64Encoded", value.base64EncodedString()), true)
    case .uuid(let value): return (call(.uuid, "uuidString", value.uuidString), true)
    case .uri(let value): return (call(.url, "string", value.absoluteString), true)
    case .json(let value): return (SwiftLiteral.json(value, number: names.library(.jsonNumber)), false)
    }
  }

  // MARK: Entity

  /// Returns a Boolean value that indicates whether the wrappers declare the key: its properties belong to the entity
  /// and are declared in the order of the key.
  private func declaresKey(_ entity: EntityDescription) -> Bool {
    let key = Set(entity.primaryKey)
    let names = entity.attributes.map(\.name) + entity.relationships.map(\.name)
    return names.filter(key.contains) == entity.primaryKey
  }

  /// Returns the assignments that declare everything but the properties.
  private func configuration(
    of entity: SchemaEntity
  ) -> [(target: String, value: SwiftExpression)] {
    let description = model.entities[entity.index.rawValue]
    var result: [(String, SwiftExpression)] = []
    func add(_ target: String, _ value: SwiftExpression?) {
      if let value { result.append(("entity." + target, value)) }
    }
    func add(_ target: String, text: String?) { add(target, text.map { .text(SwiftLiteral.string($0)) }) }
    let isRoot = entity.parent == nil
    if names.classes[entity.index.rawValue] != entity.name.rawValue {
      add("name", text: entity.name.rawValue)
    }
    if description.isAbstract { add("isAbstract", .text("true")) }
    if !declaresKey(description) {
      add("primaryKey", SwiftLiteral.strings(description.primaryKey.map(\.rawValue)))
    }
    add("keyPattern", text: description.keyPattern)
    add("responseKeyPath", text: description.responseKeyPath?.description)
    add("responseKeyedBy", text: description.responseKeyedBy?.rawValue)
    for list in description.sideloaded {
      let names = list.entities.map { ", " + SwiftLiteral.string($0.rawValue) }.joined()
      result.append(
        (
          "entity.sideloaded",
          .text("entity.sideloaded + [.init(\(SwiftLiteral.string(list.path.description))\(names))]")
        ))
    }
    add("deletedKeyPath", text: description.deletedKeyPath?.description)
    add("withoutKey", description.withoutKey.map { .text(".\($0)") })
    add("names", description.names.map { .text(".\($0)") })
    add("nullValues", description.nullValues.map(literal))
    // Record types have no defaults of the model. The sub-entities inherit those of the root.
    add("dateFormat", text: description.dateFormat ?? (isRoot && hasDates(entity) ? model.dateFormat : nil))
    let null = description.null ?? (isRoot && model.nulls != .clear ? model.nulls : nil)
    add("null", null.map { .text(".\($0)") })
    add("merge", description.merge.map { .text(".\($0)") })
    add("modificationAttribute", text: description.modificationAttribute?.rawValue)
    add("dictionaryAttribute", text: description.dictionaryAttribute?.rawValue)
    add("usedWhen", text: description.usedWhen?.text)
    add("deletedWhen", text: description.deletedWhen?.text)
    add("detailURN", text: description.detailURN)
    add(
      "isRecordLevelCachingEnabled", description.isRecordLevelCachingEnabled.map { .text(String($0)) })
    if !description.ignores.isEmpty { add("ignores", SwiftLiteral.strings(description.ignores)) }
    add("renamingIdentifier", text: description.renamingIdentifier)
    return result
  }

  /// Returns a Boolean value that indicates whether an entity or one of its sub-entities has a date.
  private func hasDates(_ entity: SchemaEntity) -> Bool {
    model.schema.kinds(of: entity.index).contains { kind in
      model.entities[kind.rawValue].attributes.contains { $0.type == .date }
    }
  }

  private func configurationLines(_ assignments: [(target: String, value: SwiftExpression)]) -> [String] {
    let type = names.library(.entityDescription)
    let head = "  \(access.prefix)override class func configure(_ entity: inout \(type)) {"
    if assignments.isEmpty { return [head + "}"] }
    return [head] + assignments.flatMap { $1.lines(after: $0 + " =", indentation: 4) } + ["  }"]
  }
}

extension AttributeType {
  /// The Swift type of a property for the attribute.
  fileprivate var swiftType: SwiftType {
    switch self {
    case .int16: .int16
    case .int32: .int32
    case .int64: .int
    case .float: .float
    case .double: .double
    case .decimal: .decimal
    case .boolean: .bool
    case .string: .string
    case .date: .date
    case .binary: .data
    case .uuid: .uuid
    case .uri: .url
    case .transformable: .jsonValue
    }
  }
}
