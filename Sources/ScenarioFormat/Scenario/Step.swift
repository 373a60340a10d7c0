package import JSONTree
package import RecordModel

/// A step of a scenario.
package struct Step: Sendable {
  /// The action of a step. Indirect, because steps are copied often and most actions are large.
  package indirect enum Action: Sendable {
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
    /// A call of an action of the app.
    case call(CallStep)
  }

  /// The result of a step, which its expectations apply to.
  package enum Result: Sendable {
    /// The response for an entity, which is nil if it could not be read. `hasStored` indicates whether the step also
    /// returns stored records.
    case response(of: EntityName?, hasStored: Bool = false)
    /// A response that may contain records of any entity.
    case anyResponse
    /// The stored records that the step fetches.
    case fetch(of: EntityName?)
    /// The outcome of an action of the app.
    case outcome
    /// No records.
    case nothing
  }

  /// The action and its details.
  package let action: Action
  /// The action as golden files record it.
  package let recorded: RecordedAction
  package let result: Result
  /// The expectations after the step; nil if there are none.
  package var expectation: Expectation?
  package var span: SourceSpan

  package init(
    _ action: Action, result: Result = .nothing, expectation: Expectation? = nil, span: SourceSpan
  ) {
    self.action = action
    recorded = RecordedAction(of: action)
    self.result = result
    self.expectation = expectation
    self.span = span
  }
}

extension Step {
  /// The kind of the action.
  package var kind: StepKind { recorded.kind }

  /// The step, and the requests of a batch.
  package var withEntries: [Step] {
    if case .batch(let batch) = action { [self] + batch.entries } else { [self] }
  }

  /// The requests that the step states. A `nextPage` step states none, because the first page has stated it.
  package var requests: [RequestStep] {
    switch action {
    case .request(let request): [request]
    case .page(let page): [page.request]
    case .fetchFirst(let step): [step.request]
    case .batch(let batch): batch.entries.flatMap(\.requests)
    default: []
    }
  }

  /// The options of the step's requests. A `nextPage` step has none, because further pages use those of the first page.
  package var options: [StepOptions] {
    switch action {
    case .detail(let detail): [detail.options]
    case .batch(let batch): [batch.options] + requests.map(\.options)
    case .serialize(let response): [response.options]
    default: requests.map(\.options)
    }
  }

  /// The expectations of the step and of each request in a batch.
  package var expectations: [Expectation] { withEntries.compactMap(\.expectation) }
}

/// A `request:` step, such as `request: Post` with `urn: stream/global`.
package struct RequestStep: Sendable {
  /// The requested entity.
  package var entity: EntityName
  /// The address, relative to the base URL or absolute.
  package var urn: String
  /// The HTTP method. Default `GET`.
  package var method: String
  /// The parameters of `query:` as text.
  package var query: [String: String]
  /// The body from `json:` or `form:`; nil for a request without one.
  package var body: StatedBody?
  package var options: StepOptions
  /// The name from `as:`, by which a later step awaits the request; nil if this step waits for it.
  package var name: String?
}

/// A `page:` step, such as `page: Post`, which requests the first page of a run and optionally further pages.
package struct PageStep: Sendable {
  /// The request for the first page.
  package var request: RequestStep
  /// The name from `run:`, by which later steps continue the run; empty for a run without a name.
  package var run: String
  package var count: PageCount

  /// The pages of the step, as a `nextPage` step would request them.
  package var pages: NextPageStep { NextPageStep(run: run, count: count, options: request.options) }
}

/// A `nextPage:` step, such as `nextPage: feed`.
package struct NextPageStep: Sendable {
  /// The name of the run; empty for the run without a name.
  package var run: String
  package var count: PageCount
  /// The options of the run.
  package var options: StepOptions
}

/// The number of pages that a step requests one after the other.
package enum PageCount: Hashable, Sendable {
  case all
  case upTo(Int)
}

/// A `batch:` step, such as `batch: [{request: Post, …}, …]`.
package struct BatchStep: Sendable {
  /// The requests, first pages and fetch-first requests of the batch.
  package var entries: [Step]
  /// The options for entries without options.
  package var options: StepOptions
}

/// A `detail:` step, such as `detail: Post/1`.
package struct DetailStep: Sendable {
  /// The record whose details are requested, or which the request changes.
  package var record: Located<RecordLabel>
  package var method: String
  /// The address; nil for the address of the record's details.
  package var urn: String?
  /// The parameters of `query:` as text.
  package var query: [String: String]
  package var body: StatedBody?
  package var options: StepOptions
}

/// A `fetchFirst:` step, such as `fetchFirst: Post`, which fetches stored records and then sends a request.
package struct FetchFirstStep: Sendable {
  /// The fetch of stored records.
  package var fetch: FetchStep
  /// The request that follows the fetch.
  package var request: RequestStep
}

/// A `cancel:` step, such as `cancel: screen`, which cancels the requests of a domain.
package struct CancelStep: Sendable {
  /// The domain whose requests are canceled.
  package var domain: Located<String>
  /// A Boolean value that indicates whether the domain may have no in-flight requests.
  package var isOptional: Bool
}

/// A `call:` step, such as `call: refreshFeed` with `with: {force: true}`, which performs an action of the app.
package struct CallStep: Sendable {
  /// The name of the action, as the adapter of the app declares it.
  package var action: Located<String>
  /// The arguments; nil if there are none.
  package var arguments: JSONValue?
}

