/// The name of an entity, for example `Post`.
public struct EntityName: RawRepresentable, Hashable, Sendable {
  public let rawValue: String
  public init(rawValue: String) { self.rawValue = rawValue }
  public init(_ name: String) { rawValue = name }
}

/// The name of an attribute or a relationship, for example `author`.
public struct PropertyName: RawRepresentable, Hashable, Sendable {
  public let rawValue: String
  public init(rawValue: String) { self.rawValue = rawValue }
  public init(_ name: String) { rawValue = name }
}

extension EntityName: ExpressibleByStringLiteral, CustomStringConvertible, Comparable {
  public init(stringLiteral value: String) { rawValue = value }
  public var description: String { rawValue }
  public static func < (left: EntityName, right: EntityName) -> Bool { left.rawValue < right.rawValue }
}

extension PropertyName: ExpressibleByStringLiteral, CustomStringConvertible, Comparable {
  public init(stringLiteral value: String) { rawValue = value }
  public var description: String { rawValue }
  public static func < (left: PropertyName, right: PropertyName) -> Bool { left.rawValue < right.rawValue }
}
