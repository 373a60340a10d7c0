/// A finding about a response, with its entity, its property and its position.
///
/// A diagnostic does not fail the request by itself. The one that did is the ``RequestFailure/primary`` diagnostic of a
/// failure. Rules: `diagnostics.where`.
public struct Diagnostic: Hashable, Sendable {
  /// The kind of the finding.
  public var code: DiagnosticCode
  /// The entity that the diagnostic is about; nil if there is none.
  public var entity: EntityName?
  /// The property that the diagnostic is about; nil if there is none.
  public var property: PropertyName?
  /// The position in the response; nil if the diagnostic is not about a position.
  public var pointer: JSONPointer?
  /// The other position, if two positions conflict.
  public var otherPointer: JSONPointer?
  /// The address of the response.
  public var response: String?
  /// One sentence that describes the finding, without its position.
  public var message: String

  package init(
    _ code: DiagnosticCode, entity: EntityName? = nil, property: PropertyName? = nil,
    pointer: JSONPointer? = nil, otherPointer: JSONPointer? = nil, response: String? = nil, message: String
  ) {
    self.code = code
    self.entity = entity
    self.property = property
    self.pointer = pointer
    self.otherPointer = otherPointer
    self.response = response
    self.message = message
  }
}

extension Diagnostic: CustomStringConvertible {
  /// The code, the subject, the position and the message, such as `missing-primary-key Post /data/0: …`.
  public var description: String {
    let subject = [entity?.rawValue, property?.rawValue].compactMap(\.self).joined(separator: ".")
    let location = pointer?.description ?? ""
    return [code.rawValue, subject, location].filter { !$0.isEmpty }.joined(separator: " ") + ": " + message
  }
}
