public import JSONTree
public import RecordModel

/// One scenario: a model, canned responses, steps, and what must come out.
public struct Scenario: Sendable {
  /// The path below the scenarios' folder without extension, `identity/attribute-key`.
  public var name: String
  public var file: SourceFile

  public var title: String
  /// The rules it proves.
  public var covers: [Located<String>]
  public var tags: [String]

  /// Why it is not run.
  public var skip: String?
  public var expectedFailure: ExpectedFailure?

  public var model: ManagedObjectModel
  /// `customise:`; the model is as its representations say already.
  public var customisations: [EntityName: EntityCustomisation]
  /// Where addresses are relative to. Default `https://api.test/`.
  public var baseURL: String
  /// Entities, their sub-entities included, that are requested elsewhere or nowhere.
  public var servers: [ServerAssignment]
  /// Whether a request that meets a session's time-out is made once more, as by an app that signs in again.
  public var restartsAfterSessionTimeout: Bool
  /// How the server divides its answers into pages; nil if it does not.
  public var paging: PagingRule?
  /// The options of requests that have none of their own, by entity.
  public var defaults: [EntityName: StepOptions]
  /// What the record cache keeps; nil if the scenario does not say.
  public var cache: CacheSetting?
  /// The clock's first reading, in seconds since 1970. Default 2000-01-01T00:00:00Z.
  public var now: Double

  /// Records that are there before the first step.
  public var seeds: [SeedRecord]
  public var responses: [CannedAddress]
  public var steps: [Step]
  /// What must be so after the last step.
  public var expectation: Expectation
}

/// A failure that is known: the run is green as long as it fails.
public struct ExpectedFailure: Sendable {
  public var reason: String
  public var issue: String?
  /// A date, `2031-05-01`; from then on the mark itself is an error.
  public var until: String?
  public var span: SourceSpan
}

/// `Draft: none` or `Article: https://other.test/` below `servers:`.
public struct ServerAssignment: Sendable {
  public var entity: EntityName
  /// What addresses of the entity's requests are relative to; nil if no server answers for it.
  public var baseURL: String?
}

/// A record of `store:`.
public struct SeedRecord: Sendable {
  public var entity: EntityName
  public var properties: [PropertyAssignment]
  public var span: SourceSpan
}

/// A property set by a seed or a `change` step.
public struct PropertyAssignment: Sendable {
  public enum Value: Sendable {
    case attribute(AttributeValue?)
    /// Nil clears the relationship.
    case toOne(Located<RecordLabel>?)
    case toMany([Located<RecordLabel>])
  }

  public var name: PropertyName
  public var value: Value
  public var span: SourceSpan
}

/// The name of a record in golden files and expectations, `Post/1`, `Counts@User/7`, `Tag~1`.
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

  /// The entity the label starts with.
  package var entity: EntityName {
    EntityName(String(rawValue.unicodeScalars.prefix { $0 != "/" && $0 != "@" && $0 != "~" }))
  }
}

/// The responses that stand under one address.
public struct CannedAddress: Sendable {
  public var address: RequestAddress
  /// Served in turn.
  public var responses: [CannedResponse]
  /// The address as written.
  public var text: String
  public var span: SourceSpan
}

/// One canned response.
public struct CannedResponse: Sendable {
  public enum Body: Sendable {
    /// `body:`; served as its canonical bytes.
    case value(JSONValue)
    /// `bodyFile:` after `at:`, or `bodyText:`; served as it is.
    case bytes([UInt8])
  }

  /// Nil: an empty body.
  public var body: Body?
  /// 200 unless given.
  public var status: Int
  public var headers: [String: String]
  /// How long the answer takes, by the scenario's clock.
  public var delay: Duration
  /// What goes wrong instead of an answer.
  public var failure: ServerFailure?
  /// The headers of the requests that this response is for; none: it is for all.
  public var requiredHeaders: [String: String]
  /// Whether the response may be served any number of times.
  public var isRepeated: Bool
  /// Whether it is no mistake that nobody asks for it.
  public var isOptional: Bool
  public var span: SourceSpan
}
