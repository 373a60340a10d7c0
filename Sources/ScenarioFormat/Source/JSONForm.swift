package import JSONTree

/// A value of a JSON file that recordspec has written, such as a kept result or a report, while it is read. It has its path for
/// messages.
package struct JSONForm {
  /// An error that indicates that a value cannot be read.
  package struct Damaged: Error {
    /// The JSON pointer of the first value that cannot be read.
    package let pointer: String
    package let expected: String
  }

  package let value: JSONValue
  private let path: [String]

  package init(_ value: JSONValue, path: [String] = []) {
    self.value = value
    self.path = path
  }

  package func damaged(_ expected: String) -> Damaged {
    Damaged(pointer: JSONPointer(tokens: path).description, expected: expected)
  }

  // MARK: Parts

  /// The value of a member; nil if it is missing.
  package func optional(_ key: String) -> JSONForm? { value[key].map { JSONForm($0, path: path + [key]) } }

  package func required(_ key: String) throws(Damaged) -> JSONForm {
    guard let member = optional(key) else { throw JSONForm(.null, path: path + [key]).damaged("a value") }
    return member
  }

  /// Returns the members of an object, in order.
  package func members() throws(Damaged) -> [(key: String, value: JSONForm)] {
    guard case .object(let members) = value else { throw damaged("an object") }
    return members.map { ($0.key, JSONForm($0.value, path: path + [$0.key])) }
  }

  /// Returns the results of a function for each element of an array.
  package func elements<Element>(_ read: (JSONForm) throws(Damaged) -> Element) throws(Damaged) -> [Element] {
    guard case .array(let elements) = value else { throw damaged("an array") }
    var results: [Element] = []
    for (index, element) in elements.enumerated() {
      results.append(try read(JSONForm(element, path: path + [String(index)])))
    }
    return results
  }

  // MARK: Scalars

  package func string() throws(Damaged) -> String {
    guard case .string(let text) = value else { throw damaged("a string") }
    return text
  }

  package func integer() throws(Damaged) -> Int64 {
    guard case .number(let number) = value, let integer = number.int64Value else {
      throw damaged("an integer")
    }
    return integer
  }

  /// Reads a number of things. Sums of such numbers do not overflow.
  package func count() throws(Damaged) -> Int {
    let count = try integer()
    guard (0...Int64(Int32.max)).contains(count) else { throw damaged("a number of at most \(Int32.max)") }
    return Int(count)
  }

  package func boolean() throws(Damaged) -> Bool {
    guard case .boolean(let value) = value else { throw damaged("a Boolean") }
    return value
  }

  package func name<Name: RawRepresentable<String>>(_: Name.Type = Name.self) throws(Damaged) -> Name {
    guard let name = Name(rawValue: try string()) else { throw damaged("a name") }
    return name
  }
}

/// An object of such a file while it is written. Members that have their default are omitted.
package struct JSONFormObject {
  private var members = JSONObject()

  package var form: JSONValue { .object(members) }

  package init() {}

  package mutating func add(_ key: String, _ value: JSONValue?) { members[key] = value }

  package mutating func add(_ key: String, _ text: String?) { members[key] = text.map(JSONValue.string) }

  package mutating func add(_ key: String, _ count: Int?) {
    members[key] = count.map { .number(JSONNumber(Int64($0))) }
  }

  package mutating func add(_ key: String, flag: Bool) { if flag { members[key] = true } }

  /// Adds an array, unless it is empty.
  package mutating func add(_ key: String, list: [JSONValue]) {
    if !list.isEmpty { members[key] = .array(list) }
  }

  package mutating func add(_ key: String, names: [some RawRepresentable<String>]) {
    add(key, list: names.map { .string($0.rawValue) })
  }

  /// Adds an object with sorted names, unless it is empty.
  package mutating func add(_ key: String, sorted entries: [(name: String, value: JSONValue)]) {
    guard !entries.isEmpty else { return }
    members[key] = .object(
      JSONObject(entries.sorted { scalarsPrecede($0.name, $1.name) }.map { ($0.name, $0.value) }))
  }
}
