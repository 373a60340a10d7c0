public import JSONTree

/// A path at which a value is looked up in an item, such as `user.name`, `tags.@count`, `items[0].url` or `@parent.kind`.
///
/// An invalid path in a string literal does not stop the program. The path keeps its ``syntaxError`` and finds nothing,
/// and the validation of the model reports the error. This applies to `MappingPath("…")` with a literal, too. The
/// throwing initializer parses only texts that are not literals.
///
/// Rules: `mapping.key-path`, `mapping.path-syntax`.
public struct MappingPath: Hashable, Sendable {
  /// A step of a path.
  public enum Component: Hashable, Sendable {
    /// A key of a dictionary.
    case key(String)
    /// An element of an array, by its position starting at 0. Negative positions count from the end: -1 is the last element.
    case index(Int)
    /// The first element of an array in which a path finds a value.
    case first(where: MappingPath, equals: JSONValue)
    /// `@count`: the number of elements of the array, or of members of the dictionary. It must be the last step.
    case count
    /// `@unionOfObjects`: the values that the remaining steps find in each element of the array.
    case unionOfObjects
    /// A value from around the item. It can only begin a path, or follow other ones.
    case around(Place)
  }

  /// A place around an item, at which a path can begin.
  public enum Place: String, Hashable, Sendable, CaseIterable {
    /// The object that contains the item or its list.
    case parent = "@parent"
    /// The whole response.
    case root = "@root"
    /// The request: its `method`, the segments of its `path`, and its `query`.
    case request = "@request"
    /// The key under which the item or its list stands. Nothing can follow it.
    case key = "@key"
    /// The position of the item in its list, starting at 0. Nothing can follow it.
    case index = "@index"
  }

  /// The steps of the path, in order. Empty if the path is the item itself, or if it is invalid.
  public let components: [Component]

  /// The error of an invalid path; nil if the path is valid. Only paths from literals or components can be invalid.
  public let syntaxError: MappingPathSyntaxError?

  /// Parses `user.name`, `items[0].url`, `tags.@count`, `tags.@unionOfObjects.text`, or a list of literal keys such as
  /// `[user, "a.b"]`.
  ///
  /// In a list, a number without quotes is an index. Without quotes, `@count` and `@unionOfObjects` have the same
  /// meaning as outside of a list.
  ///
  /// - Throws: the first error, with its location.
  public init(_ text: String) throws(MappingPathSyntaxError) {
    components = try MappingPathParser.components(of: text)
    syntaxError = nil
  }

  /// Creates a path of literal keys, in which dots and `@` have no special meaning.
  public init(keys: [String]) {
    components = keys.map(Component.key)
    syntaxError = nil
  }

  /// Creates a path of components. Components in an order that no text can express, such as a key after `@count`,
  /// create a path with a syntax error.
  public init(components: [Component]) {
    if let problem = MappingPathProblem(in: components) {
      let text = Self.text(of: components)
      self.components = []
      syntaxError = MappingPathSyntaxError(
        text: text, range: 0..<text.unicodeScalars.count, message: problem.message, advice: problem.advice)
    } else {
      self.components = components
      syntaxError = nil
    }
  }
}

extension MappingPath.Component {
  /// Returns the position from the start of an array for an index, which counts from the end if it is negative.
  package static func position(ofIndex index: Int, among count: Int) -> Int {
    index < 0 ? count + index : index
  }
}

/// Keys are compared by their Unicode scalars, as in JSON.
extension MappingPath.Component {
  public static func == (left: MappingPath.Component, right: MappingPath.Component) -> Bool {
    switch (left, right) {
    case (.key(let left), .key(let right)): haveSameScalars(left, right)
    case (.index(let left), .index(let right)): left == right
    case (.first(let left, let value), .first(let right, let other)): left == right && value == other
    case (.around(let left), .around(let right)): left == right
    case (.count, .count), (.unionOfObjects, .unionOfObjects): true
    default: false
    }
  }

  public func hash(into hasher: inout Hasher) {
    switch self {
    case .key(let key): hasher.combine(scalarsOf: key)
    case .index(let index): hasher.combine(index)
    case .first(let path, let value):
      hasher.combine(path)
      hasher.combine(value)
    case .around(let place): hasher.combine(place)
    case .count: hasher.combine(1 as UInt8)
    case .unionOfObjects: hasher.combine(2 as UInt8)
    }
  }
}

extension MappingPath: ExpressibleByStringLiteral {
  public init(stringLiteral text: String) {
    do throws(MappingPathSyntaxError) {
      components = try MappingPathParser.components(of: text)
      syntaxError = nil
    } catch {
      components = []
      syntaxError = error
    }
  }
}

extension MappingPath: CustomStringConvertible {
  /// The path as text that parses to an equal path; the original text if the path is invalid.
  public var description: String { syntaxError?.text ?? Self.text(of: components) }

  private static func text(of components: [Component]) -> String {
    dottedText(of: components) ?? "[" + components.map(listText).joined(separator: ", ") + "]"
  }

  /// Returns the path in dotted form; nil if only a list can express it.
  private static func dottedText(of components: [Component]) -> String? {
    if components.isEmpty { return nil }
    var text = ""
    for (position, component) in components.enumerated() {
      switch component {
      case .index(let index):
        // At the start, a bracket would begin a list.
        if position == 0 { return nil }
        text += "[\(index)]"
        continue
      case .first:
        if position == 0 { return nil }
        text += listText(component)
        continue
      case .key(let key):
        guard MappingPathParser.isPlain(key) else { return nil }
        text += (position == 0 ? "" : ".") + key
      case .count, .unionOfObjects, .around:
        text += (position == 0 ? "" : ".") + listText(component)
      }
    }
    return text
  }

  private static func listText(_ component: Component) -> String {
    switch component {
    case .key(let key): MappingPathParser.isBareInList(key) ? key : MappingPathParser.quoted(key)
    case .index(let index): String(index)
    case .first(let path, let value): "[\(path) = \(value.compactText())]"
    case .count: "@count"
    case .unionOfObjects: "@unionOfObjects"
    case .around(let place): place.rawValue
    }
  }
}

extension MappingPath {
  /// The key, if the path consists of a single key.
  package var singleKey: String? {
    if components.count == 1, case .key(let key) = components[0] { key } else { nil }
  }

  package var isSingleKey: Bool { singleKey != nil }

  /// A Boolean value that indicates whether the path leads to a value from around the item.
  package var leadsOutside: Bool {
    if case .around? = components.first { true } else { false }
  }
}

/// The reason why a text is not a path.
public struct MappingPathSyntaxError: Error, Hashable, Sendable {
  /// The original text.
  public let text: String
  /// The invalid characters of the text, as offsets in Unicode scalars.
  public let range: Range<Int>
  /// One line, without the location.
  public let message: String
  /// The correction to suggest, if there is one.
  public let advice: String?

  init(text: String, range: Range<Int>, message: String, advice: String? = nil) {
    self.text = text
    self.range = range
    self.message = message
    self.advice = advice
  }
}
