import Foundation
import JSONTree
import RecordModel

@testable import RecordEngine

/// A source of random records, changes and requests for the model of ``FetchWorld``.
struct RandomFetch {
  var random: RandomNumbers

  private static let texts = [
    "", "a", "A", "b", "ab", "\u{E9}", "e\u{301}", "7", "Ada", "a*b", "nul\u{0}l", "2000-01-01T00:00:00Z",
    "\u{1F642}",
  ]
  private static let numbers = [
    "0", "1", "-1", "7", "7.0", "0.1", "0.10000000000000001", "0.10000000149", "6.5", "1e400", "-1e400",
    "9007199254740993", "9007199254740992", "9223372036854775807", "9223372036854775808", "12.50",
    "12345678901234567890.5",
  ]

  // MARK: Records

  mutating func fill(_ context: ManagedObjectContext) throws {
    for _ in 0..<random.number(2...5) { try insert("User", context) }
    for _ in 0..<random.number(1...4) { try insert("Tag", context) }
    for _ in 0..<random.number(3...9) { try insert("Post", context) }
    for _ in 0..<random.number(0...5) { try insert(random.chance(50) ? "Photo" : "Video", context) }
    for _ in 0..<30 { try link(context) }
  }

  /// Makes one random change.
  mutating func change(_ context: ManagedObjectContext) throws {
    switch random.number(0...9) {
    case 0: try insert(random.pick(["User", "Tag", "Post", "Photo"]) ?? "Post", context)
    case 1: if let record = try pick(context) { context.delete(record) }
    case 2...5: try link(context)
    default: if let record = try pick(context) { set(record, context.schema) }
    }
  }

  private mutating func insert(_ entity: EntityName, _ context: ManagedObjectContext) throws {
    let record = try context.insert(entity)
    record.setValue(.string("\(entity)\(record.recordID.serial)"), of: "id")
    for _ in 0..<9 { set(record, context.schema) }
  }

  private mutating func pick(_ context: ManagedObjectContext) throws -> Record? {
    let entity = random.pick(["User", "Tag", "Post", "Post", "Media"] as [EntityName]) ?? "Post"
    return random.pick(try context.fetch(RecordFetchRequest(entity)))
  }

  private mutating func set(_ record: Record, _ schema: Schema) {
    guard let entity = record.entityName.flatMap(schema.entity),
      let attribute = random.pick(Array(entity.attributes.dropFirst()))
    else { return }
    record.setValue(random.chance(15) ? nil : value(attribute.type), of: attribute.name)
  }

  private mutating func link(_ context: ManagedObjectContext) throws {
    guard let record = try pick(context), let entity = record.entityName.flatMap(context.schema.entity),
      let index = random.pick(entity.relationships)
    else { return }
    let relationship = context.schema.relationships[index]
    let others = try context.fetch(
      RecordFetchRequest(context.schema.entities[relationship.destination].name))
    if relationship.isToMany {
      let members: [Record] = record[relationship.name]
      record[relationship.name] =
        members.filter { _ in random.chance(80) } + (random.pick(others).map { [$0] } ?? [])
    } else {
      record[relationship.name] = random.chance(20) ? nil : random.pick(others)
    }
  }

  private mutating func value(_ type: AttributeType) -> AttributeValue? {
    let number = random.pick(Self.numbers) ?? "0"
    switch type {
    case .int16, .int32: return .integer(Int64(random.number(-2...8)))
    case .int64: return JSONNumber(digits: number)?.int64Value.map(AttributeValue.integer)
    case .float: return Float(number).flatMap(AttributeValue.init(finite:))
    case .double: return Double(number).flatMap { $0.isFinite ? .double($0) : nil }
    case .decimal: return try? AttributeValue(literal: .string(number), type: .decimal)
    case .boolean: return .boolean(random.chance(50))
    case .string: return .string(random.pick(Self.texts) ?? "")
    case .date: return .date(Date(timeIntervalSinceReferenceDate: date()))
    case .binary: return .binary(Data((0..<random.number(0...2)).map { UInt8($0) }))
    case .uuid: return UUID(uuidString: uuid()).map(AttributeValue.uuid)
    case .uri: return URL(string: "https://example.com/\(random.number(0...3))").map(AttributeValue.uri)
    case .transformable:
      return random.pick([.json("a"), .json(1), .json([1, "a"]), .json(["k": 1]), .json(true), .json([])])
    }
  }

