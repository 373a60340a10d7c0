import RecordEngine

/// A plain implementation of RFC 9111 for a server like ``ListServer``.
struct ObviousHTTPCache {
  /// The cache directives of a request.
  struct Wish: Hashable {
    var noCache = false
    var noStore = false
    var onlyIfCached = false
    var maxAge: Int?
    var minFresh: Int?
    var maxStale: Int?

    var cacheControl: String? {
      var texts: [String] = []
      if noCache { texts.append("no-cache") }
      if noStore { texts.append("no-store") }
      if onlyIfCached { texts.append("only-if-cached") }
      if let maxAge { texts.append("max-age=\(maxAge)") }
      if let minFresh { texts.append("min-fresh=\(minFresh)") }
      if let maxStale { texts.append("max-stale=\(maxStale)") }
      return texts.isEmpty ? nil : texts.joined(separator: ", ")
    }
  }

  /// A post in the store. A post that is deleted and populated again gets a new number.
  struct Stored: Hashable {
    var post: Int
    var number: Int
  }

  struct Entry {
    var list: Int
    var language: String?
    var records: [Stored]
    var policy: ListServer.Policy
    var tag: String?
    /// The time at which the response was received or last confirmed.
    var time: Int

    /// Returns the age, or nil if the clock was set back.
    func age(_ now: Int) -> Double? { now < time ? nil : Double(now - time + (policy.age ?? 0)) }

    var lifetime: Double {
      if let maxAge = policy.maxAge { return Double(maxAge) }
      if let expires = policy.expires { return Double(expires) }
      guard let modified = policy.modified, modified < time else { return 0 }
      return min(Double(time - modified) / 10, 86_400)
    }

    func fits(_ number: Int, _ language: String?) -> Bool {
      list == number && (!policy.varies || self.language == language)
    }

    var canBeAskedAbout: Bool { tag != nil || policy.modified != nil }

    func isFresh(_ now: Int) -> Bool { age(now).map { $0 < lifetime } ?? false }

    func answers(_ wish: Wish, _ now: Int) -> Bool {
      guard let age = age(now), !policy.has("no-cache"), !wish.noCache else { return false }
      if let maxAge = wish.maxAge, age > Double(maxAge), !(isFresh(now) && policy.has("immutable")) {
        return false
      }
      if let minFresh = wish.minFresh, lifetime - age < Double(minFresh) { return false }
      if isFresh(now) { return true }
      guard let maxStale = wish.maxStale, !policy.has("must-revalidate") else { return false }
      return age - lifetime <= Double(maxStale)
    }

    func mayStandIn(_ wish: Wish, _ now: Int) -> Bool {
      guard !wish.noCache, !policy.has("no-cache"), !policy.has("must-revalidate"), let age = age(now),
        let allowed = policy.staleIfError
      else { return false }
      return age - lifetime <= Double(allowed)
    }

    /// A Boolean value that indicates whether the response was ever fresh, so that a request may accept it as stale.
    var mayAnswerStale: Bool { lifetime > 0 && !policy.has("no-cache") && !policy.has("must-revalidate") }

    /// Returns a Boolean value that indicates whether the response can still be used for some request.
    func isOfUse(_ wish: Wish, _ now: Int) -> Bool {
      canBeAskedAbout || isFresh(now) && !policy.has("no-cache") || mayStandIn(wish, now)
    }
  }

  enum Outcome: Hashable {
    case answer(Served, [Int])
    case failure(status: Int)
  }

  private var entries: [Entry] = []
  /// The posts in the store with their numbers, and the last number that was assigned.
  private var posts: [Int: Int] = [:]
  private var count = 0

  mutating func delete(_ post: Int) { posts[post] = nil }
  mutating func clear() { entries = [] }

  private mutating func save(_ post: Int) -> Stored {
    if posts[post] == nil {
      count += 1
      posts[post] = count
    }
    return Stored(post: post, number: posts[post] ?? 0)
  }

  /// Returns the outcome of a request.
  mutating func request(
    _ number: Int, _ language: String?, _ wish: Wish, _ server: ListServer, now: Int
  ) -> Outcome {
    // Of two entries that were received at the same time, the one that was stored later is used.
    let index = entries.indices.reversed().filter { entries[$0].fits(number, language) }
      .max { entries[$0].time < entries[$1].time }
    let entry = index.map { entries[$0] }
    func stored(_ served: Served) -> Outcome {
      .answer(served, (entry?.records ?? []).filter { posts[$0.post] == $0.number }.map(\.post))
    }

    if let entry, entry.answers(wish, now) { return stored(.cache) }
    if wish.onlyIfCached { return .failure(status: 504) }
    let mayStandIn = entry?.mayStandIn(wish, now) ?? false
    let isDropped = entry.map { !$0.isOfUse(wish, now) } ?? true
    if isDropped, let index { entries.remove(at: index) }
    if server.fails { return mayStandIn ? stored(.stale) : .failure(status: 503) }

    let list = server.list(number)
    if let entry, let index, !isDropped, entry.canBeAskedAbout,
      entry.tag.map({ $0 == list.tag(language) }) ?? (entry.policy.modified == list.policy.modified),
      entry.tag == list.tag(language)
    {
      if !wish.noStore {
        entries.remove(at: index)
        var confirmed = entry
        (confirmed.time, confirmed.language, confirmed.policy) = (now, language, list.policy)
        entries.append(confirmed)
      }
      return stored(.revalidated)
    }
    if !isDropped, let index { entries.remove(at: index) }
    let new = Entry(
      list: number, language: language, records: list.ids(language).map { save($0) }, policy: list.policy,
      tag: list.tag(language), time: now)
    if !wish.noStore, !list.policy.has("no-store"), new.isOfUse(Wish(), now) || new.mayAnswerStale {
      entries.removeAll { $0.fits(number, language) }
      entries.append(new)
    }
    return .answer(.network, list.ids(language))
  }
}
