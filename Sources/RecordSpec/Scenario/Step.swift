public import JSONTree
public import RecordModel

/// A step of a scenario.
public struct Step: Sendable {
  /// The action of a step.
  public enum Action: Sendable {
    case request(RequestStep)
    case page(PageStep)
    case nextPage(NextPageStep)
    case detail(DetailStep)
    case fetchFirst(FetchFirstStep)
    /// Requests, page runs and fetch-first requests that run concurrently.
    case batch(BatchStep)
    /// The wait for the result of the request with this name.
    case await(String)
    case cancel(CancelStep)
    case fetch(FetchStep)
    case change(ChangeStep)
    case save
    case rollback
    case reopen
    case tweak(TweakStep)
    case serialize(SerializeStep)
    /// A change of the clock, which is set back if the duration is negative. In-flight requests that are due before the
    /// new time are answered.
    case advance(Duration)
    case clearCache
  }

  /// The action and its details.
  public var action: Action
  /// The expectations after the step; nil if there are none.
  public var expectation: Expectation?
  public var span: SourceSpan
}

extension Step {
  /// The options of the step's requests. A `nextPage` step has none, because further pages use those of the first page.
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
  /// The expectations of the step and of each request in a batch.
  var expectations: [Expectation] {
    guard case .batch(let batch) = action else { return [expectation].compactMap { $0 } }
    return [expectation].compactMap { $0 } + batch.entries.flatMap(\.expectations)
  }
}

/// A `request:` step, such as `request: Post` with `urn: stream/global`.
public struct RequestStep: Sendable {
  /// The requested entity.
  public var entity: EntityName
  /// The address, relative to the base URL or absolute.
  public var urn: String
  /// The HTTP method. Default `GET`.
  public var method: String
  /// The parameters of `query:` as text.
  public var query: [String: String]
  /// The body from `json:` or `form:`; nil for a request without one.
  public var body: StatedBody?
  public var options: StepOptions
  /// The name from `as:`, by which a later step awaits the request; nil if this step waits for it.
  public var name: String?
}

/// A `page:` step, such as `page: Post`, which requests the first page of a run and optionally further pages.
public struct PageStep: Sendable {
  /// The request for the first page.
  public var request: RequestStep
  /// The name from `run:`, by which later steps continue the run; empty for a run without a name.
  public var run: String
  public var count: PageCount
}

/// A `nextPage:` step, such as `nextPage: feed`.
public struct NextPageStep: Sendable {
  /// The name of the run; empty for the run without a name.
  public var run: String
  public var count: PageCount
  /// The options of the run.
  public var options: StepOptions
}

/// The number of pages that a step requests one after the other.
public enum PageCount: Hashable, Sendable {
  case all
  case upTo(Int)
}

/// A `batch:` step, such as `batch: [{request: Post, …}, …]`.
public struct BatchStep: Sendable {
  /// The requests, first pages and fetch-first requests of the batch.
  public var entries: [Step]
  /// The options for entries without options.
  public var options: StepOptions
}

/// A `detail:` step, such as `detail: Post/1`.
public struct DetailStep: Sendable {
  /// The record whose details are requested.
  public var record: Located<RecordLabel>
  /// The parameters of `query:` as text.
  public var query: [String: String]
  public var options: StepOptions
}

/// A `fetchFirst:` step, such as `fetchFirst: Post`, which fetches stored records and then sends a request.
public struct FetchFirstStep: Sendable {
  /// The fetch of stored records.
  public var fetch: FetchStep
  /// The request that follows the fetch.
  public var request: RequestStep
}

/// A `cancel:` step, such as `cancel: screen`, which cancels the requests of a domain.
public struct CancelStep: Sendable {
  /// The domain whose requests are canceled.
  public var domain: Located<String>
  /// A Boolean value that indicates whether the domain may have no in-flight requests.
  public var isOptional: Bool
}