  /// Returns one of five dates around 2000-01-01T00:00:00Z.
  private mutating func date() -> Double { Double(random.number(-2...2)) / 2 - 31_622_400 }

  private mutating func uuid() -> String { "E621E1F8-C36C-495A-93FC-0C247A3E6E5\(random.number(0...3))" }

  // MARK: Requests

  mutating func request() -> RecordFetchRequest {
    let entity = random.pick(["Post", "Post", "Post", "User", "Tag", "Media", "Photo"]) ?? "Post"
    var request = RecordFetchRequest(EntityName(entity))
    if random.chance(95) {
      // A text that does not parse is replaced by another one.
      repeat {
        let text = random.chance(15) ? great(entity) : predicate(entity, depth: 2)
        request.predicate = try? RecordPredicate(text)
      } while request.predicate == nil
    }
    let orders = [
      "Post": [
        "text", "likes", "price", "score", "date", "uuid", "extra", "user.name", "user.boss.age", "isDraft",
      ],
      "User": ["name", "age", "boss.name"], "Tag": ["text", "weight"], "Media": ["post.text"],
      "Photo": ["width", "post.user.name"],
    ]
    for _ in 0..<random.number(0...2) {
      request.sortDescriptors.append(
        RecordSortDescriptor(random.pick(orders[entity] ?? []) ?? "id", isAscending: random.chance(60)))
    }
    if entity != "Tag", random.chance(5) {
      request.sortDescriptors.append(RecordSortDescriptor(longPath(entity, "boss", "name")))
    }
    if random.chance(30) { request.limit = random.number(0...5) }
    if random.chance(30) { request.offset = random.number(0...4) }
    return request
  }

  private mutating func predicate(_ entity: String, depth: Int) -> String {
    switch depth == 0 ? 9 : random.number(0...9) {
    case 0: return "NOT (\(predicate(entity, depth: depth - 1)))"
    case 1, 2: return "(\(predicate(entity, depth: depth - 1)) AND \(predicate(entity, depth: depth - 1)))"
    case 3: return "(\(predicate(entity, depth: depth - 1)) OR \(predicate(entity, depth: depth - 1)))"
    default: return comparison(entity)
    }
  }

  /// Returns a predicate that reaches or exceeds the limits of SQLite in depth, length or number of parts.
  private mutating func great(_ entity: String) -> String {
    /// Returns a comparison that parses. Otherwise hardly any predicate would parse as a whole.
    func part(_ fetch: inout RandomFetch) -> String {
      while true {
        let text = fetch.comparison(entity)
        if (try? RecordPredicate(text)) != nil { return text }
      }
    }
    switch random.number(0...3) {
    case 0:
      var text = part(&self)
      for _ in 0..<random.number(5...40) {
        let not = random.chance(30) ? "NOT " : ""
        text = "\(part(&self)) \(random.chance(50) ? "AND" : "OR") \(not)(\(text))"
      }
      return text
    case 1:
      let (unit, word) = (part(&self), random.chance(50) ? " AND " : " OR ")
      return (0..<random.number(100...400)).map { _ in random.chance(98) ? unit : part(&self) }
        .joined(separator: word)
    default:
      let key = random.chance(50) ? "boss" : "staff"
      let isToMany = key == "staff" || entity == "Tag"
      let modifier = isToMany ? random.pick(["ANY ", "ALL ", "NONE "]) ?? "" : ""
      let path = longPath(entity, key, random.pick(["id", "name", "age"]) ?? "id")
      return "\(modifier)\(path) \(sign()) \(operand(entity))"
    }
  }

