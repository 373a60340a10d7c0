import RecordEngine

/// Repeated requests for the whole feed: without a cache, as cache hits, and as revalidations that the server answers
/// with
/// 304. All records are stored already.
struct CacheWorkload: Workload {
  /// The state of the context.
  enum Knowledge: String, CaseIterable {
    /// A new context without records.
    case cold
    /// A context that holds all records of the response.
    case warm
  }

  /// An operation, by its name in the table.
  enum Act: String, CaseIterable {
    /// A request without a cache, which a hit replaces: the response is parsed and populated.
    case request
    /// A request without a cache for the bytes of the last response, which changed nothing.
    case again
    /// A request that caches the whole response.
    case keep
    case hit
    /// A hit in a cache that contains only the metadata of the response.
    case hitPart = "hit-part"
    case revalidation
    case revalidationPart = "revalidation-part"
    /// A request or a hit, followed by reading every attribute of every record.
    case requestRead = "request-read"
    case hitRead = "hit-read"
  }

  let context: BenchmarkInput
  let storage: Storage

  let maximumRounds = 3

  var lines: [Line] { Self.lines(storage) }

  static func lines(_ storage: Storage) -> [Line] {
    Knowledge.allCases.flatMap { knowledge in Act.allCases.map { line(storage, knowledge, $0) } }
  }

  static func line(_ storage: Storage, _ knowledge: Knowledge, _ act: Act) -> Line {
    Line(.cache, "\(storage.rawValue).\(knowledge.rawValue).\(act.rawValue)")
  }

  /// Returns the line of the request without a cache that corresponds to a line.
  static func request(beside line: Line) -> Line? {
    guard let (storage, knowledge, act) = parts(of: line) else { return nil }
    return Self.line(storage, knowledge, act == .hitRead ? .requestRead : .request)
  }

  static func title(of line: Line) -> String? {
    guard let (storage, knowledge, act) = parts(of: line) else { return nil }
    let what =
      switch act {
      case .request: "request: parse and populate"
      case .again: "request: the same bytes again"
      case .keep: "request, whose body is kept"
      case .hit: "hit"
      case .hitPart: "hit, metadata alone is kept"
      case .revalidation: "304"
      case .revalidationPart: "304, metadata alone is kept"
      case .requestRead: "request, all attributes read"
      case .hitRead: "hit, all attributes read"
      }
    return "\(storage.title), \(knowledge.rawValue): \(what)"
  }

  private static func parts(of line: Line) -> (Storage, Knowledge, Act)? {
    let parts = line.part.split(separator: ".").map(String.init)
    guard parts.count == 3, let storage = Storage(rawValue: parts[0]),
      let knowledge = Knowledge(rawValue: parts[1]),
      let act = Act(rawValue: parts[2])
    else { return nil }
    return (storage, knowledge, act)
  }

  func run(chosen: Set<Line>, record: (Line, TimeTaken) -> Void) async throws {
    let populating = try makeEngine()
    _ = try await populating.request(.off)
    // Fills the cache for the hits.
    for part in [false, true] { _ = try await populating.request(.on, part: part) }
    let recognizing = try makeEngine(recognizesRepetition: true)
    for _ in 0..<2 { _ = try await recognizing.request(.off) }
    for knowledge in Knowledge.allCases {
      for act in Act.allCases where chosen.contains(Self.line(storage, knowledge, act)) {
        let engine = act == .again ? recognizing : populating
        if knowledge == .cold { engine.makeCold() } else { try engine.makeWarm() }
        let line = Self.line(storage, knowledge, act)
        record(line, try await measure(act, engine, line))
      }
    }
  }

  private func makeEngine(recognizesRepetition: Bool = false) throws -> CachedEngine {
    var files: (store: String, cache: String)?
    if storage == .sqlite {
      let name = recognizesRepetition ? "repeated" : "cached"
      files = (
        store: try context.folder.newFile("\(name).sqlite"),
        cache: try context.folder.newFile("\(name).cache")
      )
    }
    return try CachedEngine(
      context.feed.bytes, files: files, recognizesRepetition: recognizesRepetition)
  }

  private func measure(_ act: Act, _ engine: CachedEngine, _ line: Line) async throws -> TimeTaken {
    let (wish, part, served): (CachedEngine.Wish, Bool, Served) =
      switch act {
      case .request, .requestRead, .again: (.off, false, .network)
      case .keep: (.on, false, .network)
      case .hit, .hitRead: (.on, false, .cache)
      case .hitPart: (.on, true, .cache)
      case .revalidation: (.checked, false, .revalidated)
      case .revalidationPart: (.checked, true, .revalidated)
      }
    let isRead = act == .requestRead || act == .hitRead
    let (result, duration) = try await Stopwatch.measure {
      let result = try await engine.request(wish, part: part, urn: act == .keep ? line.name : "feed")
      if isRead { _ = engine.read(result.records) }
      return result
    }
    try expect(result.records.count, toBe: context.feed.shape.posts, "records answered", line)
    if isRead {
      let ids = (0..<context.feed.shape.posts).map { Int(FeedPost.id($0)) }
      try expect(engine.read(result.records), toBe: ids.reduce(0, +), "as the sum of all ids", line)
    }
    guard result.served == served, result.metaData != nil || !part, result.responseObject != nil,
      result.diagnostics.isEmpty
    else { throw BenchmarkFailure("\(line.name): answered otherwise, from \(result.served.rawValue)") }
    return duration
  }
}
