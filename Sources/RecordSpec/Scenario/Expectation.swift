public import JSONTree
public import RecordModel

/// What an author says must be so, after a step or at the end. What is not named is not looked at.
public struct Expectation: Sendable {
  public var graph: [EntityExpectation]
  /// The records that the step answered.
  public var records: ListExpectation?
  /// The records that were stored before a fetch-first request was answered.
  public var stored: ListExpectation?
  /// The records that the response brought and that were just so before.
  public var unchanged: ListExpectation?
  public var page: PageExpectation?
  /// Where the answers came from: one for each answer, or one for all.
  public var served: ServedExpectation?
  /// What the custom response handler handed over.
  public var customResponse: Located<JSONValue>?
  /// What the response has at the key path for metadata.
  public var metaData: Located<JSONValue>?
  /// Where the response and the model do not fit each other.
  public var drift: DriftExpectation?
  public var failure: FailureExpectation?
  /// At the key.
  public var diagnostics: Located<[DiagnosticExpectation]>?
  public var inserted: ListExpectation?
  public var deleted: ListExpectation?
  /// Label and the properties that changed; at the key.
  public var updated: Located<[UpdateExpectation]>?
  /// What servers were asked.
  public var requests: RequestListExpectation?
  public var span: SourceSpan
}

/// What must be so of the records of an entity and its sub-entities.
public struct EntityExpectation: Sendable {
  public var entity: EntityName
  public var count: Located<Int>?
  public var absent: [Located<RecordLabel>]
  /// Each claims a record of its own.
  public var records: [RecordMatch]
  /// Whether there must be no others (`only:`, `none`).
  public var isExhaustive: Bool
  public var span: SourceSpan
}

/// A record an expectation describes by some of its properties.
public struct RecordMatch: Sendable {
  public var entity: EntityName
  public var properties: [PropertyExpectation]
  public var span: SourceSpan
}

/// A property of a record an expectation describes.
public struct PropertyExpectation: Sendable {
  public enum Value: Sendable {
    case attribute(AttributeValue?)
    /// A to-one without a record.
    case noRecord
    case record(MemberExpectation)
    /// All members; in this order if the relationship is ordered.
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

/// A list of records. Several may be given; all must hold.
public struct ListExpectation: Sendable {
  /// Exactly these, in this order.
  public var exactly: [MemberExpectation]?
  public var anyOrder: [MemberExpectation]?
  public var contains: [MemberExpectation]?
  public var count: Int?
  public var span: SourceSpan
}

public struct UpdateExpectation: Sendable {
  public var record: Located<RecordLabel>
  /// Nil: whichever changed.
  public var properties: [PropertyName]?
  /// What properties were and became, as far as the author says.
  public var values: [PropertyName: ChangeExpectation] = [:]
}

/// `{from: Hello, to: Bye}`, or for a to-many `{added: [Post/1], removed: []}`. What is not named is not looked at.
public struct ChangeExpectation: Sendable {
  /// By key, in the form of a golden file.
  public var members: [String: JSONValue]
  public var span: SourceSpan
}

/// What is known of a page. Nil fields are not looked at.
public struct PageExpectation: Sendable {
  public var hasMore: Located<Bool>?
  public var total: Located<Int>?
  public var perPage: Located<Int>?
  public var index: Located<Int>?
}

/// Where answers came from.
public struct ServedExpectation: Sendable {
  public enum Answers: Hashable, Sendable {
    case all(ServedFrom)
    /// These, in this order.
    case exactly([ServedFrom])
  }

  public var answers: Answers
  public var span: SourceSpan
}

/// A list of what servers were asked. Several may be given; all must hold.
public struct RequestListExpectation: Sendable {
  /// Exactly these, in this order.
  public var exactly: [RequestExpectation]?
  public var anyOrder: [RequestExpectation]?
  public var contains: [RequestExpectation]?
  public var count: Int?
  public var span: SourceSpan
}

/// What a server was asked.
public struct RequestExpectation: Sendable {
  public var address: RequestAddress
  /// Headers that are sent, and those that are not, whose value is nil; others are not looked at.
  public var headers: [String: String?]
  public var span: SourceSpan
}

/// The failure of a request. Nil fields are not looked at.
public struct FailureExpectation: Sendable {
  public var code: String?
  public var span: SourceSpan
}

/// A diagnostic. Nil fields are not looked at.
public struct DiagnosticExpectation: Sendable {
  public var code: String
  public var entity: EntityName?
  public var property: PropertyName?
  public var pointer: String?
  public var otherPointer: String?
  public var response: String?
  public var span: SourceSpan
}
