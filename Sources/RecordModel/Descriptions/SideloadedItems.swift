/// A list of items beside those of the requested entity. Rule: `response.sideloaded`.
public struct SideloadedItems: Hashable, Sendable {
  /// The path of the list in a response object.
  public var path: MappingPath
  /// The entities of the items. If there are several, the first whose ``EntityDescription/usedWhen`` matches an item is its
  /// entity, and an item that matches none is left out.
  public var entities: [EntityName]

  /// Creates the description of a list.
  public init(_ path: MappingPath, _ entities: EntityName...) {
    (self.path, self.entities) = (path, entities)
  }

  /// Creates the description of a list with any number of entities.
  public init(_ path: MappingPath, entities: [EntityName]) {
    (self.path, self.entities) = (path, entities)
  }
}
