package import JSONTree
package import RecordModel

/// A scenario: a model, canned responses, steps and expectations.
package struct Scenario: Sendable {
  /// The path below the folder of scenarios without extension, such as `identity/attribute-key`.
  package var name: String
  /// The file of the scenario.
  package var file: SourceFile

  /// The title of the scenario.
  package var title: String
  /// The rules that the scenario proves.
  package var covers: [Located<String>]
  /// The tags by which the scenario can be selected.
  package var tags: [String]

  /// The reason for skipping the scenario; nil if it runs.
  package var skip: String?
  /// The mark for a known failure; nil if the scenario must pass.
  package var expectedFailure: ExpectedFailure?

  /// The tables of the app's own store; nil for a scenario that runs on the engine. A scenario with tables has no model, and
  /// calls actions of the app.
  package var tables: TableRules?
  /// The model, with the representations of `customizations` applied.
  package var model: ManagedObjectModel
  /// The customizations from `customize:`. Their representations are already part of the model.
  package var customizations: [EntityName: EntityCustomization]
  /// The URL that addresses are relative to. Default `https://api.test/`.
  package var baseURL: String
  /// The entities, including their sub-entities, whose requests go to another server or to none.
  package var servers: [ServerAssignment]
  /// A Boolean value that indicates whether a request that fails with a session timeout is sent once more, as by an app
  /// that signs in again.
  package var restartsAfterSessionTimeout: Bool
  /// The rule by which the server divides responses into pages; nil if it does not.
  package var paging: PagingRule?
  /// The default options by entity, for requests without options.
  package var defaults: [EntityName: StepOptions]
  /// The limits of the record cache; nil if the scenario does not set them.
  package var cache: CacheSetting?
  /// The start time of the clock, in seconds since 1970. Default 2000-01-01T00:00:00Z.
  package var now: Double

  /// The records that are stored before the first step.
  package var seeds: [SeedRecord]
  /// The canned responses by address.
  package var responses: [CannedAddress]
  /// The steps, in the order in which they run.
  package var steps: [Step]
  /// The expectations after the last step.
  package var expectation: Expectation
}

/// The mark of a scenario for a known failure. The run succeeds while the scenario fails.
package struct ExpectedFailure: Sendable {
  /// The reason for the failure.
  package var reason: String
  /// The issue that tracks the failure, as the author names it.
  package var issue: String?
  /// The day from which the mark is an error, such as `2031-05-01`; nil for no limit.
  package var until: String?
  /// The adapters on which the scenario fails; empty for every run.
  package var adapters: [String] = []
  package var span: SourceSpan
}

/// The server of an entity from `servers:`, such as `Draft: none` or `Article: https://other.test/`.
package struct ServerAssignment: Sendable {
  /// The entity. The server also answers for its sub-entities.
  package var entity: EntityName
  /// The URL that addresses of the entity are relative to; nil if no server answers its requests.
  package var baseURL: String?
}

/// A record of `store:`, or of `insert:` in a change.
package struct SeedRecord: Sendable {
  /// The entity of the record itself, which is never abstract.
  package var entity: EntityName
  package var properties: [PropertyAssignment]
  package var span: SourceSpan
}

/// A property and the value that a seed or a `change` step assigns to it.
package struct PropertyAssignment: Sendable {
  /// The assigned value.
  package enum Value: Sendable {
    case attribute(AttributeValue?)
    /// A to-one relationship. Nil clears it.
    case toOne(Located<RecordLabel>?)
    case toMany([Located<RecordLabel>])
  }

  package var name: PropertyName
  package var value: Value
  package var span: SourceSpan
}

/// The label of a record in golden files and expectations, such as `Post/1`, `Counts@User/7` or `Tag~1`.
package struct RecordLabel: RawRepresentable, Hashable, Sendable, Comparable {
  package let rawValue: String
  package init(rawValue: String) { self.rawValue = rawValue }

  // Labels contain keys from responses, which are compared by their Unicode scalars.

  package static func == (left: RecordLabel, right: RecordLabel) -> Bool {
    haveSameScalars(left.rawValue, right.rawValue)
  }

  package func hash(into hasher: inout Hasher) { hasher.combine(scalarsOf: rawValue) }

  package static func < (left: RecordLabel, right: RecordLabel) -> Bool {
    scalarsPrecede(left.rawValue, right.rawValue)
  }

  /// The entity at the start of the label.
  package var entity: EntityName {
    let end = rawValue.utf8.firstIndex { "/@~".utf8.contains($0) } ?? rawValue.endIndex
    return EntityName(String(rawValue[..<end]))
  }
}

/// An address with its canned responses.
package struct CannedAddress: Sendable {
  package var address: RequestAddress
  /// The responses, in the order in which they are served.
  package var responses: [CannedResponse]
  /// The address as the author wrote it.
  package var text: String
  package var span: SourceSpan
}

/// A canned response.
package struct CannedResponse: Sendable {
  /// The body of a response.
  package enum Body: Sendable {
    /// The value of `body:`, which is served as compact JSON.
    case value(JSONValue)
    /// The bytes of `bodyText:`, or of the part of `bodyFile:` that `at:` selects. They are served unchanged.
    case bytes([UInt8])
  }

  /// The body; nil for an empty one.
  package var body: Body?
  /// The source of the body; nil for an empty one.
  package var bodySource: BodySource?
  /// The HTTP status. Default 200.
  package var status: Int
  /// The headers of the response, by name.
  package var headers: [String: String]
  /// The time until the response arrives, by the scenario's clock.
  package var delay: Duration
  /// The failure that replaces the response.
  package var failure: ServerFailure?
  /// The headers that a request must have to receive this response.
  package var requiredHeaders: [String: String]
  /// The body that a request must have to receive this response; nil for any body or none.
  package var requiredBody: StatedBody?
  /// A Boolean value that indicates whether the response may be served any number of times.
  package var isRepeated: Bool
  /// A Boolean value that indicates whether the response may remain unused.
  package var isOptional: Bool
  package var span: SourceSpan

  /// A Boolean value that indicates whether every request to the address can receive this response.
  package var isUnconditional: Bool { requiredHeaders.isEmpty && requiredBody == nil }
}
