package import JSONTree
package import RecordModel
package import ScenarioFormat

/// The result of one step of a scenario.
package struct StepSnapshot: Hashable, Sendable {
  /// The action of the step.
  package let action: RecordedAction
  /// The records that the step returned, in order. A record may occur more than once.
  package var records: [RecordLabel]
  /// The inserted records.
  package var inserted: [RecordLabel]
  /// The changed properties of each updated record.
  package var updated: [RecordLabel: [PropertyName]]
  /// The changes of these properties: `from` and `to` in the form of a golden file, or `added` and `removed` for a
  /// to-many relationship. Golden files omit them.
  package var changes: [RecordLabel: [PropertyName: [String: JSONValue]]] = [:]
  /// The deleted records.
  package var deleted: [RecordLabel]
  /// The diagnostics in the order in which they occurred.
  package var diagnostics: [DiagnosticSnapshot]
  /// The failure; nil if the step succeeded.
  package var failure: FailureSnapshot?
  /// The stored records that a fetch-first request returned, in order.
  package var stored: [RecordLabel] = []
  /// The information about the page, if the response is paged.
  package var page: PageSnapshot?
  /// The sources of the step's answers, in order.
  package var served: [ServedFrom] = []
  /// The part of the response that the `customResponse` option selects. Rule: `response.custom-object`.
  package var customResponse: JSONValue?
  /// The value at the key path for metadata. Rule: `response.metadata`.
  package var metaData: JSONValue?
  /// The differences between the response and the model; nil unless the options of the request ask for them.
  /// Rule: `diagnostics.drift`.
  package var drift: DriftSnapshot?
  /// The records of the response that were already stored with the same values. Golden files omit them.
  package var unchanged: [RecordLabel] = []
  /// The response key paths that were not applied, because the response is an array. Golden files omit them.
  package var unappliedKeyPaths: [UnappliedKeyPath] = []
  /// The results of the requests in a batch.
  package var batch: [StepSnapshot] = []
  /// The requests that servers received, in the order of arrival.
  package var requests: [RequestSnapshot]
  /// The requests that the step itself states. If there were no other requests, golden files omit `requests`.
  package var statedRequests: [RequestSnapshot]

  /// Creates the result of a step, which has no effects by default.
  package init(
    _ action: RecordedAction, records: [RecordLabel] = [], inserted: [RecordLabel] = [],
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
  /// The remarks on the responses of the step: redirects, and response key paths that were not applied.
  package var remarks: [String] { redirects + remarksOnKeyPaths }

  /// The remarks on response key paths that were not applied.
  package var remarksOnKeyPaths: [String] {
    unappliedKeyPaths.map {
      "the response to '\($0.response)' is an array, so 'responseKeyPath: \($0.path)' is not applied"
    }
  }

  /// The remarks on redirects.
  package var redirects: [String] {
    requests.compactMap { request in
      request.redirectedFrom.map { "'\($0)' redirects to '\(request.address.text)'" }
    }
  }

  /// Sorts the inserted and the deleted records by label.
  package mutating func sortRecords() {
    inserted.sort()
    deleted.sort()
    for position in batch.indices { batch[position].sortRecords() }
  }
}

/// A response key path that does not apply to a response.
package struct UnappliedKeyPath: Hashable, Sendable {
  /// The path as text.
  package var path: String
  /// The address of the response.
  package var response: String

  package init(path: String, response: String) {
    (self.path, self.response) = (path, response)
  }
}

/// Information about a page and the pages around it.
package struct PageSnapshot: Hashable, Sendable {
  /// A Boolean value that indicates whether there is a next page.
  package var hasMore: Bool
  /// The number of results on all pages.
  package var total: Int?
  /// The number of results on a page.
  package var perPage: Int?
  /// The index of the page.
  package var index: Int?

  package init(hasMore: Bool, total: Int? = nil, perPage: Int? = nil, index: Int? = nil) {
    (self.hasMore, self.total, self.perPage, self.index) = (hasMore, total, perPage, index)
  }
}

/// A request that a server received.
package struct RequestSnapshot: Hashable, Sendable {
  /// The method, path and parameters.
  package var address: RequestAddress
  /// The body that was sent; nil for a request without one.
  package var body: StatedBody?
  /// The headers that were sent.
  package var headers: [String: String]
  /// The headers of the app's HTTP client, which can differ between clients. Golden files omit them.
  package var clientHeaders: [String: String] = [:]
  /// The address that redirected to this one; nil for a request that the engine sent. Golden files omit it.
  package var redirectedFrom: String?

  /// Creates a request, without a body and headers by default.
  package init(
    address: RequestAddress, body: StatedBody? = nil, headers: [String: String] = [:],
    redirectedFrom: String? = nil
  ) {
    self.address = address
    self.body = body
    self.headers = headers
    self.redirectedFrom = redirectedFrom
  }
}

/// A diagnostic of the engine. Rule: `diagnostics.where`.
package struct DiagnosticSnapshot: Hashable, Sendable {
  /// The code, such as `value-type`.
  package var code: String
  /// The code's number in MMRecord, which authors may write instead. Golden files contain only the name.
  package var number: Int?
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
  /// The message for people: one sentence without the location. Golden files omit it.
  package var message: String?
  /// The step that the diagnostic came from, from 1, in a list for several steps.
  package var step: Int?

  /// Creates a diagnostic. All details except the code are optional.
  package init(
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

/// The failure of a step.
package struct FailureSnapshot: Hashable, Sendable {
  /// The code of a failure that an app reports. Apps have no codes in common.
  package static let ofApp = "failure"

  /// The code, such as `save-error`.
  package var code: String
  /// The code's number in MMRecord, which authors may write instead.
  package var number: Int?
  /// The HTTP status, if the server responded with a status that is a failure.
  package var status: Int?
  /// The message for people, in one line. Golden files omit it.
  package var message: String?
  /// The other diagnostics, those that explain the failure first.
  package var others: [DiagnosticSnapshot]
  /// The index of the response among all canned responses, if it failed the request. Golden files omit it.
  package var response: Int?

  /// Creates a failure. All details except the code are optional.
  package init(
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
