/// A mapping in scenario or model files, with the keys that it may have.
///
/// The readers accept the keys of these mappings and no others, and the JSON Schema is written from them. A test compares the
/// texts with the tables of the articles.
package struct FormatMapping: Sendable {
  /// The name of the mapping in the JSON Schema, such as `response`. Each mapping has a name of its own.
  package let name: String
  /// The kind of the mapping with its article, as in messages: `a response`.
  package let subject: String
  package let keys: [FormatKey]
  /// The keys of the format that are not supported yet.
  package let later: [String]
  /// The combinations of keys that are allowed.
  package let conditions: [Condition]
  /// The names of the keys, in their order.
  let keyNames: [String]

  package enum Condition: Sendable {
    /// One of the keys is required, and only one is allowed.
    case exactlyOne([String])
    /// Only one of the keys is allowed.
    case atMostOne([String])
    /// At least one of the keys is required.
    case atLeastOne([String])
    /// The first key is allowed only beside the second one.
    case requires(String, String)
  }

  package init(
    _ name: String, of subject: String, later: [String] = [], _ keys: [FormatKey],
    conditions: [Condition] = []
  ) {
    self.name = name
    self.subject = subject
    self.later = later
    self.keys = keys
    self.conditions = conditions
    keyNames = keys.map(\.name)
  }

  /// Returns a mapping with another name, without some keys.
  package func named(_ name: String, of subject: String? = nil, without others: [String] = [])
    -> FormatMapping
  {
    FormatMapping(
      name, of: subject ?? self.subject, later: later, keys(without: others), conditions: conditions)
  }

  /// Returns the keys that are not in a list.
  package func keys(without others: [String]) -> [FormatKey] { keys.filter { !others.contains($0.name) } }

  /// Returns the mapping with another value for a key, which is optional.
  package func setting(_ name: String, to value: FormatValue) -> FormatMapping {
    let keys = keys.map { key in
      key.name == name ? .optional(name, value, default: key.standard, key.meaning) : key
    }
    return FormatMapping(self.name, of: subject, later: later, keys, conditions: conditions)
  }
}

/// A key of a mapping, with the text about it in the articles.
package struct FormatKey: Sendable {
  package let name: String
  package let value: FormatValue
  package let isRequired: Bool
  /// The meaning, as Markdown.
  package let meaning: String
  /// The value that applies if the key is not written, as Markdown; nil if there is none.
  package let standard: String?

  package static func required(_ name: String, _ value: FormatValue, _ meaning: String) -> FormatKey {
    FormatKey(name: name, value: value, isRequired: true, meaning: meaning, standard: nil)
  }

  package static func optional(
    _ name: String, _ value: FormatValue, default standard: String? = nil, _ meaning: String
  ) -> FormatKey {
    FormatKey(name: name, value: value, isRequired: false, meaning: meaning, standard: standard)
  }
}
