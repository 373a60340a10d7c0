public import JSONTree
public import RecordModel

/// What one step of a scenario brought about.
public struct StepSnapshot: Hashable, Sendable {
  public enum Action: Hashable, Sendable {
    /// With a name, the request is only sent; the step that awaits it has what came of it.
    case request(EntityName, method: String, urn: String, name: String? = nil)
    case page(EntityName, method: String, urn: String, run: String, count: PageCount)
    case nextPage(run: String, count: PageCount)
    case detail(RecordLabel)
    case fetchFirst(EntityName, method: String, urn: String)
    /// What came of each request stands below ``batch``.
    case batch
    case await(String)
    case cancel(String)
    case fetch(EntityName)
    case change
    case save
    case rollback
    case reopen
    case tweak(isNone: Bool)
    case serialize(url: String)
    case advance(Duration)
    case clearCache
  }

  public var action: Action
  /// The records that the step answered, in order; a record may stand here twice.
  public var records: [RecordLabel]
  public var inserted: [RecordLabel]
  /// The properties of each record that changed.
  public var updated: [RecordLabel: [PropertyName]]
  /// What became of these properties: `from` and `to` in the form of a golden file, or `added` and `removed` of a to-many.
  /// Golden files leave it out.
  public var changes: [RecordLabel: [PropertyName: [String: JSONValue]]] = [:]
  public var deleted: [RecordLabel]
  /// In the order in which they were met.
  public var diagnostics: [DiagnosticSnapshot]
  public var failure: FailureSnapshot?
  /// Of a fetch-first request: the records that were stored, in order.
  public var stored: [RecordLabel] = []
  /// Of a page: what is known of it.
  public var page: PageSnapshot?
  /// Where the step's answers came from, one after the other.
  public var served: [ServedFrom] = []
  /// What the request's handler made of the response. Rule: `response.custom-object`.
  public var customResponse: JSONValue?
  /// What the response has at the key path for metadata. Rule: `response.metadata`.
  public var metaData: JSONValue?
  /// Where the response and the model do not fit each other; nil unless the options of the request ask for it. Rule:
  /// `diagnostics.drift`.
  public var drift: DriftSnapshot?
  /// The records that the response brought and that were just so before. Golden files leave them out.
  public var unchanged: [RecordLabel] = []
  /// What came of each request of a batch.
  public var batch: [StepSnapshot] = []
  /// What servers were asked, in the order in which it reached them.
  public var requests: [RequestSnapshot]
  /// What the step itself says that is asked. Where that is all, golden files leave it out.
  public var statedRequests: [RequestSnapshot]

  public init(
    _ action: Action, records: [RecordLabel] = [], inserted: [RecordLabel] = [],
    updated: [RecordLabel: [PropertyName]] = [:], deleted: [RecordLabel] = [],
    diagnostics: [DiagnosticSnapshot] = [], failure: FailureSnapshot? = nil,
    requests: [RequestSnapshot] = [], statedRequests: [RequestSnapshot] = []
  ) {
    self.action = action
    self.records = records
    self.inserted = inserted
    self.updated = updated
    self.deleted = deleted
    self.diagnostics = diagnostics
    self.failure = failure
    self.requests = requests
    self.statedRequests = statedRequests
  }
}

extension StepSnapshot {
  /// Puts the records that have come and gone in the order of their labels.
  package mutating func sortRecords() {
    inserted.sort()
    deleted.sort()
    for position in batch.indices { batch[position].sortRecords() }
  }
}

/// What is known of a page, and of those around it.
public struct PageSnapshot: Hashable, Sendable {
  public var hasMore: Bool
  /// How many results all pages have.
  public var total: Int?
  public var perPage: Int?
  public var index: Int?
}

/// What a server was asked.
public struct RequestSnapshot: Hashable, Sendable {
  public var address: RequestAddress
  /// As they were sent.
  public var headers: [String: String]

  public init(address: RequestAddress, headers: [String: String] = [:]) {
    self.address = address
    self.headers = headers
  }
}

/// Something the engine remarked. Rule: `diagnostics.where`.
public struct DiagnosticSnapshot: Hashable, Sendable {
  /// `value-type`.
  public var code: String
  /// The code's number in MMRecord, by which authors may call it, too. Golden files have the name alone.
  public var number: Int?
  public var entity: EntityName?
  public var property: PropertyName?
  /// A JSON pointer into the response.
  public var pointer: String?
  /// The other place, where two places disagree.
  public var otherPointer: String?
  /// The address of the response.
  public var response: String?
  /// One sentence for people, without the place. Golden files leave it out.
  public var message: String?
  /// The step that it came from, from 1, where those of several steps stand together.
  public var step: Int?

  public init(
    code: String, number: Int? = nil, entity: EntityName? = nil, property: PropertyName? = nil,
    pointer: String? = nil, otherPointer: String? = nil, response: String? = nil, message: String? = nil
  ) {
    self.code = code
    self.number = number
    self.entity = entity
    self.property = property
    self.pointer = pointer
    self.otherPointer = otherPointer
    self.response = response
    self.message = message
  }
}

/// How a step failed.
public struct FailureSnapshot: Hashable, Sendable {
  /// `save-error`.
  public var code: String
  /// The code's number in MMRecord, by which authors may call it, too.
  public var number: Int?
  /// The HTTP status, where the server answered with one that is a failure.
  public var status: Int?
  /// What it said, in one line for people. Golden files keep the code alone.
  public var message: String?
  /// What else was noticed, what explains the failure first.
  public var others: [DiagnosticSnapshot]

  public init(
    code: String, number: Int? = nil, status: Int? = nil, message: String? = nil,
    others: [DiagnosticSnapshot] = []
  ) {
    self.code = code
    self.number = number
    self.status = status
    self.message = message
    self.others = others
  }
}
