import Foundation
import JSONTree
import RecordEngine

@testable import RecordModel

/// Predicates: the description of a predicate parses to an equal one, and both stores find the same records by it.
struct PredicateTarget: FuzzTarget {
  private let document: JSONDocument
  private let memory: ManagedObjectContext
  private let file: ManagedObjectContext

  init() throws {
    let text =
      #"{"id":"1","text":"Hello","likes":7,"price":9.95,"isDraft":true,"date":"2001-01-01T00:00:00Z","#
      + #""user":{"id":1,"name":"Ada"},"tags":[{"text":"swift"},{"text":null},[1,[2]]],"extra":{"k":[]}}"#
    document = try JSONDocument(parsing: Array(text.utf8))
    let url = FileManager.default.temporaryDirectory.appendingPathComponent("predicate.store")
    try? FileManager.default.removeItem(at: url)
    memory = try PersistentContainer(model: World.model()).makeContext()
    file = try PersistentContainer(model: World.model(), configuration: .init(store: .file(url)))
      .makeContext()
    for context in [memory, file] { try World.fill(context) }
  }

  func check(_ input: [UInt8]) {
    let text = String(decoding: input, as: UTF8.self)
    if text.utf8.contains(UInt8(ascii: "%")) { checkPlaceholders(text) }
    let predicate: RecordPredicate
    do throws(PredicateSyntaxError) {
      predicate = try RecordPredicate(text)
    } catch {
      let count = text.unicodeScalars.count
      expect(error.range.lowerBound >= 0 && error.range.upperBound <= count, "\(error.range) of \(count)")
      expect(!error.message.isEmpty, "nothing is said about the error")
      return
    }
    let written = predicate.tree.description
    let again = expectNoError("the description '\(written)' is no predicate") { try RecordPredicate(written) }
    expect(again.tree == predicate.tree, "'\(written)' is read as '\(again.tree)'")
    for keyPath in predicate.keyPaths {
      expect(keyPath.range.upperBound <= text.unicodeScalars.count, "a key path is at \(keyPath.range)")
    }
    expect(
      predicate.matches(document.root) == again.matches(document.root), "'\(written)' decides otherwise")
    for entity: EntityName in ["Post", "User", "Admin", "Tag"] {
      let request = RecordFetchRequest(entity, predicate: predicate)
      let (first, second) = (Self.answer(request, memory), Self.answer(request, file))
      expect(first == second, "\(entity) in memory: \(first), in a file: \(second)")
    }
  }

  private static func answer(_ request: RecordFetchRequest, _ context: ManagedObjectContext) -> String {
    do {
      let records = try context.fetch(request)
      let count = try context.count(for: request)
      expect(count == records.count, "\(count) are counted, and \(records.count) found")
      return records.map { "\($0.recordID)" }.joined(separator: " ")
    } catch {
      return "\(error)"
    }
  }

  private func checkPlaceholders(_ text: String) {
    let values: [PredicateArgument] = [
      .value(.string("a\"b' %@ \\")), .keyPath(["user", "na.me", "ANY"]),
      .list([.integer(1), .double(-0.5)]),
      .value(nil), .value(.date(Date(timeIntervalSinceReferenceDate: 0.25))),
    ]
    for count in 0...values.count {
      guard let predicate = try? RecordPredicate(text, arguments: Array(values.prefix(count))) else {
        continue
      }
      _ = predicate.matches(document.root)
    }
  }
}
