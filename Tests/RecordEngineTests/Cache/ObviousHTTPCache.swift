import RecordEngine

/// What RFC 9111 says of a server like ``ListServer``, as plainly as it can be said.
struct ObviousHTTPCache {
  struct Entry {
    var list: Int
    var language: String?
    var records: [Stored]
    var policy: ListServer.Policy
    var tag: String?
    /// When it came, or was last confirmed.
    var time: Int

    /// A clock that was set back tells no age.
    func age(_ now: Int) -> Int? { now < time ? nil : now - time }

    func isFresh(_ now: Int) -> Bool {
      guard !policy.has("no-cache"), let age = age(now) else { return false }
      return age < policy.maxAge ?? 0
    }

    func mayStandIn(_ now: Int) -> Bool {
      guard !policy.has("no-cache"), !policy.has("must-revalidate"), let age = age(now),
        let allowed = policy.staleIfError
      else { return false }
      return age - (policy.maxAge ?? 0) <= allowed
    }
  }

  /// A post of the store. One that is deleted and comes again is another one.
  struct Stored: Hashable {
    var post: Int
    var number: Int
  }

  enum Outcome: Hashable {
    case answer(Served, [Int])
    case failure
  }

  private var entries: [Entry] = []
  /// The posts that the store has, and how many it has ever had.
  private var posts: [Int: Int] = [:]
  private var count = 0

  mutating func delete(_ post: Int) { posts[post] = nil }

  private mutating func save(_ post: Int) -> Stored {
    if posts[post] == nil {
      count += 1
      posts[post] = count
    }
    return Stored(post: post, number: posts[post] ?? 0)
  }

  mutating func clear() { entries = [] }

  /// What a request comes to.
  mutating func request(_ number: Int, _ language: String?, _ server: ListServer, now: Int) -> Outcome {
    let fitting = entries.filter { $0.list == number && (!$0.policy.varies || $0.language == language) }
    // Of two that came at the same time, the later one.
    let entry = fitting.reversed().max { $0.time < $1.time }
    func stored(_ served: Served) -> Outcome {
      .answer(served, (entry?.records ?? []).filter { posts[$0.post] == $0.number }.map(\.post))
    }
    func drop(_ entry: Entry?) {
      guard let entry else { return }
      entries.removeAll {
        $0.list == entry.list && $0.time == entry.time && $0.language == entry.language
          && $0.policy == entry.policy
      }
    }

    if let entry, entry.isFresh(now) { return stored(.cache) }
    let mayStandIn = entry?.mayStandIn(now) ?? false
    if entry?.tag == nil, !mayStandIn { drop(entry) }
    if server.fails { return mayStandIn ? stored(.stale) : .failure }

    let list = server.list(number)
    if let entry, let tag = entry.tag, tag == list.tag(language) {
      drop(entry)
      var confirmed = entry
      confirmed.time = now
      entries.append(confirmed)
      return stored(.revalidated)
    }
    let new = Entry(
      list: number, language: language, records: list.ids(language).map { save($0) }, policy: list.policy, tag: list.tag(language),
      time: now)
    if !list.policy.has("no-store"), new.tag != nil || new.isFresh(now) || new.mayStandIn(now) {
      entries.removeAll { $0.list == number && (!$0.policy.varies || $0.language == language) }
      entries.append(new)
    } else {
      drop(entry)
    }
    return .answer(.network, list.ids(language))
  }
}
