/// Where in an item a value is looked up: a key path like `user.name`, `tags.@count`, `items[0].url`.
///
/// Rules: `mapping.key-path`, `mapping.path-syntax`.
public struct MappingPath: Hashable, Sendable {
  public enum Component: Hashable, Sendable {
    /// A key of a dictionary.
    case key(String)
    /// One element of an array, from 0.
    case index(Int)
    /// `@count`: how many elements the array has.
    case count
    /// `@unionOfObjects`: the elements, flattened by one level, that the rest of the path finds.
    case unionOfObjects
  }

  public let components: [Component]

  /// A path of keys that are taken as they stand, dots and `@` included.
  public init(keys: [String]) { components = keys.map(Component.key) }

  /// A path of components as they are.
  public init(components: [Component]) { self.components = components }
}
