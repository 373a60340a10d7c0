internal import OrderedCollections

/// The members of a JSON object built in Swift, in their order, with each name once.
///
/// Names are compared by their Unicode scalars, as RFC 8259 §8.3 recommends: a composed `é` and an `e` with an accent
/// are two names, although Swift's `String` calls them equal. Two objects are equal whatever the order of their members.
public struct JSONObject: Sendable {
  private var members: OrderedDictionary<ScalarString, JSONValue>

  public init() { members = [:] }

  /// Creates an object without members, with room for a number of them.
  public init(minimumCapacity: Int) { members = OrderedDictionary(minimumCapacity: minimumCapacity) }

  /// Creates an object of members. If a name occurs twice, the last value takes the place of the first one.
  public init(_ members: some Sequence<(String, JSONValue)>) {
    self.init(minimumCapacity: members.underestimatedCount)
    for (name, value) in members { self[name] = value }
  }

  /// The value of a member; nil if there is none. A new member is appended, and nil removes one.
  public subscript(name: String) -> JSONValue? {
    get { members[ScalarString(name)] }
    _modify { yield &members[ScalarString(name)] }
  }

  /// The names of the members, in their order.
  public var keys: [String] { members.keys.map(\.string) }

  /// The values of the members, in their order.
  public var values: [JSONValue] { members.values.elements }

  /// Removes the members that a condition holds for; the others keep their order.
  public mutating func removeAll(where isRemoved: (Element) throws -> Bool) rethrows {
    try members.removeAll { try isRemoved(($0.key.string, $0.value)) }
  }

  /// Adds the members of another object. If both have a name, the value of the other one replaces that of this one.
  public mutating func merge(_ other: JSONObject) { members.merge(other.members) { _, other in other } }
}

extension JSONObject: RandomAccessCollection {
  public typealias Element = (key: String, value: JSONValue)

  public var startIndex: Int { 0 }
  public var endIndex: Int { members.count }

  public subscript(position: Int) -> Element {
    let member = members.elements[position]
    return (member.key.string, member.value)
  }
}

extension JSONObject: Hashable {
  public static func == (left: JSONObject, right: JSONObject) -> Bool {
    left.count == right.count && left.members.allSatisfy { right.members[$0.key] == $0.value }
  }

  public func hash(into hasher: inout Hasher) {
    // Equality ignores the order of the members, so they are hashed apart and added up.
    var sum = 0
    for (key, value) in members {
      var member = Hasher()
      member.combine(key)
      member.combine(value)
      sum &+= member.finalize()
    }
    hasher.combine(sum)
  }
}

extension JSONObject: ExpressibleByDictionaryLiteral {
  /// Creates an object of members. If a name occurs twice, the last value counts, as in a JSON document.
  public init(dictionaryLiteral elements: (String, JSONValue)...) { self.init(elements) }
}