/// The options of a request, in declarative form. A nil option has its default value.
public struct StepOptions: Sendable {
  /// The path of the items in the response, in place of the entity's.
  public var responseKeyPath: MappingPath?
  /// The merge strategy, in place of the entities'.
  public var merge: MergeStrategy?
  /// The result of a merge hook from `mergeHook:`, which takes precedence over every merge strategy.
  public var mergeHook: DeclaredMerge?
  /// The keys from `inject:` for items without a key, by entity.
  public var injections: [EntityName: InjectedKey] = [:]
  /// The keys from `prepopulate:` that are set in an item before its attributes are read, by entity.
  public var prepopulation: [EntityName: [ItemKeyAssignment]] = [:]
  /// A Boolean value that indicates whether the changes of the response are saved.
  public var automaticallyPersistsRecords: Bool?
  /// The codes from `failOn:`. A diagnostic with one of them fails the request.
  public var failingCodes: [Located<String>] = []
  /// The codes from `ignore:`. Diagnostics with these codes are suppressed.
  public var ignoredCodes: [Located<String>] = []
  /// A Boolean value that indicates whether the request only reports its changes and writes nothing.
  public var isDryRun: Bool?
  /// A Boolean value from `cache:` that indicates whether the record cache stores the response and may answer the
  /// request.
  public var isCached: Bool?
  /// A Boolean value from `drift:` that indicates whether differences between the response and the model are reported.
  public var reportsDrift: Bool?
  /// The domain by which `cancel` steps cancel the request.
  public var domain: String?
  /// The rule for pages, in place of the server's.
  public var paging: PagingRule?
  /// The maximum number of pages of a run.
  public var maxPages: Int?
  /// The path of the metadata in the response.
  public var metaDataKeyPath: MappingPath?
  /// The path from `customResponse:` of the part of the response that the result includes beside the records.
  public var customResponse: MappingPath?
  /// A Boolean value that indicates whether any options are written. If so, these options replace those of the record
  /// type.
  public var areStated = false
  /// The headers that the request sends in addition to those of the server's client.
  public var headers: [String: String] = [:]
  /// The time after which the request fails with `timeout`.
  public var timeout: Duration?
  /// The names of Swift hooks that a test target registers, in the order in which they are applied.
  public var hooks: [Located<String>] = []
  /// The handling of stored records that the response does not contain.
  public var orphans: OrphanOptions?

  /// Creates options with default values.
  package init() {}
}

/// The rule by which responses are divided into pages.
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

/// The source of the key for an item without a key.
public enum InjectedKey: Sendable {
  /// The value that a key path finds in the item.
  case path(MappingPath)
  /// The key of the record that the item is nested in.
  case parentKey
  case literal(JSONValue)
}

/// A key of an item, with the source of the value that is set for it.
public struct ItemKeyAssignment: Sendable {
  /// The source of the value.
  public enum Source: Sendable {
    case path(MappingPath)
    case parentKey
    case literal(JSONValue)
  }

  /// The key that is set in the item.
  public var key: String
  public var source: Source
}

/// A `fetch:` step, such as `fetch: Post`.
public struct FetchStep: Sendable {
  /// The entity whose records are fetched, including its sub-entities.
  public var entity: EntityName
  /// The predicate for the fetched records; nil for all records.
  public var predicate: RecordPredicate?
  /// The sort keys, the most significant first.
  public var sort: [SortKey]
  /// The number of records that are skipped at the start.
  public var offset: Int
  /// The maximum number of records; nil for no limit.
  public var limit: Int?
}

/// A sort key. `-date` sorts by date, latest first, and `user.name` sorts by an attribute of a to-one relationship's
/// record.
public struct SortKey: Hashable, Sendable {
  /// Any number of to-one relationships, followed by an attribute.
  public var keyPath: String
  /// A Boolean value that indicates whether the smallest value comes first.
  public var isAscending: Bool
}

/// A `change:` step, which changes records without saving them.
public struct ChangeStep: Sendable {
  /// The new property values of one record.
  public struct Update: Sendable {
    public var record: Located<RecordLabel>
    public var properties: [PropertyAssignment]
  }

  /// The changes of existing records.
  public var updates: [Update]
  /// The records to insert.
  public var inserts: [SeedRecord]
  /// The records to delete. Delete rules apply.
  public var deletes: [Located<RecordLabel>]
}

/// A `tweak:` step, which replaces the scenario's tweak file.
public enum TweakStep: Hashable, Sendable {
  /// No file (`none`).
  case none
  /// A file with this text.
  case file(String)
}

/// A `serialize:` step, which creates records from a response that the scenario's server did not serve.
public struct SerializeStep: Sendable {
  /// The URL of the response.
  public var url: String
  /// The entities by URL fragment, in order.
  public var entities: [(fragment: String, entity: EntityName)]
  /// The body of the response.
  public var body: CannedResponse.Body
  public var options: StepOptions
}
