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
    case tweak(TweakStep)
    case serialize(SerializeStep)
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
  /// `failOn:`, codes of diagnostics that fail the request.
  public var failingCodes: [Located<String>] = []
  /// `ignore:`, codes of diagnostics that nobody is told of.
  public var ignoredCodes: [Located<String>] = []
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

/// `tweak:`, what the scenario's file of tweaks becomes.
public enum TweakStep: Hashable, Sendable {
  /// `none`: there is no file.
  case none
  /// A file with this text.
  case file(String)
}

/// `serialize:`, a response that somebody else has fetched.
public struct SerializeStep: Sendable {
  /// The response's URL.
  public var url: String
  /// The entities by fragments of URLs, in order.
  public var entities: [(fragment: String, entity: EntityName)]
  public var body: CannedResponse.Body
  public var options: StepOptions
}