/// The options of a request, in declarative form. A nil option has its default value.
package struct StepOptions: Sendable {
  /// The path of the items in the response, in place of the entity's.
  package var responseKeyPath: MappingPath?
  /// The merge strategy, in place of the entities'.
  package var merge: MergeStrategy?
  /// The result of a merge hook from `mergeHook:`, which takes precedence over every merge strategy.
  package var mergeHook: DeclaredMerge?
  /// The keys from `inject:` for items without a key, by entity.
  package var injections: [EntityName: InjectedKey] = [:]
  /// The keys from `prepopulate:` that are set in an item before its attributes are read, by entity.
  package var prepopulation: [EntityName: [ItemKeyAssignment]] = [:]
  /// A Boolean value that indicates whether the changes of the response are saved.
  package var automaticallyPersistsRecords: Bool?
  /// The codes from `failOn:`. A diagnostic with one of them fails the request.
  package var failingCodes: [Located<String>] = []
  /// The codes from `ignore:`. Diagnostics with these codes are suppressed.
  package var ignoredCodes: [Located<String>] = []
  /// A Boolean value that indicates whether the request only reports its changes and writes nothing.
  package var isDryRun: Bool?
  /// A Boolean value from `cache:` that indicates whether the record cache stores the response and may answer the
  /// request.
  package var isCached: Bool?
  /// A Boolean value from `drift:` that indicates whether differences between the response and the model are reported.
  package var reportsDrift: Bool?
  /// The domain by which `cancel` steps cancel the request.
  package var domain: String?
  /// The rule for pages, in place of the server's.
  package var paging: PagingRule?
  /// The maximum number of pages of a run.
  package var maxPages: Int?
  /// The condition under which a response states an error.
  package var failWhen: RecordPredicate?
  /// The path of the metadata in the response.
  package var metaDataKeyPath: MappingPath?
  /// The path from `customResponse:` of the part of the response that the result includes beside the records.
  package var customResponse: MappingPath?
  /// A Boolean value that indicates whether any options are written. If so, these options replace those of the record
  /// type.
  package var areStated = false
  /// The headers that the request sends in addition to those of the server's client.
  package var headers: [String: String] = [:]
  /// The time after which the request fails with `timeout`.
  package var timeout: Duration?
  /// The names of Swift hooks that a test target registers, in the order in which they are applied.
  package var hooks: [Located<String>] = []
  /// The handling of stored records that the response does not contain.
  package var orphans: OrphanOptions?

  /// Creates options with default values.
  package init() {}
}

/// The rule by which responses are divided into pages.
package enum PagingRule: Sendable {
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
package enum InjectedKey: Sendable {
  /// The source of the whole key.
  case whole(ItemKeyAssignment.Source)
  /// The missing parts of a key of several attributes.
  case parts([ItemKeyAssignment])
}

/// A key of an item, with the source of the value that is set for it.
package struct ItemKeyAssignment: Sendable {
  /// The source of the value.
  package enum Source: Sendable {
    /// The value that a key path finds in the item.
    case path(MappingPath)
    /// The key of the record that the item is nested in.
    case parentKey
    case literal(JSONValue)
  }

  /// The key that is set in the item.
  package var key: String
  package var source: Source
}

/// A `fetch:` step, such as `fetch: Post`.
package struct FetchStep: Sendable {
  /// The entity whose records are fetched, including its sub-entities.
  package var entity: EntityName
  /// The predicate for the fetched records; nil for all records.
  package var predicate: RecordPredicate?
  /// The sort keys, the most significant first.
  package var sort: [SortKey]
  /// The number of records that are skipped at the start.
  package var offset: Int
  /// The maximum number of records; nil for no limit.
  package var limit: Int?
}

/// A sort key. `-date` sorts by date, latest first, and `user.name` sorts by an attribute of a to-one relationship's
/// record.
package struct SortKey: Hashable, Sendable {
  /// Any number of to-one relationships, followed by an attribute.
  package var keyPath: String
  /// A Boolean value that indicates whether the smallest value comes first.
  package var isAscending: Bool
}

/// A `change:` step, which changes records without saving them.
package struct ChangeStep: Sendable {
  /// The new property values of one record.
  package struct Update: Sendable {
    package var record: Located<RecordLabel>
    package var properties: [PropertyAssignment]
  }

  /// The changes of existing records.
  package var updates: [Update]
  /// The records to insert.
  package var inserts: [SeedRecord]
  /// The records to delete. Delete rules apply.
  package var deletes: [Located<RecordLabel>]
}

/// A `tweak:` step, which replaces the scenario's tweak file.
package enum TweakStep: Hashable, Sendable {
  /// No file (`none`).
  case none
  /// A file with this text.
  case file(String)
}

/// A `serialize:` step, which creates records from a response that the scenario's server did not serve.
package struct SerializeStep: Sendable {
  /// The URL of the response.
  package var url: String
  /// The entities by URL fragment, in order.
  package var entities: [(fragment: String, entity: EntityName)]
  /// The body of the response.
  package var body: CannedResponse.Body
  /// The source of the body.
  package var bodySource: BodySource
  package var options: StepOptions
}
