import RecordModel

/// `cache:` of a scenario: how much the record cache keeps. Nil: the engine's default.
public struct CacheSetting: Hashable, Sendable {
  /// In bytes.
  public var maximumSize: Int?
  public var maximumAge: Duration?
}

/// Where an answer came from: what `served:` says.
public enum ServedFrom: String, Hashable, Sendable, CaseIterable {
  case network, cache, revalidated, stale
}

extension Scenario {
  /// Whether anything in it may be cached. Hooks may turn caching on, and so may record types where the scenario has
  /// `cache:`.
  var usesCache: Bool {
    if cache != nil || model.entities.contains(where: { $0.isRecordLevelCachingEnabled ?? false }) {
      return true
    }
    return (defaults.values + steps.flatMap(\.options)).contains { $0.isCached ?? false || !$0.hooks.isEmpty }
  }

  /// What is expected to come from a cache.
  var expectationsOfCache: [ServedExpectation] {
    (steps.flatMap(\.expectations) + [expectation]).compactMap(\.served).filter { served in
      switch served.answers {
      case .all(let word): word != .network
      case .exactly(let words): words.contains { $0 != .network }
      }
    }
  }
}
