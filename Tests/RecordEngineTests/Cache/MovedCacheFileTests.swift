import Foundation
import Testing

@testable import RecordEngine

/// Tests for a file that is removed or replaced while a cache uses it. Rule: `cache.damaged`.
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

  /// The log is removed too, or stays.
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
        == "the record cache '\(url.path)' could not be used (its file was removed or replaced) and was recreated; its content is lost"
    )
    // The cache works again with a new file.
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

  /// Removing and trimming also notice that the file is missing.
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

  /// A body that has been read stays valid, and rows of the removed file are not confused with entries of the new one.
  @Test func anAnswerOfAFileThatIsRemoved() throws {
    let cache = try open()
    fill(cache, 1...2)
    let row = try #require(cache.rows(for: .test("1"), generation: .test).first)
    let body = try #require(cache.body(of: row))
    let later = try #require(cache.rows(for: .test("2"), generation: .test).first)
    try remove(["", "-wal"])
    fill(cache, 7...9)
    #expect(body.root?.value == [1])
    // A new file assigns the same entry numbers again.
    let others = try (7...9).map { try #require(cache.rows(for: .test("\($0)"), generation: .test).first) }
    #expect(others.map(\.id).contains(later.id))
    #expect(cache.body(of: later) == nil)
    cache.touch(later)
    cache.freshen(later, later.response)
    cache.remove(later)
    #expect(kept(cache) == [7, 8, 9])
  }

  /// The log of the old file may still exist. It is not applied to the new file.
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
    // The cache works again after the foreign file is removed.
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

  /// Closing a cache does not change the file that has replaced its own.
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
