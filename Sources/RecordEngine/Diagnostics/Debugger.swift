/// The effect of a diagnostic on its request.
public enum DiagnosticSeverity: Hashable, Sendable {
  /// A severity that fails the request. Nothing is saved.
  case failure
  /// A severity that is reported with the result.
  case warning
  /// A severity that is not reported.
  case ignored
}

/// A type that determines the severity of diagnostics. It corresponds to MMRecordDebugger.
///
/// A debugger in the options of a request applies to that request, and the debugger of the container to all others. If
/// it returns `failure`, the request fails after its response was populated and before anything is saved. A debugger is
/// not called for the codes that always fail a request (``DiagnosticCode/severity``), so it cannot lower their
/// severity.
///
/// Before a cached response is used, the debugger judges the diagnostics of the original response, possibly more than
/// once. They have a code, an entity and a property, but no position. If the debugger returns `failure`, the server is
/// asked. Rule: `cache.isolation`.
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
  /// Returns the severity of a diagnostic.
  ///
  /// It is called for each diagnostic of a response, in their order, while no other code can save. It must not save,
  /// and must not wait for a save or a request of the same container.
  ///
  /// For a response that is saved, it is called only for the diagnostics of the population over the store. For a
  /// response that is not saved, it is called again if the response is populated again because its context has changed.
  func severity(of diagnostic: Diagnostic) -> DiagnosticSeverity
}

/// A debugger that determines the severity of a diagnostic by its code.
///
/// ```swift
/// options.debugger = CodeDebugger(failOn: [.valueType, .missingPrimaryKey], ignore: [.emptyResultSet])
/// ```
public struct CodeDebugger: Debugger {
  private let severities: [DiagnosticCode: DiagnosticSeverity]

  /// Creates a debugger.
  ///
  /// - Parameters:
  ///   - failures: the codes that fail a request, in addition to those that always do.
  ///   - ignored: the codes that are not reported. A code in both sets fails the request.
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
  /// Returns the diagnostics that are not ignored, and the first one that fails the request.
  func judge(_ diagnostics: [Diagnostic]) -> (reported: [Diagnostic], failing: Diagnostic?) {
    var reported: [Diagnostic] = []
    var failing: Diagnostic?
    for diagnostic in diagnostics {
      let severity = diagnostic.code.severity == .failure ? .failure : severity(of: diagnostic)
      if severity == .ignored { continue }
      reported.append(diagnostic)
      if severity == .failure, failing == nil { failing = diagnostic }
    }
    return (reported, failing)
  }
}
