public import JSONTree

/// An error with the reasons why a request failed. Nothing of the response has been saved.
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
  /// The first diagnostic that failed the request.
  public var primary: Diagnostic
  /// All diagnostics in order, including the primary one.
  public var diagnostics: [Diagnostic]

  /// The HTTP status, if the server responded with one that fails the request. Rule: `request.failure`.
  public var status: Int?
  /// The headers of that response, with names as the server sent them. ``header(_:)`` finds a header in any letter
  /// case.
  public var headers: [String: String] = [:]
  /// The response object; nil if there is no response, or its body is empty or not JSON.
  public var responseObject: JSONNode?
  /// The body as text, if it is not JSON, cannot become records, or belongs to a status that fails the request. Invalid
  /// UTF-8 is replaced by U+FFFD.
  public var responseText: String?
  /// The entity of the requested records; nil if the model does not have it.
  public var initialEntity: EntityName?
  /// The name of the record type for the entity of the primary diagnostic, or else for the initial entity.
  public var recordType: String?
  /// The key path in the response object at which the items were expected.
  public var keyPathForResponseObject: MappingPath?
  /// The dictionary of the record that the primary diagnostic is about. The diagnostic names the property.
  public var recordDictionary: JSONNode?
  /// The differences between the response and the model; nil unless the options of the request ask for them and there
  /// is a response to populate. Rule: `diagnostics.drift`.
  public var drift: DriftReport?
  /// The name of the type of the server.
  public var server: String?
  /// The mark by which the server recognizes the response; nil for a response without one, and if there was no response.
  package var mark: Int?

  package init(_ primary: Diagnostic, diagnostics: [Diagnostic] = []) {
    self.primary = primary
    self.diagnostics = diagnostics + [primary]
  }

  /// Creates a failure with several reasons, the first of which is the primary diagnostic.
  package init(_ reasons: [Diagnostic], before: [Diagnostic] = []) {
    primary = reasons.first ?? Diagnostic(.unknown, message: "the request failed for an unknown reason")
    diagnostics = before + reasons
  }
}

extension RequestFailure {
  /// Returns the value of a header of the response. The name can have any letter case.
  public func header(_ name: String) -> String? { headers.header(name) }

  /// Returns the failure with earlier diagnostics in front of its own.
  func following(_ noticed: [Diagnostic]) -> RequestFailure {
    var failure = self
    failure.diagnostics = noticed + diagnostics
    return failure
  }
}

extension RequestFailure: CustomStringConvertible {
  public var description: String { primary.description }
}
