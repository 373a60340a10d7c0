import Foundation
import Testing

@testable import RecordEngine

/// A file that is removed, or replaced, while a cache uses it. Rule: `cache.damaged`.
@Suite struct MovedCacheFileTests {
  private static let now = TestClock().now
  private let folder: TemporaryFolder
  private var url: URL { folder.file("cache") }

  init() throws { folder = try TemporaryFolder() }

  private func open(_ name: String = "cache") throws -> RecordCache {
    try RecordCache(url: folder.file(name), now: Self.now)
  }

  private func fill(_ cache: RecordCache, _ ids: ClosedRange<Int> = 1...9) {
    for id in ids { cache.keep(.test([Int64(id)], body: "[\(id)]"), for: .test("\(id)")) }
  }

  private func kept(_ cache: RecordCache) -> [Int] {
    (1...99).filter { id in
      let found = cache.entries(for: .test("\(id)"))
      #expect(found.isEmpty || found == [.test([Int64(id)], body: "[\(id)]")])
      return !found.isEmpty
    }
  }

  private func remove(_ suffixes: [String]) throws {
    for suffix in suffixes { try FileManager.default.removeItem(at: folder.file("cache\(suffix)")) }
  }

  private static let removed = [["", "-wal"], [""]]

  /// With its log, and without.
  @Test(arguments: removed) func aFileThatIsRemoved(suffixes: [String]) throws {
    let cache = try open()
    fill(cache)
    #expect(cache.size > 0 && kept(cache) == Array(1...9))
    try remove(suffixes)
    #expect(cache.size == 0)
    #expect(cache.takeDiagnostics() == [])
    #expect(kept(cache) == [])
    let diagnostics = cache.takeDiagnostics()
    #expect(diagnostics.map(\.code) == [.cacheRebuilt])
    #expect(
      diagnostics.first?.message
        == "The record cache '\(url.path)' could not be used (its file was removed or replaced) and is made anew; what it held is gone"
    )
    // What is kept from now on is there after a restart.
    fill(cache, 5...6)
    #expect(kept(cache) == [5, 6] && cache.takeDiagnostics() == [])
  }

  @Test(arguments: removed) func whatIsKeptAfterwardsIsThereAfterARestart(suffixes: [String]) throws {
    try {
      let cache = try open()
      fill(cache)
      try remove(suffixes)
      fill(cache, 5...6)
    }()
    let cache = try open()
    #expect(kept(cache) == [5, 6] && cache.takeDiagnostics() == [])
  }

  /// Removing is writing as well.
  @Test func whoClearsOrTrimsAFileThatIsRemoved() throws {
    let cache = try open()
    let uses: [(RecordCache) throws -> Void] = [
      { try $0.removeAll() }, { try $0.trim() }, { try $0.forget(url: "1") }, { $0.remove(url: "1") },
    ]
    for use in uses {
      fill(cache)
      try remove(["", "-wal"])
      try use(cache)
      #expect(cache.takeDiagnostics().map(\.code) == [.cacheRebuilt])
      #expect(kept(cache) == [] && FileManager.default.fileExists(atPath: url.path))
    }
  }

  /// What somebody has of it they keep, and nothing of the other file is taken for it.
  @Test func anAnswerOfAFileThatIsRemoved() throws {
    let cache = try open()
    fill(cache, 1...2)
    let row = try #require(cache.rows(for: .test("1"), generation: .test).first)
    let body = try #require(cache.body(of: row))
    let later = try #require(cache.rows(for: .test("2"), generation: .test).first)
    try remove(["", "-wal"])
    fill(cache, 7...9)
    #expect(body.root?.value == [1])
    // Numbers of entries begin anew in a new file.
    let others = try (7...9).map { try #require(cache.rows(for: .test("\($0)"), generation: .test).first) }
    #expect(others.map(\.id).contains(later.id))
    #expect(cache.body(of: later) == nil)
    cache.touch(later)
    cache.freshen(later, later.response)
    cache.remove(later)
    #expect(kept(cache) == [7, 8, 9])
  }

  /// The log of the former file, which may stand beside it yet, is none of the new one's.
  @Test(arguments: [true, false]) func aFileThatIsReplaced(hasLog: Bool) throws {
    try { fill(try open("other"), 20...40) }()
    let cache = try open()
    fill(cache)
    if !hasLog { try remove(["-wal"]) }
    try remove([""])
    try FileManager.default.moveItem(at: folder.file("other"), to: url)
    #expect(kept(cache) == Array(20...40))
    #expect(cache.takeDiagnostics().map(\.code) == [.cacheRebuilt])
    fill(cache, 50...50)
    #expect(kept(cache) == Array(20...40) + [50] && cache.takeDiagnostics() == [])
  }

  @Test func aFileOfOthersIsNotTouched() throws {
    let cache = try open()
    fill(cache)
    try remove(["", "-wal"])
    let diary = Data("Dear diary,\n".utf8)
    try diary.write(to: url)
    #expect(kept(cache) == [])
    fill(cache)
    #expect(cache.takeDiagnostics().map(\.code) == [.cacheUnavailable])
    #expect(throws: RecordCacheError.self) { try cache.removeAll() }
    #expect(try Data(contentsOf: url) == diary)
    // And it comes back.
    try remove([""])
    fill(cache)
    #expect(kept(cache) == Array(1...9) && cache.takeDiagnostics() == [])
  }

  @Test func aFolderThatIsRemoved() throws {
    try FileManager.default.createDirectory(at: folder.file("caches"), withIntermediateDirectories: false)
    let cache = try open("caches/cache")
    fill(cache)
    try FileManager.default.removeItem(at: folder.file("caches"))
    #expect(kept(cache) == [])
    #expect(cache.takeDiagnostics().map(\.code) == [.cacheUnavailable])
  }

  /// Whoever ends leaves alone what stands where its file was.
  @Test func closingWhatHasMovedTouchesNothing() throws {
    var cache: RecordCache? = try open()
    cache.map { fill($0) }
    try FileManager.default.moveItem(at: url, to: folder.file("former"))
    try remove(["-wal"])
    let other = try open()
    fill(other, 20...21)
    cache = nil
    #expect(kept(other) == [20, 21] && other.takeDiagnostics() == [])
  }
}
