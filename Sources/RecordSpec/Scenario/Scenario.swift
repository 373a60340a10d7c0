public import JSONTree
public import RecordModel

/// A scenario: a model, canned responses, steps and expectations.
public struct Scenario: Sendable {
  /// The path below the folder of scenarios without extension, such as `identity/attribute-key`.
  public var name: String
  /// The file of the scenario.
  public var file: SourceFile

  /// The title of the scenario.
  public var title: String
  /// The rules that the scenario proves.
  public var covers: [Located<String>]
  /// The tags by which the scenario can be selected.
  public var tags: [String]

  /// The reason for skipping the scenario; nil if it runs.
  public var skip: String?
  /// The mark for a known failure; nil if the scenario must pass.
  public var expectedFailure: ExpectedFailure?

  /// The model, with the representations of `customisations` applied.
  public var model: ManagedObjectModel
  /// The customizations from `customise:`. Their representations are already part of the model.
  public var customisations: [EntityName: EntityCustomisation]
  /// The URL that addresses are relative to. Default `https://api.test/`.
  public var baseURL: String
  /// The entities, including their sub-entities, whose requests go to another server or to none.
  public var servers: [ServerAssignment]
  /// A Boolean value that indicates whether a request that fails with a session timeout is sent once more, as by an app
  /// that signs in again.
  public var restartsAfterSessionTimeout: Bool
  /// The rule by which the server divides responses into pages; nil if it does not.
  public var paging: PagingRule?
  /// The default options by entity, for requests without options.
  public var defaults: [EntityName: StepOptions]
  /// The limits of the record cache; nil if the scenario does not set them.
  public var cache: CacheSetting?
  /// The start time of the clock, in seconds since 1970. Default 2000-01-01T00:00:00Z.
  public var now: Double

  /// The records that are stored before the first step.
  public var seeds: [SeedRecord]
  /// The canned responses by address.
  public var responses: [CannedAddress]
  /// The steps, in the order in which they run.
  public var steps: [Step]
  /// The expectations after the last step.
  public var expectation: Expectation
}

/// The mark of a scenario for a known failure. The run succeeds while the scenario fails.
public struct ExpectedFailure: Sendable {
  /// The reason for the failure.
  public var reason: String
  /// The issue that tracks the failure, as the author names it.
  public var issue: String?
  /// The day from which the mark is an error, such as `2031-05-01`; nil for no limit.
  public var until: String?
  public var span: SourceSpan
}

/// The server of an entity from `servers:`, such as `Draft: none` or `Article: https://other.test/`.
public struct ServerAssignment: Sendable {
  /// The entity. The server also answers for its sub-entities.
  public var entity: EntityName
  /// The URL that addresses of the entity are relative to; nil if no server answers its requests.
  public var baseURL: String?
}

/// A record of `store:`, or of `insert:` in a change.
public struct SeedRecord: Sendable {
  /// The entity of the record itself, which is never abstract.
  public var entity: EntityName
  public var properties: [PropertyAssignment]
  public var span: SourceSpan
}

/// A property and the value that a seed or a `change` step assigns to it.
public struct PropertyAssignment: Sendable {
  /// The assigned value.
  public enum Value: Sendable {
    case attribute(AttributeValue?)
    /// A to-one relationship. Nil clears it.
    case toOne(Located<RecordLabel>?)
    case toMany([Located<RecordLabel>])
  }

  public var name: PropertyName
  public var value: Value
  public var span: SourceSpan
}

/// The label of a record in golden files and expectations, such as `Post/1`, `Counts@User/7` or `Tag~1`.
public struct RecordLabel: RawRepresentable, Hashable, Sendable, Comparable {
  public let rawValue: String
  public init(rawValue: String) { self.rawValue = rawValue }

  // Labels contain keys from responses, which are compared by their Unicode scalars.

  public static func == (left: RecordLabel, right: RecordLabel) -> Bool {
    haveSameScalars(left.rawValue, right.rawValue)
  }

  public func hash(into hasher: inout Hasher) { hasher.combine(scalarsOf: rawValue) }

  public static func < (left: RecordLabel, right: RecordLabel) -> Bool {
    scalarsPrecede(left.rawValue, right.rawValue)
  }

  /// The entity at the start of the label.
  package var entity: EntityName {
    EntityName(String(rawValue.unicodeScalars.prefix { $0 != "/" && $0 != "@" && $0 != "~" }))
  }
}

/// An address with its canned responses.
public struct CannedAddress: Sendable {
  public var address: RequestAddress
  /// The responses, in the order in which they are served.
  public var responses: [CannedResponse]
  /// The address as the author wrote it.
  public var text: String
  public var span: SourceSpan
}

/// A canned response.
public struct CannedResponse: Sendable {
  /// The body of a response.
  public enum Body: Sendable {
    /// The value of `body:`, which is served as compact JSON.
    case value(JSONValue)
    /// The bytes of `bodyText:`, or of the part of `bodyFile:` that `at:` selects. They are served unchanged.
    case bytes([UInt8])
  }

  /// The body; nil for an empty one.
  public var body: Body?
  /// The HTTP status. Default 200.
  public var status: Int
  /// The headers of the response, by name.
  public var headers: [String: String]
  /// The time until the response arrives, by the scenario's clock.
  public var delay: Duration
  /// The failure that replaces the response.
  public var failure: ServerFailure?
  /// The headers that a request must have to receive this response.
  public var requiredHeaders: [String: String]
  /// The body that a request must have to receive this response; nil for any body or none.
  public var requiredBody: StatedBody?
  /// A Boolean value that indicates whether the response may be served any number of times.
  public var isRepeated: Bool
  /// A Boolean value that indicates whether the response may remain unused.
  public var isOptional: Bool
  public var span: SourceSpan

  /// A Boolean value that indicates whether every request to the address can receive this response.
  package var isUnconditional: Bool { requiredHeaders.isEmpty && requiredBody == nil }
}
