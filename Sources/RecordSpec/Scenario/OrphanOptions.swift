public import RecordModel

/// `orphans:`, what becomes of stored records that a response does not bring.
public struct OrphanOptions: Sendable {
  public enum Scope: Sendable {
    case predicate(RecordPredicate)
    /// A predicate, and where in the response its `%@` are.
    case response(String, values: [MappingPath])
  }

  public enum Limit: Sendable {
    case count(Int)
    case percent(Double)
  }

  /// False: nothing becomes of them.
  public var areDeleted: Bool
  public var scope: Scope?
  /// Those that stay.
  public var keep: RecordPredicate?
  public var limit: Limit?
  /// How many of them are asked about.
  public var stopAfter: Int?
}
