import JSONTree
import OrderedCollections
import RecordModel

/// The diagnostics of the population of a response, each kind once and without positions. A debugger that is stricter
/// than the one that accepted the response can judge them. Rule: `cache.isolation`.
struct CachedDiagnostics: Hashable, Sendable {
  private struct Kind: Hashable {
    var code: DiagnosticCode
    var entity: EntityName?
    var property: PropertyName?
  }

  private var kinds: OrderedSet<Kind>

  /// Creates the kinds of the given diagnostics.
  ///
  /// - Parameter diagnostics: the diagnostics before a debugger has judged them.
  init(_ diagnostics: [Diagnostic] = []) {
    kinds = OrderedSet(diagnostics.map { Kind(code: $0.code, entity: $0.entity, property: $0.property) })
  }

  /// Returns a Boolean value that indicates whether the request would have failed with these diagnostics.
  func fail(_ request: PreparedRequest) -> Bool {
    guard let debugger = request.options.debugger, !kinds.isEmpty else { return false }
    let diagnostics = kinds.map {
      Diagnostic(
        $0.code, entity: $0.entity, property: $0.property, response: request.serverRequest.urn,
        message: "reported when the cached response was received")
    }
    return debugger.judge(diagnostics).failing != nil
  }
}

// MARK: - Text

extension CachedDiagnostics {
  /// A JSON array that contains an array of code, entity and property for each kind. Empty if there are no diagnostics.
  var text: String {
    if kinds.isEmpty { return "" }
    let kinds = kinds.map { kind in
      JSONValue.array(
        [kind.code.rawValue, kind.entity?.rawValue, kind.property?.rawValue].map {
          $0.map(JSONValue.string) ?? .null
        })
    }
    return JSONValue.array(kinds).compactText()
  }

  /// Creates the diagnostics of a text, or returns nil if the text is invalid.
  init?(text: String) {
    self.init()
    if text.isEmpty { return }
    guard let root = try? JSONDocument(parsing: Array(text.utf8)).root, root.kind == .array else {
      return nil
    }
    for kind in root.elements {
      let names = kind.kind == .array ? Array(kind.elements) : []
      guard names.count == 3, let code = names[0].string,
        names.allSatisfy({ $0.kind == .string || $0.kind == .null })
      else { return nil }
      kinds.append(
        Kind(
          code: DiagnosticCode(rawValue: code), entity: names[1].string.map(EntityName.init(rawValue:)),
          property: names[2].string.map(PropertyName.init(rawValue:))))
    }
  }
}
