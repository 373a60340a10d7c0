import JSONTree
import OrderedCollections
import RecordModel

/// What was noticed about a response when it was populated: each kind once, without its places. It is enough for a debugger
/// that is stricter than the one that let the response pass. Rule: `cache.isolation`.
struct CachedDiagnostics: Hashable, Sendable {
  private struct Kind: Hashable {
    var code: DiagnosticCode
    var entity: EntityName?
    var property: PropertyName?
  }

  private var kinds: OrderedSet<Kind>

  /// - Parameter diagnostics: as they were before anybody judged them.
  init(_ diagnostics: [Diagnostic] = []) {
    kinds = OrderedSet(diagnostics.map { Kind(code: $0.code, entity: $0.entity, property: $0.property) })
  }

  /// Whether the response would have failed the request.
  func fail(_ request: PreparedRequest) -> Bool {
    guard let debugger = request.options.debugger, !kinds.isEmpty else { return false }
    let diagnostics = kinds.map {
      Diagnostic(
        $0.code, entity: $0.entity, property: $0.property, response: request.serverRequest.urn,
        message: "it was noticed when the response came that is cached")
    }
    return debugger.judge(diagnostics).failing != nil
  }
}

// MARK: - As text

extension CachedDiagnostics {
  /// An array of arrays of code, entity and property; empty if nothing was noticed.
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

  /// Nil for a text that is none of these.
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
