import RecordModel

/// The limits of the record cache, set by `cache:` of a scenario. A nil limit is the engine's default.
package struct CacheSetting: Hashable, Sendable {
  /// The maximum size in bytes.
  package var maximumSize: Int?
  /// The maximum age of a cached response, whatever its headers say.
  package var maximumAge: Duration?
}

/// The source of an answer, as `served:` names it.
///
/// - `network`: the server's response.
/// - `cache`: a fresh cached response.
/// - `revalidated`: a cached response that the server confirmed.
/// - `stale`: a stale cached response, because the server failed.
package enum ServedFrom: String, Hashable, Sendable, CaseIterable {
  case network, cache, revalidated, stale
}

extension Scenario {
  /// A Boolean value that indicates whether the scenario may cache responses. Hooks may enable caching, and so may
  /// record types if the scenario has `cache:`.
  package var usesCache: Bool {
    if cache != nil || model.entities.contains(where: { $0.isRecordLevelCachingEnabled ?? false }) {
      return true
    }
    return (defaults.values + steps.flatMap(\.options)).contains { $0.isCached ?? false || !$0.hooks.isEmpty }
  }

  /// The `served:` expectations of which at least one answer does not come from the network.
  var expectationsOfCache: [ServedExpectation] {
    (steps.flatMap(\.expectations) + [expectation]).compactMap(\.served).filter { served in
      switch served.answers {
      case .all(let word): word != .network
      case .exactly(let words): words.contains { $0 != .network }
      }
    }
  }
}
