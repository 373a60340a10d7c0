public import RecordModel

/// What one step of a scenario brought about.
public struct StepSnapshot: Hashable, Sendable {
  public enum Action: Hashable, Sendable {
    case request(EntityName, method: String, urn: String)
    case fetch(EntityName)
    case change
    case save
  }

  public var action: Action
  /// The records that the step answered, in order; a record may stand here twice.
  public var records: [RecordLabel]
  public var inserted: [RecordLabel]
  /// The properties of each record that changed.
  public var updated: [RecordLabel: [PropertyName]]
  public var deleted: [RecordLabel]
  /// In the order in which they were met.
  public var diagnostics: [DiagnosticSnapshot]
  public var failure: FailureSnapshot?

  public init(
    _ action: Action, records: [RecordLabel] = [], inserted: [RecordLabel] = [],
    updated: [RecordLabel: [PropertyName]] = [:], deleted: [RecordLabel] = [],
    diagnostics: [DiagnosticSnapshot] = [], failure: FailureSnapshot? = nil
  ) {
    self.action = action
    self.records = records
    self.inserted = inserted
    self.updated = updated
    self.deleted = deleted
    self.diagnostics = diagnostics
    self.failure = failure
  }
}

/// Something the engine remarked. Rule: `diagnostics.where`.
public struct DiagnosticSnapshot: Hashable, Sendable {
  /// A name, or a number of the reference as text: `value-type`, `7`.
  public var code: String
  public var entity: EntityName?
  public var property: PropertyName?
  /// A JSON pointer into the response.
  public var pointer: String?
  /// The address of the response.
  public var response: String?

  public init(
    code: String, entity: EntityName? = nil, property: PropertyName? = nil, pointer: String? = nil,
    response: String? = nil
  ) {
    self.code = code
    self.entity = entity
    self.property = property
    self.pointer = pointer
    self.response = response
  }
}

/// How a step failed.
public struct FailureSnapshot: Hashable, Sendable {
  /// A name, or a number of the reference as text: `cancelled`, `701`.
  public var code: String
  /// The HTTP status, where the server answered with one that is a failure.
  public var status: Int?

  public init(code: String, status: Int? = nil) {
    self.code = code
    self.status = status
  }
}
