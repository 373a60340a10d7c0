/// How bad a diagnostic is to a request.
public enum DiagnosticSeverity: Hashable, Sendable {
  /// It fails the request; nothing is saved.
  case failure
  /// It is told with the result.
  case warning
  /// Nobody is told.
  case ignored
}

/// Judges what the engine notices about a response: MMRecordDebugger's place.
///
/// A request brings its own in its options, or the container's judges. What it makes a failure fails the request after
/// the response was populated and before anything of it is saved. What fails a request by itself
/// (``DiagnosticCode/severity``) it is not asked about: nothing lowers that.
///
/// Before a response from the cache answers, it is asked, perhaps more than once, about what was noticed when that came: with
/// code, entity and property, and no place. If it makes a failure of that, the server is asked. Rule: `cache.isolation`.
///
/// ```swift
/// struct StrictAboutPosts: Debugger {
///   func severity(of diagnostic: Diagnostic) -> DiagnosticSeverity {
///     diagnostic.entity == "Post" ? .failure : diagnostic.code.severity
///   }
/// }
/// ```
///
/// Rule: `diagnostics.replace`.
public protocol Debugger: Sendable {
  /// Returns how bad a diagnostic is. It is asked about each that a response comes to, in their order, while nobody else can
  /// save: it must not save, nor wait for a save or a request of the same container.
  ///
  /// Of a response that is saved, it judges only what the response comes to in the store. It is asked again about a response
  /// that is not saved and has to be populated once more, since its context has changed meanwhile.
  func severity(of diagnostic: Diagnostic) -> DiagnosticSeverity
}

/// Judges diagnostics by their codes.
///
/// ```swift
/// options.debugger = CodeDebugger(failOn: [.valueType, .missingPrimaryKey], ignore: [.emptyResultSet])
/// ```
public struct CodeDebugger: Debugger {
  private let severities: [DiagnosticCode: DiagnosticSeverity]

  /// - Parameters:
  ///   - failures: what fails a request, beside what does so anyway.
  ///   - ignored: what nobody is told of; what stands in both is a failure.
  public init(failOn failures: Set<DiagnosticCode> = [], ignore ignored: Set<DiagnosticCode> = []) {
    severities = Dictionary(
      failures.map { ($0, .failure) } + ignored.map { ($0, .ignored) },
      uniquingKeysWith: { first, _ in first })
  }

  public func severity(of diagnostic: Diagnostic) -> DiagnosticSeverity {
    severities[diagnostic.code] ?? diagnostic.code.severity
  }
}

extension Debugger {
  /// The diagnostics without those that nobody is told of, and the first one that is a failure.
  func judge(_ diagnostics: [Diagnostic]) -> (told: [Diagnostic], failing: Diagnostic?) {
    var told: [Diagnostic] = []
    var failing: Diagnostic?
    for diagnostic in diagnostics {
      let severity = diagnostic.code.severity == .failure ? .failure : severity(of: diagnostic)
      if severity == .ignored { continue }
      told.append(diagnostic)
      if severity == .failure, failing == nil { failing = diagnostic }
    }
    return (told, failing)
  }
}
