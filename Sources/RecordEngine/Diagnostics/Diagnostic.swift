/// Something the engine noticed about a response: about which entity and property, and where it stands.
///
/// A diagnostic does not fail the request by itself; the one that did is the `primary` of a ``RequestFailure``.
/// Rules: `diagnostics.where`.
public struct Diagnostic: Hashable, Sendable {
  public var code: DiagnosticCode
  public var entity: EntityName?
  public var property: PropertyName?
  /// Where in the response it is; nil where it is about no place.
  public var pointer: JSONPointer?
  /// The other place, where two places disagree.
  public var otherPointer: JSONPointer?
  /// The address of the response.
  public var response: String?
  /// One sentence for people, without the place.
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
  /// `value-type Post.rating /data/0/rating: "high" is no int32`
  public var description: String {
    let subject = [entity?.rawValue, property?.rawValue].compactMap(\.self).joined(separator: ".")
    let location = pointer?.description ?? ""
    return [code.rawValue, subject, location].filter { !$0.isEmpty }.joined(separator: " ") + ": " + message
  }
}
