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
