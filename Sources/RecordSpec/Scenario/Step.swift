public import JSONTree
public import RecordModel

/// One step of a scenario.
public struct Step: Sendable {
  public enum Action: Sendable {
    case request(RequestStep)
    /// Lets the request of this name be answered.
    case await(String)
    case fetch(FetchStep)
    case change(ChangeStep)
    case save
    case rollback
    case reopen
  }

  public var action: Action
  /// What must be so after this step; nil where the step says nothing.
  public var expectation: Expectation?
  public var span: SourceSpan
}

/// `request: Post`, `urn: stream/global`.
public struct RequestStep: Sendable {
  public var entity: EntityName
  public var urn: String
  public var method: String
  /// The parameters of `data:`, as text.
  public var data: [String: String]
  public var options: StepOptions
  /// `as:`: the name by which a later step waits for the answer; nil where this step does.
  public var name: String?
}

/// The options of a request, in declarative form. Nil: the default.
public struct StepOptions: Sendable {
  public var responseKeyPath: MappingPath?
  public var merge: MergeStrategy?
  /// `inject:`, by entity.
  public var injections: [EntityName: InjectedKey]
  /// `prepopulate:`, by entity: keys of the item set before its attributes are read.
  public var prepopulation: [EntityName: [ItemKeyAssignment]]
  public var automaticallyPersistsRecords: Bool?
  public var orphans: OrphanOptions?
}

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

/// The key that a keyless item gets.
public enum InjectedKey: Sendable {
  /// The value that a key path finds in the item.
  case path(MappingPath)
  /// The key of the record that the item is nested in.
  case parentKey
  case literal(JSONValue)
}

/// A key of the item, and what it becomes.
public struct ItemKeyAssignment: Sendable {
  public enum Source: Sendable {
    case path(MappingPath)
    case parentKey
    case literal(JSONValue)
  }

  public var key: String
  public var source: Source
}

/// `fetch: Post`.
public struct FetchStep: Sendable {
  public var entity: EntityName
  public var predicate: RecordPredicate?
  /// In order of weight.
  public var sort: [SortKey]
  /// How many records at the start are left out.
  public var offset: Int
  public var limit: Int?
}

/// `-date` sorts by date, latest first; `user.name` by what a to-one leads to.
public struct SortKey: Hashable, Sendable {
  /// To-one relationships, and an attribute at the end.
  public var keyPath: String
  public var isAscending: Bool
}

/// `change:`.
public struct ChangeStep: Sendable {
  public struct Update: Sendable {
    public var record: Located<RecordLabel>
    public var properties: [PropertyAssignment]
  }

  public var updates: [Update]
  public var inserts: [SeedRecord]
  public var deletes: [Located<RecordLabel>]
}
