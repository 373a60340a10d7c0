public import JSONTree
public import RecordModel

/// One step of a scenario.
public struct Step: Sendable {
  public enum Action: Sendable {
    case request(RequestStep)
    case page(PageStep)
    case nextPage(NextPageStep)
    case detail(DetailStep)
    case fetchFirst(FetchFirstStep)
    /// Requests, runs of pages and fetch-first requests at once.
    case batch(BatchStep)
    /// Lets the request of this name be answered.
    case await(String)
    case cancel(CancelStep)
    case fetch(FetchStep)
    case change(ChangeStep)
    case save
    case rollback
    case reopen
    case tweak(TweakStep)
    case serialize(SerializeStep)
    /// Lets time pass, or sets the clock back; what is under way and due before is answered.
    case advance(Duration)
    case clearCache
  }

  public var action: Action
  /// What must be so after this step; nil where the step says nothing.
  public var expectation: Expectation?
  public var span: SourceSpan
}

extension Step {
  /// The options of what it asks for. Further pages have those of the first one.
  var options: [StepOptions] {
    switch action {
    case .request(let request): [request.options]
    case .page(let page): [page.request.options]
    case .detail(let detail): [detail.options]
    case .fetchFirst(let step): [step.request.options]
    case .batch(let batch): [batch.options] + batch.entries.flatMap(\.options)
    case .serialize(let response): [response.options]
    case .nextPage, .await, .cancel, .fetch, .change, .save, .rollback, .reopen, .tweak, .advance,
      .clearCache:
      []
    }
  }
}

extension Step {
  /// What is expected of it, and of each request of a batch.
  var expectations: [Expectation] {
    guard case .batch(let batch) = action else { return [expectation].compactMap { $0 } }
    return [expectation].compactMap { $0 } + batch.entries.flatMap(\.expectations)
  }
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

/// `page: Post`: the first page of a run, and further ones at once.
public struct PageStep: Sendable {
  public var request: RequestStep
  /// `run:`: the name by which later steps go on.
  public var run: String
  public var count: PageCount
}

/// `nextPage: feed`
public struct NextPageStep: Sendable {
  public var run: String
  public var count: PageCount
  /// Those of the run.
  public var options: StepOptions
}

/// How many pages a step asks for, one after the other.
public enum PageCount: Hashable, Sendable {
  case all
  case upTo(Int)
}

/// `batch: [{request: Post, …}, …]`
public struct BatchStep: Sendable {
  /// Requests, first pages and fetch-first requests.
  public var entries: [Step]
  /// The options of entries that have none of their own.
  public var options: StepOptions
}

/// `detail: Post/1`
public struct DetailStep: Sendable {
  public var record: Located<RecordLabel>
  /// The parameters of `data:`, as text.
  public var data: [String: String]
  public var options: StepOptions
}

/// `fetchFirst: Post`: what is stored, then what a request brings.
public struct FetchFirstStep: Sendable {
  public var fetch: FetchStep
  public var request: RequestStep
}

/// `cancel: screen`: the requests of a domain.
public struct CancelStep: Sendable {
  public var domain: Located<String>
  /// Whether it is no mistake if no request of the domain is under way.
  public var isOptional: Bool
}

/// The options of a request, in declarative form. Nil: the default.
public struct StepOptions: Sendable {
  public var responseKeyPath: MappingPath?
  public var merge: MergeStrategy?
  /// `mergeHook:`: what a hook answers, before a strategy is asked.
  public var mergeHook: DeclaredMerge?
  /// `inject:`, by entity.
  public var injections: [EntityName: InjectedKey] = [:]
  /// `prepopulate:`, by entity: keys of the item set before its attributes are read.
  public var prepopulation: [EntityName: [ItemKeyAssignment]] = [:]
  public var automaticallyPersistsRecords: Bool?
  /// `failOn:`, codes of diagnostics that fail the request.
  public var failingCodes: [Located<String>] = []
  /// `ignore:`, codes of diagnostics that nobody is told of.
  public var ignoredCodes: [Located<String>] = []
  public var isDryRun: Bool?
  /// `cache:`, whether the response is cached, and a cached one answers.
  public var isCached: Bool?
  /// `drift:`, whether what the response and the model do not agree in is told.
  public var reportsDrift: Bool?
  public var domain: String?
  /// How there are pages, instead of the server's way.
  public var paging: PagingRule?
  /// How many pages a run has at most.
  public var maxPages: Int?
  public var metaDataKeyPath: MappingPath?
  /// The part of the response that the custom response handler hands over.
  public var customResponse: MappingPath?
  /// Whether anything was written, so that these are the options instead of those of the record type.
  public var areStated = false
  /// What the request sends beside what the server's client sends by itself.
  public var headers: [String: String] = [:]
  /// How long the answer may take.
  public var timeout: Duration?
  /// The names of Swift hooks that a test target registers, in the order in which they are applied.
  public var hooks: [Located<String>] = []
  public var orphans: OrphanOptions?

  /// No option is given.
  package init() {}
}

/// How answers are divided into pages.
public enum PagingRule: Sendable {
  case none
  case address(at: MappingPath, previous: MappingPath?, total: MappingPath?)
  case linkHeader(totalHeader: String?)
  case cursor(at: MappingPath, parameter: String?, hasMore: MappingPath?, total: MappingPath?)
  case offset(parameter: String?, sizeParameter: String?, pageSize: Int?, total: MappingPath?)
  case pageNumber(
    parameter: String?, firstPage: Int?, sizeParameter: String?, pageSize: Int?, pageCount: MappingPath?,
    total: MappingPath?)
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
