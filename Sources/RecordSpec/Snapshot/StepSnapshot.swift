public import RecordModel

/// What one step of a scenario brought about.
public struct StepSnapshot: Hashable, Sendable {
  public enum Action: Hashable, Sendable {
    /// With a name, the request is only sent; the step that awaits it has what came of it.
    case request(EntityName, method: String, urn: String, name: String? = nil)
    case await(String)
    case fetch(EntityName)
    case change
    case save
    case rollback
    case reopen
    case tweak(isNone: Bool)
    case serialize(url: String)
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

  public init(
    code: String, number: Int? = nil, entity: EntityName? = nil, property: PropertyName? = nil,
    pointer: String? = nil, otherPointer: String? = nil, response: String? = nil
  ) {
    self.code = code
    self.number = number
    self.entity = entity
    self.property = property
    self.pointer = pointer
    self.otherPointer = otherPointer
    self.response = response
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

  public init(code: String, number: Int? = nil, status: Int? = nil) {
    self.code = code
    self.number = number
    self.status = status
  }
}
