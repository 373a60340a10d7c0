internal import JSONTree

/// Where in an item a value is looked up: a key path like `user.name`, `tags.@count`, `items[0].url`.
///
/// Written as a string literal, a path that is no path does not stop the program: it keeps its ``syntaxError``,
/// finds nothing, and the check of the model reports it. That holds for `MappingPath("…")` with a literal too;
/// only a text that comes from elsewhere is parsed by the throwing initialiser.
///
/// Rules: `mapping.key-path`, `mapping.path-syntax`.
public struct MappingPath: Hashable, Sendable {
  public enum Component: Hashable, Sendable {
    /// A key of a dictionary.
    case key(String)
    /// One element of an array, from 0.
    case index(Int)
    /// `@count`: how many elements the array, or members the dictionary, has. Nothing follows it.
    case count
    /// `@unionOfObjects`: what the rest of the path finds in each element of the array.
    case unionOfObjects
  }

  /// The steps of the path, in order. Empty if the path is the item itself, or if it is wrong.
  public let components: [Component]

  /// Why the path is none. Only paths made from literals or components can have one.
  public let syntaxError: MappingPathSyntaxError?

  /// Parses `user.name`, `items[0].url`, `tags.@count`, `tags.@unionOfObjects.text`,
  /// or a list of keys that are taken as they stand: `[user, "a.b"]`.
  ///
  /// In a list a number without quotes is an index, and `@count` and `@unionOfObjects` without quotes are
  /// what they are elsewhere.
  public init(_ text: String) throws(MappingPathSyntaxError) {
    components = try MappingPathParser.components(of: text)
    syntaxError = nil
  }

  /// A path of keys that are taken as they stand, dots and `@` included.
  public init(keys: [String]) {
    components = keys.map(Component.key)
    syntaxError = nil
  }

  /// A path of components as they are. Components in an order that no text can have, such as a key behind
  /// `@count`, make a path with a syntax error.
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

/// Keys are compared by their Unicode scalars, as in JSON.
extension MappingPath.Component {
  public static func == (left: MappingPath.Component, right: MappingPath.Component) -> Bool {
    switch (left, right) {
    case (.key(let left), .key(let right)): haveSameScalars(left, right)
    case (.index(let left), .index(let right)): left == right
    case (.count, .count), (.unionOfObjects, .unionOfObjects): true
    default: false
    }
  }

  public func hash(into hasher: inout Hasher) {
    switch self {
    case .key(let key): hasher.combine(scalarsOf: key)
    case .index(let index): hasher.combine(index)
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
  /// The path as text that parses to the same path; the text as written if it is no path.
  public var description: String { syntaxError?.text ?? Self.text(of: components) }

  private static func text(of components: [Component]) -> String {
    dottedText(of: components) ?? "[" + components.map(listText).joined(separator: ", ") + "]"
  }

  /// Nil where only a list says the same.
  private static func dottedText(of components: [Component]) -> String? {
    if components.isEmpty { return nil }
    var text = ""
    for (position, component) in components.enumerated() {
      switch component {
      case .index(let index):
        // At the start a bracket opens a list.
        if position == 0 { return nil }
        text += "[\(index)]"
        continue
      case .key(let key):
        guard MappingPathParser.isPlain(key) else { return nil }
        text += (position == 0 ? "" : ".") + key
      case .count, .unionOfObjects:
        text += (position == 0 ? "" : ".") + listText(component)
      }
    }
    return text
  }

  private static func listText(_ component: Component) -> String {
    switch component {
    case .key(let key): MappingPathParser.isBareInList(key) ? key : MappingPathParser.quoted(key)
    case .index(let index): String(index)
    case .count: "@count"
    case .unionOfObjects: "@unionOfObjects"
    }
  }
}

extension MappingPath {
  /// The key, if the path is one key and nothing else.
  package var singleKey: String? {
    if components.count == 1, case .key(let key) = components[0] { key } else { nil }
  }

  package var isSingleKey: Bool { singleKey != nil }
}

/// Why a text is no path, and where.
public struct MappingPathSyntaxError: Error, Hashable, Sendable {
  /// The path as written.
  public let text: String
  /// The characters of the text that are wrong, as offsets in Unicode scalars.
  public let range: Range<Int>
  /// One line, without the place.
  public let message: String
  /// The way out, if there is one to name.
  public let advice: String?

  init(text: String, range: Range<Int>, message: String, advice: String? = nil) {
    self.text = text
    self.range = range
    self.message = message
    self.advice = advice
  }
}
