import JSONTree
import RecordModel
import TestSupport

/// A model with random values for everything that a description has. Most of them are valid.
struct RandomModel {
  private(set) var entities: [EntityDescription] = []
  private(set) var dateFormat: String?
  private(set) var nulls = NullPolicy.clear
  private var random: SeededGenerator

  /// Names with a meaning in YAML, and names with letters beyond ASCII.
  private static let names = ["Post", "null", "True", "Größe", "on", "_x1", "NaN", "données", "e3"]
  private static let formats = ["iso8601", "yyyy-MM-dd'T'HH:mm:ssZ", "yyyy: MM", "dd.MM.yyyy '#'"]
  private static let predicates: [RecordPredicate] = [
    #"kind == "post""#, "kind == 'it: #{a}'", #"#"a-b" IN {1, 2}"#, "NOT (a.b = nil) AND x LIKE '*\\\\'",
    "TRUEPREDICATE",
  ]

  init(seed: UInt64) {
    random = SeededGenerator(seed: seed)
    dateFormat = chance(50) ? pick(Self.formats) : nil
    nulls = chance(50) ? .keep : .clear
    for number in 0..<Int.random(in: 1...4, using: &random) { addEntity(Self.names[number]) }
    for number in 0..<Int.random(in: 0...4, using: &random) { addRelationship(number) }
  }

  func model() throws(ModelError) -> ManagedObjectModel {
    try ManagedObjectModel(entities: entities, dateFormat: dateFormat, nulls: nulls)
  }

  // MARK: Entities

  private mutating func addEntity(_ name: String) {
    var entity = EntityDescription(EntityName(name))
    let number = entities.count
    if chance(30) { entity.className = "App.Class\(number)" }
    if chance(40), let parent = entities.randomElement(using: &random) {
      entity.parent = parent.name
      if chance(70) { entity.usedWhen = pick(Self.predicates) }
    }
    entity.isAbstract = chance(20)
    for attribute in 0..<Int.random(in: 0...4, using: &random) {
      addAttribute("\(Self.names[attribute])\(number)", to: &entity)
    }
    let keys = entity.attributes.filter { $0.type != .transformable }.map(\.name)
    if chance(70) { entity.primaryKey = Array(keys.prefix(Int.random(in: 0...2, using: &random))) }
    if chance(20), entity.primaryKey.count == 1 {
      entity.keyPattern = pick(["*/{key}", "*#{key}/ | a: {key}"])
    }
    if chance(30) { entity.responseKeyPath = chance(30) ? MappingPath(keys: []) : path() }
    if chance(20) { entity.responseKeyedBy = keys.first }
    if chance(20) { entity.dateFormat = pick(Self.formats) }
    if chance(20) { entity.null = chance(50) ? .keep : .clear }
    if chance(20) { entity.merge = chance(50) ? .deep : .first }
    if chance(20) { entity.modificationAttribute = entity.attributes.first { $0.type == .int64 }?.name }
    if chance(20) { entity.dictionaryAttribute = entity.attributes.first { $0.type == .transformable }?.name }
    if chance(20) { entity.deletedWhen = pick(Self.predicates) }
    if chance(20), let key = keys.first { entity.detailURN = "items: #1/{\(key)}" }
    if chance(20) { entity.isRecordLevelCachingEnabled = chance(50) }
    if chance(20) { entity.ignores = [pick(["*_url", "meta.*", "yes"]), "node: id #1"] }
    if chance(20) { entity.renamingIdentifier = "Old\(number)" }
    entities.append(entity)
  }

  private mutating func addAttribute(_ name: String, to entity: inout EntityDescription) {
    let type = AttributeType.allCases.randomElement(using: &random) ?? .string
    var attribute = AttributeDescription(PropertyName(name), type)
    attribute.from = paths()
    attribute.usesOwnName = !chance(20)
    if type == .date, chance(50) { attribute.format = pick(Self.formats) }
    if chance(40) { attribute.defaultValue = defaultValue(of: type) }
    attribute.isOptional = !chance(20)
    if chance(20) { attribute.null = chance(50) ? .keep : .clear }
    if type == .transformable, chance(50) { attribute.transformer = pick(["Upper", "true", "a: b"]) }
    if chance(20) { attribute.renamingIdentifier = "old \(name)" }
    entity.attributes.append(attribute)
  }

  private mutating func defaultValue(of type: AttributeType) -> JSONValue? {
    switch type {
    case .int16, .int32, .int64: .number(JSONNumber(Int64.random(in: -9...9, using: &random)))
    case .float, .double, .decimal: -1.5
    case .boolean: true
    case .string: .string(RandomValue.text(&random))
    case .transformable: RandomValue.value(&random, depth: 3)
    case .date: "2001-02-03T04:05:06Z"
    case .binary: "AAEC"
    case .uuid: "3F2504E0-4F89-41D3-9A0C-0305E82C3301"
    case .uri: "https://api.test/a?b=c#d"
    }
  }

  // MARK: Relationships

  private mutating func addRelationship(_ number: Int) {
    guard let index = entities.indices.randomElement(using: &random),
      let other = entities.indices.randomElement(using: &random)
    else { return }
    let name = PropertyName("link\(number)")
    var relationship = RelationshipDescription(name, to: entities[other].name, isToMany: chance(50))
    if chance(60) {
      let back = PropertyName("back\(number)")
      relationship.inverse = back
      entities[other].relationships.append(
        RelationshipDescription(back, to: entities[index].name, isToMany: chance(50), inverse: name))
    }
    if relationship.isToMany {
      relationship.isOrdered = chance(30)
      relationship.minCount = chance(30) ? 2 : 0
      relationship.maxCount = chance(30) ? 1_000_000 : 0
      relationship.assignment = chance(30) ? .replace : .union
      if chance(20) { relationship.keyedBy = entities[other].attributes.first?.name }
    } else if chance(20) {
      relationship.null = chance(50) ? .keep : .clear
    }
    relationship.isOptional = !chance(20)
    relationship.deleteRule = DeleteRule.allCases.randomElement(using: &random) ?? .nullify
    relationship.from = paths()
    relationship.usesOwnName = !chance(20)
    relationship.stubs = chance(20) ? .never : .create
    if chance(20) { relationship.renamingIdentifier = "oldLink\(number)" }
    entities[index].relationships.append(relationship)
  }

  // MARK: Parts

  private mutating func paths() -> [MappingPath] {
    chance(50) ? [] : (0..<Int.random(in: 1...3, using: &random)).map { _ in path() }
  }

  private mutating func path() -> MappingPath {
    var components: [MappingPath.Component] = []
    for _ in 0..<Int.random(in: 1...3, using: &random) {
      switch Int.random(in: 0..<8, using: &random) {
      case 0: components.append(.index(Int.random(in: 0...12, using: &random)))
      case 1: components.append(.unionOfObjects)
      case 2: components.append(.key(RandomValue.text(&random)))
      default: components.append(.key(pick(["user", "a.b", "@count", "12", "it's", " x ", "null"])))
      }
    }
    if chance(10) { components.append(.count) }
    if components.last == .unionOfObjects { components.append(.key("name")) }
    return MappingPath(components: components)
  }

  private mutating func pick<Element>(_ elements: [Element]) -> Element {
    elements[Int.random(in: elements.indices, using: &random)]
  }

  private mutating func chance(_ percent: Int) -> Bool { Int.random(in: 0..<100, using: &random) < percent }
}
