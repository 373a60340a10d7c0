public import JSONTree

/// Why a request failed. Nothing of it has been saved.
///
/// ```swift
/// } catch let failure as RequestFailure {
///   print(failure)  // save-error Post.title /data/0: the required 'title' is missing
///   if let dictionary = failure.recordDictionary { print(dictionary.value.canonicalText()) }
/// }
/// ```
///
/// Rules: `diagnostics.all`, `request.failure`.
public struct RequestFailure: Error, Sendable {
  /// What failed the request: the first one that does.
  public var primary: Diagnostic
  /// Everything that was noticed, the primary one included, in order.
  public var diagnostics: [Diagnostic]

  /// The HTTP status, where the server answered with one that is a failure. Rule: `request.failure`.
  public var status: Int?
  /// The headers of that answer, with names as the server has written them; ``header(_:)`` finds them in any case.
  public var headers: [String: String] = [:]
  /// The response object; nil if there is none: no answer, an empty body, or one that is no JSON.
  public var responseObject: JSONNode?
  /// The body as text, where it is no JSON or can be no records, or belongs to a status that is a failure. What is not UTF-8
  /// has U+FFFD in its place.
  public var responseText: String?
  /// The entity whose records were asked for; nil if there is none in the model.
  public var initialEntity: EntityName?
  /// The name of the record type of the entity that the primary diagnostic is about, or else of the initial entity.
  public var recordType: String?
  /// Where in the response object the items were looked for.
  public var keyPathForResponseObject: MappingPath?
  /// The dictionary of the record that the primary diagnostic is about; which property of it, the diagnostic says.
  public var recordDictionary: JSONNode?
  /// Where the response and the model do not fit each other; nil unless the options of the request ask for it and there is
  /// a response that was to become records. Rule: `diagnostics.drift`.
  public var drift: DriftReport?
  /// The name of the type of the server that was asked.
  public var server: String?

  package init(_ primary: Diagnostic, diagnostics: [Diagnostic] = []) {
    self.primary = primary
    self.diagnostics = diagnostics + [primary]
  }

  /// A failure for several reasons, the first of which is the primary one.
  package init(_ reasons: [Diagnostic], before: [Diagnostic] = []) {
    primary = reasons.first ?? Diagnostic(.unknown, message: "the request failed for no known reason")
    diagnostics = before + reasons
  }
}

extension RequestFailure {
  /// The value of a header of the answer, whose name may be written in any case.
  public func header(_ name: String) -> String? { headers.header(name) }

  /// The failure with what was noticed before it.
  func following(_ noticed: [Diagnostic]) -> RequestFailure {
    var failure = self
    failure.diagnostics = noticed + diagnostics
    return failure
  }
}

extension RequestFailure: CustomStringConvertible {
  public var description: String { primary.description }
}
