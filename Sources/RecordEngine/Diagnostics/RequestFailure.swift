/// Why a request failed. Nothing of it has been saved.
///
/// Rules: `diagnostics.all`, `request.failure`.
public struct RequestFailure: Error, Sendable {
  /// What failed the request.
  public var primary: Diagnostic
  /// Everything that was noticed, the primary one included, in order.
  public var diagnostics: [Diagnostic]
  /// The HTTP status, where the server answered with one that is a failure.
  public var status: Int?

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

extension RequestFailure: CustomStringConvertible {
  public var description: String { primary.description }
}
