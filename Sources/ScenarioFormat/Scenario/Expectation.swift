package import JSONTree
package import RecordModel

/// The expectations of an author after a step or at the end. Only the named fields are checked.
package struct Expectation: Sendable {
  /// The expected records by entity.
  package var graph: [EntityExpectation]
  /// The records that the step returned.
  package var records: ListExpectation<MemberExpectation>?
  /// The stored records that a fetch-first request returned before the response.
  package var stored: ListExpectation<MemberExpectation>?
  /// The records of the response that were already stored with the same values.
  package var unchanged: ListExpectation<MemberExpectation>?
  /// The paging information of the response.
  package var page: PageExpectation?
  /// The sources of the answers: one for each answer, or one for all.
  package var served: ServedExpectation?
  /// The part of the response that the `customResponse` option selects.
  package var customResponse: Located<JSONValue>?
  /// The value at the key path for metadata.
  package var metaData: Located<JSONValue>?
  /// The differences between the response and the model.
  package var drift: DriftExpectation?
  /// The expected failure; nil if none is expected.
  package var failure: FailureExpectation?
  /// The diagnostics, located at the key.
  package var diagnostics: Located<[DiagnosticExpectation]>?
  /// The inserted records.
  package var inserted: ListExpectation<MemberExpectation>?
  /// The deleted records.
  package var deleted: ListExpectation<MemberExpectation>?
  /// The updated records with their changed properties, located at the key.
  package var updated: Located<[UpdateExpectation]>?
  /// The requests that servers received.
  package var requests: ListExpectation<RequestExpectation>?
  package var span: SourceSpan
}

/// The expected records of an entity and its sub-entities.
package struct EntityExpectation: Sendable {
  package var entity: EntityName
  /// The number of records.
  package var count: Located<Int>?
  /// The labels that no record has.
  package var absent: [Located<RecordLabel>]
  /// The described records. Each description claims a different record.
  package var records: [RecordMatch]
  /// A Boolean value that indicates whether other records are not allowed (`only:`, `none`).
  package var isExhaustive: Bool
  package var span: SourceSpan
}

/// A description of a record by some of its properties.
package struct RecordMatch: Sendable {
  package var entity: EntityName
  package var properties: [PropertyExpectation]
  package var span: SourceSpan
}

/// The expected value of a record's property.
package struct PropertyExpectation: Sendable {
  /// The expected value of a property.
  package enum Value: Sendable {
    case attribute(AttributeValue?)
    /// A to-one relationship without a record.
    case noRecord
    case record(MemberExpectation)
    /// All members, in this order if the relationship is ordered.
    case exactly([MemberExpectation])
    case contains([MemberExpectation])
    case count(Int)
  }

  package var name: PropertyName
  package var value: Value
  package var span: SourceSpan
}

/// A record, by its label or by its properties.
package enum MemberExpectation: Sendable {
  case label(Located<RecordLabel>)
  case match(RecordMatch)
}

/// The expected list of records or of requests. All conditions that are not nil must hold.
package struct ListExpectation<Element: Sendable>: Sendable {
  /// Exactly these elements, in this order.
  package var exactly: [Element]?
  /// Exactly these elements, in any order.
  package var anyOrder: [Element]?
  /// At least these elements.
  package var contains: [Element]?
  /// The number of elements.
  package var count: Int?
  package var span: SourceSpan
}

/// An updated record, with the changes as far as the author states them.
package struct UpdateExpectation: Sendable {
  /// The label of the record.
  package var record: Located<RecordLabel>
  /// The changed properties; nil for any.
  package var properties: [PropertyName]?
  /// The former and the current values of properties, as far as the author states them.
  package var values: [PropertyName: ChangeExpectation] = [:]
}

/// The expected change of a property: `{from: Hello, to: Bye}`, or `{added: [Post/1], removed: []}` for a to-many
/// relationship. Missing keys are not checked.
package struct ChangeExpectation: Sendable {
  /// The expected values by key, in the form of a golden file.
  package var members: [String: JSONValue]
  package var span: SourceSpan
}

/// The expected page. A nil field is not checked.
package struct PageExpectation: Sendable {
  /// A Boolean value that indicates whether there is a next page.
  package var hasMore: Located<Bool>?
  /// The number of results on all pages.
  package var total: Located<Int>?
  /// The number of results on a page.
  package var perPage: Located<Int>?
  /// The index of the page.
  package var index: Located<Int>?
}

/// The expected sources of answers.
package struct ServedExpectation: Sendable {
  /// The sources of all answers, or of each.
  package enum Answers: Hashable, Sendable {
    case all(ServedFrom)
    /// These sources, in this order.
    case exactly([ServedFrom])
  }

  /// The sources, for all answers or for each.
  package var answers: Answers
  package var span: SourceSpan
}

/// The expected request to a server.
package struct RequestExpectation: Sendable {
  package var address: RequestAddress
  /// The headers that must be sent. A header whose value is nil must not be sent. Other headers are not checked.
  package var headers: [String: String?]
  /// The body that must be sent; nil for a request without one.
  package var body: StatedBody?
  package var span: SourceSpan
}

/// The expected failure of a request. A nil field is not checked.
package struct FailureExpectation: Sendable {
  /// The code, by its name or its number in MMRecord; nil for any failure.
  package var code: String?
  /// The HTTP status that fails the request.
  package var status: Located<Int>?
  /// A part of the message, or of a text in the body of the response that failed the request.
  package var message: Located<String>?
  package var span: SourceSpan
}

/// An expected diagnostic. A nil field is not checked.
package struct DiagnosticExpectation: Sendable {
  /// The code, by its name or its number in MMRecord.
  package var code: String
  /// The entity that the diagnostic is about.
  package var entity: EntityName?
  /// The property that the diagnostic is about.
  package var property: PropertyName?
  /// The JSON pointer into the response.
  package var pointer: String?
  /// The second JSON pointer, if two locations conflict.
  package var otherPointer: String?
  /// The address of the response.
  package var response: String?
  package var span: SourceSpan
}