  /// Returns a long key path. Each user has at most one boss, so that the path leads to at most as many users as exist.
  private mutating func longPath(_ entity: String, _ key: String, _ end: String) -> String {
    let start = ["User": [], "Post": ["user"], "Tag": ["posts", "user"]][entity] ?? ["post", "user"]
    return (start + Array(repeating: key, count: random.number(4...40)) + [end]).joined(separator: ".")
  }

  private mutating func comparison(_ entity: String) -> String {
    let left = keyPath(entity, depth: 2)
    let modifier = random.pick(["", "", "", "ANY ", "ALL ", "NONE "]) ?? ""
    let options = random.pick(["", "", "", "[c]", "[d]", "[cd]"]) ?? ""
    let text = literal(random.pick(Self.texts) ?? "")
    switch random.number(0...13) {
    case 0: return "\(modifier)\(left) LIKE\(options) \(random.pick(["'*'", "'a*'", "'?'", "''"]) ?? "'*'")"
    case 1: return "\(modifier)\(left) MATCHES\(options) '[a-b]+'"
    case 2: return "\(modifier)\(left) BEGINSWITH\(options) \(text)"
    case 3: return "\(modifier)\(left) ENDSWITH\(options) \(text)"
    case 4: return "\(modifier)\(left) CONTAINS\(options) \(operand(entity))"
    case 5: return "\(operand(entity)) IN\(options) \(left)"
    case 6, 7:
      let elements = (0..<random.number(0...4)).map { _ in operand(entity) }
      return "\(modifier)\(left) IN\(options) {\(elements.joined(separator: ", "))}"
    case 8: return "\(modifier)\(left) BETWEEN {\(operand(entity)), \(operand(entity))}"
    case 9: return "\(operand(entity)) \(sign()) \(left)"
    default: return "\(modifier)\(left) \(sign())\(options) \(operand(entity))"
    }
  }

  private mutating func sign() -> String { random.pick(["==", "!=", "<", "<=", ">", ">=", "=="]) ?? "==" }

  private mutating func operand(_ entity: String) -> String {
    switch random.number(0...9) {
    case 0: "nil"
    case 1: random.chance(50) ? "YES" : "NO"
    case 2, 3, 4: random.pick(Self.numbers) ?? "0"
    case 5, 6: literal(random.pick(Self.texts + [uuid(), "1999-12-31T23:59:59.5Z"]) ?? "")
    case 7: "CAST(\(date()), 'NSDate')"
    default: keyPath(entity, depth: 2)
    }
  }

  private func literal(_ text: String) -> String { "\"\(text)\"" }

  private mutating func keyPath(_ entity: String, depth: Int) -> String {
    let attributes = [
      "Post": [
        "id", "text", "likes", "big", "price", "score", "ratio", "isDraft", "date", "image", "uuid", "link",
        "extra",
      ],
      "User": ["id", "name", "age"], "Tag": ["id", "text", "weight"],
      "Media": ["id", "width", "length", "caption", "size"], "Photo": ["id", "width", "caption", "size"],
    ]
    let toOnes = [
      "Post": [("user", "User"), ("editor", "User")], "User": [("boss", "User")],
      "Media": [("post", "Post")], "Photo": [("post", "Post")],
    ]
    let toManys = [
      "Post": [("tags", "Tag"), ("likers", "User"), ("media", "Media")],
      "User": [("posts", "Post"), ("staff", "User")], "Tag": [("posts", "Post")],
    ]
    switch depth == 0 ? 0 : random.number(0...9) {
    case 0...5: return random.pick(attributes[entity] ?? []) ?? "id"
    case 6, 7:
      guard let (name, next) = random.pick(toOnes[entity] ?? []) else { return "id" }
      return random.chance(15) ? name : "\(name).\(keyPath(next, depth: depth - 1))"
    default:
      guard let (name, next) = random.pick(toManys[entity] ?? []) else { return "id" }
      if random.chance(10) { return name }
      return random.chance(25) ? "\(name).@count" : "\(name).\(keyPath(next, depth: depth - 1))"
    }
  }
}
