internal import OrderedCollections

/// The members of a JSON object that is built in Swift, in insertion order and with unique names.
///
/// Names are compared by their Unicode scalars, as RFC 8259 §8.3 recommends. A composed `é` and an `e` with a combining
/// accent are therefore different names, although they are equal as `String` values. The order of the members has no
/// effect on equality.
public struct JSONObject: Sendable {
  private var members: OrderedDictionary<ScalarString, JSONValue>

  /// Creates an object without members.
  public init() { members = [:] }

  /// Creates an object without members that reserves space for a number of members.
  package init(minimumCapacity: Int) { members = OrderedDictionary(minimumCapacity: minimumCapacity) }

  /// Creates an object from members. If a name occurs more than once, the last value takes the position of the first.
  public init(_ members: some Sequence<(String, JSONValue)>) {
    self.init(minimumCapacity: members.underestimatedCount)
    for (name, value) in members { self[name] = value }
  }

  /// Accesses the value of a member; nil if it is missing. A new member is appended; assigning nil removes the member.
  public subscript(name: String) -> JSONValue? {
    get { members[ScalarString(name)] }
    _modify { yield &members[ScalarString(name)] }
  }

  /// The names of the members, in order.
  public var keys: [String] { members.keys.map(\.string) }

  /// The values of the members, in order.
  public var values: [JSONValue] { members.values.elements }

  /// Removes the members that satisfy a condition. The other members keep their order.
  public mutating func removeAll(where isRemoved: (Element) throws -> Bool) rethrows {
    try members.removeAll { try isRemoved(($0.key.string, $0.value)) }
  }

  /// Adds the members of another object. If both have a name, the value of the other object replaces the existing
  /// value.
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
    // Equality ignores the order of the members, so each member is hashed separately and the hashes are added.
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
  /// Creates an object from members. If a name occurs more than once, the last value is used, as in a JSON document.
  public init(dictionaryLiteral elements: (String, JSONValue)...) { self.init(elements) }
}
