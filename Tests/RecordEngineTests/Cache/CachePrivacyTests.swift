import Foundation
import RecordModel
import Testing

@testable import RecordEngine

/// Tests for access to the contents of the cache file. Rule: `cache.plain`.
@Suite struct CachePrivacyTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func open() throws -> RecordCache {
    try RecordCache(url: folder.file(), now: TestClock().now)
  }

  private func permissions(_ name: String) throws -> Int? {
    let attributes = try FileManager.default.attributesOfItem(atPath: folder.file(name).path)
    return attributes[.posixPermissions] as? Int
  }

  /// Stores one entry, and closes the file.
  private func fill() throws {
    let cache = try open()
    cache.keep(.test([1], body: "a secret of a body"), for: .test("a-secret-address"))
  }

  @Test func onlyTheOwnerCanReadIt() throws {
    let former = umask(0)
    defer { umask(former) }
    try fill()
    let cache = try open()
    cache.keep(.test(), for: .test("a"))
    #expect(try permissions("test.store") == 0o600)
    #expect(try permissions("test.store-wal") == 0o600)
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: folder.url.path).sorted() == [
        "test.store", "test.store-wal",
      ])
  }

  @Test func whatOthersCouldReadTheyCannotAnyMore() throws {
    try fill()
    for name in ["test.store", "test.store-journal"] {
      if name != "test.store" { try Data().write(to: folder.file(name)) }
      try FileManager.default.setAttributes([.posixPermissions: 0o666], ofItemAtPath: folder.file(name).path)
    }
    let cache = try open()
    #expect(try permissions("test.store") == 0o600)
    #expect(cache.entries(for: .test("a-secret-address")).count == 1)
  }

  /// Trimming removes the data from the log, too, whether entries are old or unused.
  @Test(arguments: [true, false]) func whatIsTrimmedIsGone(isOld: Bool) throws {
    try fill()
    let limits =
      isOld ? RecordCache.Limits(maximumAge: .seconds(1)) : RecordCache.Limits(maximumSize: 0)
    let clock = TestClock()
    clock.set(60)
    let cache = try RecordCache(url: folder.file(), limits: limits, now: clock.now)
    _ = try cache.trim()
    #expect(cache.size == 0)
    let log = try Data(contentsOf: folder.file("test.store-wal"))
    #expect(log.isEmpty)
  }

  /// The file is not encrypted. It no longer contains removed responses.
  @Test func itIsNotEncryptedAndWhatIsRemovedIsGone() throws {
    try fill()
    let secrets = ["a secret of a body", "a-secret-address"]
    let bytes = try Data(contentsOf: folder.file())
    for secret in secrets { #expect(bytes.range(of: Data(secret.utf8)) != nil) }
    let cache = try open()
    try cache.removeAll()
    for name in try FileManager.default.contentsOfDirectory(atPath: folder.url.path) {
      let bytes = try Data(contentsOf: folder.file(name))
      for secret in secrets { #expect(bytes.range(of: Data(secret.utf8)) == nil, "\(name)") }
    }
  }
}
