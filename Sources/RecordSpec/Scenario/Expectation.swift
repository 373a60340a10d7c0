public import JSONTree
public import RecordModel

/// The expectations of an author after a step or at the end. Only the named fields are checked.
public struct Expectation: Sendable {
  /// The expected records by entity.
  public var graph: [EntityExpectation]
  /// The records that the step returned.
  public var records: ListExpectation?
  /// The stored records that a fetch-first request returned before the response.
  public var stored: ListExpectation?
  /// The records of the response that were already stored with the same values.
  public var unchanged: ListExpectation?
  /// The paging information of the response.
  public var page: PageExpectation?
  /// The sources of the answers: one for each answer, or one for all.
  public var served: ServedExpectation?
  /// The part of the response that the `customResponse` option selects.
  public var customResponse: Located<JSONValue>?
  /// The value at the key path for metadata.
  public var metaData: Located<JSONValue>?
  /// The differences between the response and the model.
  public var drift: DriftExpectation?
  /// The expected failure; nil if none is expected.
  public var failure: FailureExpectation?
  /// The diagnostics, located at the key.
  public var diagnostics: Located<[DiagnosticExpectation]>?
  /// The inserted records.
  public var inserted: ListExpectation?
  /// The deleted records.
  public var deleted: ListExpectation?
  /// The updated records with their changed properties, located at the key.
  public var updated: Located<[UpdateExpectation]>?
  /// The requests that servers received.
  public var requests: RequestListExpectation?
  public var span: SourceSpan
}

/// The expected records of an entity and its sub-entities.
public struct EntityExpectation: Sendable {
  public var entity: EntityName
  /// The number of records.
  public var count: Located<Int>?
  /// The labels that no record has.
  public var absent: [Located<RecordLabel>]
  /// The described records. Each description claims a different record.
  public var records: [RecordMatch]
  /// A Boolean value that indicates whether other records are not allowed (`only:`, `none`).
  public var isExhaustive: Bool
  public var span: SourceSpan
}

/// A description of a record by some of its properties.
public struct RecordMatch: Sendable {
  public var entity: EntityName
  public var properties: [PropertyExpectation]
  public var span: SourceSpan
}

/// The expected value of a record's property.
public struct PropertyExpectation: Sendable {
  /// The expected value of a property.
  public enum Value: Sendable {
    case attribute(AttributeValue?)
    /// A to-one relationship without a record.
    case noRecord
    case record(MemberExpectation)
    /// All members, in this order if the relationship is ordered.
    case exactly([MemberExpectation])
    case contains([MemberExpectation])
    case count(Int)
  }

  public var name: PropertyName
  public var value: Value
  public var span: SourceSpan
}

/// A record, by its label or by its properties.
public enum MemberExpectation: Sendable {
  case label(Located<RecordLabel>)
  case match(RecordMatch)
}

/// The expected list of records. All conditions that are not nil must hold.
public struct ListExpectation: Sendable {
  /// Exactly these records, in this order.
  public var exactly: [MemberExpectation]?
  /// Exactly these records, in any order.
  public var anyOrder: [MemberExpectation]?
  /// At least these records.
  public var contains: [MemberExpectation]?
  /// The number of records.
  public var count: Int?
  public var span: SourceSpan
}

/// An updated record, with the changes as far as the author states them.
public struct UpdateExpectation: Sendable {
  /// The label of the record.
  public var record: Located<RecordLabel>
  /// The changed properties; nil for any.
  public var properties: [PropertyName]?
  /// The former and the current values of properties, as far as the author states them.
  public var values: [PropertyName: ChangeExpectation] = [:]
}

/// The expected change of a property: `{from: Hello, to: Bye}`, or `{added: [Post/1], removed: []}` for a to-many
/// relationship. Missing keys are not checked.
public struct ChangeExpectation: Sendable {
  /// The expected values by key, in the form of a golden file.
  public var members: [String: JSONValue]
  public var span: SourceSpan
}

/// The expected page. A nil field is not checked.
public struct PageExpectation: Sendable {
  /// A Boolean value that indicates whether there is a next page.
  public var hasMore: Located<Bool>?
  /// The number of results on all pages.
  public var total: Located<Int>?
  /// The number of results on a page.
  public var perPage: Located<Int>?
  /// The index of the page.
  public var index: Located<Int>?
}

/// The expected sources of answers.
public struct ServedExpectation: Sendable {
  /// The sources of all answers, or of each.
  public enum Answers: Hashable, Sendable {
    case all(ServedFrom)
    /// These sources, in this order.
    case exactly([ServedFrom])
  }

  /// The sources, for all answers or for each.
  public var answers: Answers
  public var span: SourceSpan
}

/// The expected list of requests that servers received. All conditions that are not nil must hold.
public struct RequestListExpectation: Sendable {
  /// Exactly these requests, in this order.
  public var exactly: [RequestExpectation]?
  /// Exactly these requests, in any order.
  public var anyOrder: [RequestExpectation]?
  /// At least these requests.
  public var contains: [RequestExpectation]?
  /// The number of requests.
  public var count: Int?
  public var span: SourceSpan
}

/// The expected request to a server.
public struct RequestExpectation: Sendable {
  public var address: RequestAddress
  /// The headers that must be sent. A header whose value is nil must not be sent. Other headers are not checked.
  public var headers: [String: String?]
  /// The body that must be sent; nil for a request without one.
  public var body: StatedBody?
  public var span: SourceSpan
}

/// The expected failure of a request. A nil code matches any failure.
public struct FailureExpectation: Sendable {
  /// The code, by its name or its number in MMRecord; nil for any failure.
  public var code: String?
  public var span: SourceSpan
}

/// An expected diagnostic. A nil field is not checked.
public struct DiagnosticExpectation: Sendable {
  /// The code, by its name or its number in MMRecord.
  public var code: String
  /// The entity that the diagnostic is about.
  public var entity: EntityName?
  /// The property that the diagnostic is about.
  public var property: PropertyName?
  /// The JSON pointer into the response.
  public var pointer: String?
  /// The second JSON pointer, if two locations conflict.
  public var otherPointer: String?
  /// The address of the response.
  public var response: String?
  public var span: SourceSpan
}
