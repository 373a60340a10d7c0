import JSONTree
import RecordModel
import TestSupport
import Testing

@testable import RecordSpec
@testable import RecordSpecCommand
@testable import ScenarioFormat
@testable import ScenarioReport

/// Tests for models that are inferred from responses.
struct InferenceTests {
  private func model(_ responses: (url: String, json: String)...) throws -> String {
    let groups = try responses.map { response in
      let json = try JSONDocument(parsing: Array(response.json.utf8)).root.value
      return try #require(ItemLocation(in: json, url: "https://api.test/" + response.url))
    }
    let text = try InferredModel(groups).text
    let model = try #require(ModelSource.model(ofText: text), "\(text)")
    // Without the comments.
    return ModelExport(model).text
  }

  /// Different records may have the same value of such a key.
  @Test(arguments: ["url", "href", "name", "number"])
  func aKeyThatMayNotIdentifyIsAWeakGuess(key: String) throws {
    let value = { (number: Int) in key == "number" ? "\(number)" : "\"v\(number)\"" }
    func guesses(hasIdentifier: Bool) throws -> [WeakGuess] {
      let items = (1...2).map { number in
        let identifier = hasIdentifier ? "\"id\": \"x\(number)\", " : ""
        return "{\(identifier)\"\(key)\": \(value(number)), \"pages\": \(number)}"
      }
      let json = try JSONDocument(parsing: Array("[\(items.joined(separator: ", "))]".utf8)).root.value
      let location = try #require(ItemLocation(in: json, url: "https://api.test/books"))
      return try InferredModel([location]).weakGuesses
    }
    let reason = "the primary key is '\(key)', because no identifier was found"
    #expect(try guesses(hasIdentifier: false) == [WeakGuess(reason: reason, subjects: ["Book"])])
    #expect(try guesses(hasIdentifier: true).isEmpty)
  }

  @Test func namesTypesAndKeysAreInferred() throws {
    let text = try model(
      (
        "v1/books",
        #"""
        [{"isbn": "a-1", "page_count": 210, "price": 9.5, "isNew": true, "published": "2031-02-03", "seen_at": 1900000000,
          "big": 3000000000, "author": {"id": 7, "name": "x"}, "tags": ["a"],
          "chapters": [{"title": "x"}], "stats": {"views": 1}},
         {"isbn": "a-2", "page_count": null, "price": 1, "isNew": "no", "published": "2031-02-04", "seen_at": null,
          "big": 1, "author": 7, "tags": [], "chapters": [], "stats": {"views": 2}}]
        """#
      ))
    #expect(
      text == """
        dateFormat: iso8601
        entities:
          Book:
            primaryKey: isbn
            attributes:
              isbn: string
              pageCount: {type: int32, from: page_count}
              price: double
              isNew: string
              published: date
              seenAt: {type: date, from: seen_at}
              big: int64
              tags: transformable
            relationships:
              author: {to: Author, inverse: books}
              chapters: {toMany: Chapter, inverse: book, deleteRule: cascade, assignment: replace}
              stats: {to: Stat, inverse: book, deleteRule: cascade}
          Author:
            primaryKey: id
            attributes: {id: int64, name: string}
            relationships:
              books: {toMany: Book, inverse: author}
          Chapter:
            attributes: {title: string}
            relationships:
              book: {to: Book, inverse: chapters}
          Stat:
            primaryKey: book
            attributes: {views: int32}
            relationships:
              book: {to: Book, inverse: stats}

        """, "\(text)")
  }

  @Test func equalObjectsUnderOtherKeysAreOneEntity() throws {
    let user = #"{"id": 7, "login": "a", "url": "u", "type": "U"}"#
    let text = try model(
      (
        "issues",
        #"[{"id": 1, "user": \#(user), "assignee": \#(user), "brand": {"id": 7, "name": "a"}, "shop": {"id": 7, "name": "b"}}]"#
      ))
    #expect(text.contains("user: {to: User, inverse: issues}"))
    #expect(text.contains("assignee: {to: User, inverse: issuesAsAssignee}"))
    // Too few keys to be sure that they are the same.
    #expect(text.contains("  Brand:\n") && text.contains("  Shop:\n"))
  }

  /// The keys of an object in another object are often fewer than, and partly other than, those of the object itself.
  @Test(arguments: [
    // One set of keys contains the other.
    (#"{"id": 7, "login": "a"}"#, #"{"id": 8, "login": "b", "name": "B", "bio": "x", "town": "y"}"#, nil),
    // Three keys and half of them are common.
    (
      #"{"id": 7, "login": "a", "kind": "U", "rank": 1}"#,
      #"{"id": 8, "login": "b", "kind": "U", "name": "B", "bio": "x", "town": "y", "size": 2, "born": 3}"#,
      "# guessed: the same entity as the objects of the key 'user', by 3 common keys"
    ),
    // The same record.
    (
      #"{"id": 7, "login": "a", "rank": 1, "x": 1, "y": 1}"#,
      #"{"id": 7, "login": "a", "name": "B", "bio": "x", "town": "y", "size": 2, "born": 3}"#,
      "# guessed: the same entity as the objects of the key 'user', by 2 common keys"
    ),
    // Another key is common to all.
    (#"{"login": "a", "rank": 1}"#, #"{"id": 8, "login": "b", "rank": 2, "name": "B"}"#, nil),
  ])
  func objectsWithPartlyOtherKeysAreOneEntity(inner: String, other: String, comment: String?) throws {
    let texts = try [
      [("issues", #"[{"id": 1, "user": \#(inner)}]"#), ("users", "[\(other)]")],
      [("users", "[\(other)]"), ("issues", #"[{"id": 1, "user": \#(inner)}]"#)],
    ].map { responses in
      try InferredModel(
        responses.map { url, json in
          try #require(
            ItemLocation(
              in: JSONDocument(parsing: Array(json.utf8)).root.value, url: "https://api.test/" + url))
        }
      ).text
    }
    for text in texts {
      #expect(text.contains("  User:\n") && !text.contains("User2"), "\(text)")
      #expect(text.contains("primaryKey: \(inner.contains("id") ? "id" : "login")"), "\(text)")
    }
    #expect(comment.map(texts[0].contains) ?? !texts[0].contains("the same entity"), "\(texts[0])")
  }

  @Test(arguments: [
    // Only the identifier is common.
    (#"{"id": 7, "qty": 1, "sum": 2}"#, #"{"id": 8, "title": "x", "price": 1}"#),
    // A key has other values.
    (
      #"{"id": 7, "title": "x", "price": {"a": 1}, "p": 1}"#,
      #"{"id": 8, "title": "x", "price": 1, "q": 1, "r": 1, "s": 1, "t": 2}"#
    ),
    // The same identifier, but another record.
    (
      #"{"id": 7, "title": "x", "a": 1, "b": 1, "c": 1, "d": 2}"#,
      #"{"id": 7, "title": "y", "q": 1, "r": 1, "s": 1, "t": 2}"#
    ),
  ])
  func objectsThatDisagreeAreTwoEntities(inner: String, other: String) throws {
    let text = try model(("orders", #"[{"id": 1, "items": [\#(inner)]}]"#), ("items", "[\(other)]"))
    #expect(text.contains("  Item:\n") && text.contains("  Item2:\n"), "\(text)")
  }

  @Test(.timeLimit(.minutes(5))) func manyRelationshipsAreInferredInLinearTime() throws {
    // Each of two entities has relationships to the other under 900 keys, which contradict each other.
    let keys = 0..<900
    let bs = keys.map { #""b\#($0)":{"kid":"b\#($0)","id":\#($0)}"# }.joined(separator: ",")
    let text = try model(("as", #"{"id":"x",\#(bs)}"#))
    #expect(text.contains("b899:"))
    // Each object has a key of its own.
    let sparse = (0..<1500).map { #"{"id":\#($0),"k\#($0)":[\#($0),{}]}"# }.joined(separator: ",")
    #expect(try model(("as", "[\(sparse)]")).contains("k1499: transformable"))
    // Many names differ only by their separators, and many entities have the same name.
    let names = (1..<300).map { #""\#(String(repeating: "-", count: $0))a":{"x\#($0)":1}"# }.joined(
      separator: ",")
    #expect(try model(("as", #"{"id":1,\#(names)}"#)).contains("  A299:"))
  }

  @Test func inversesAreThoseOfTheData() throws {
    let author = #"{"id": 7, "name": "x"}"#
    let text = try model(
      (
        "authors/7",
        #"{"id": 7, "name": "x", "books": [{"isbn": "a", "author": \#(author)}, {"isbn": "b", "author": \#(author)}]}"#
      ))
    #expect(text.contains("books: {toMany: Book, inverse: author}"), "\(text)")
    #expect(text.contains("author: {to: Author, inverse: books}"), "\(text)")
    #expect(!text.contains("authors"), "\(text)")
  }

  @Test(arguments: [
    ("search/issues", #"{"total_count": 1, "items": [{"id": 1}]}"#, "Issue", ["items"]),
    ("x", #"{"data": {"films": {"nodes": [{"id": 1}]}}}"#, "Film", ["data", "films", "nodes"]),
    ("books/salt", #"{"id": 3, "slug": "salt", "tags": [{"id": 1}]}"#, "Book", []),
    ("books/42?x=1", #"{"book": {"id": 3}}"#, "Book", ["book"]),
    ("api/v2/people.json", #"{"count": 0, "results": []}"#, "Person", ["results"]),
    ("books", #"{"authors": [{"id": 1}, {"id": 2}], "books": [{"id": 1}]}"#, "Book", ["books"]),
    ("v2/orders?x=1", #"{"sum": 3, "session": 7, "orders": [{"id": 1}]}"#, "Order", ["orders"]),
    ("v2/stats", #"{"sum": 3, "session": 7, "orders": [{"id": 1}]}"#, "Stat", []),
    ("3f2504e0-4f89-11d3-9a0c-0305e82c3301", #"{"id": 1}"#, "Item", []),
  ])
  func itemsAreFound(url: String, response: String, entity: String, path: [String]) throws {
    let json = try JSONDocument(parsing: Array(response.utf8)).root.value
    let location = try #require(ItemLocation(in: json, url: "https://api.test/" + url))
    #expect(location.path == path)
    #expect(KeyWords.entityName(location.name) == entity)
  }

  @Test(arguments: [
    ("created_at", "createdAt"), ("URLString", "urlString"), ("+1", "plus1"), ("-1", "minus1"),
    ("2x", "value2x"),
    ("$", "value"), ("naïve key", "naïveKey"), ("_links", "links"), ("ID", "id"),
  ])
  func propertyNamesAreIdentifiers(key: String, name: String) { #expect(KeyWords.propertyName(key) == name) }

  @Test(arguments: [
    ("categories", "Category"), ("pull_requests", "PullRequest"), ("status", "Status"),
    ("addresses", "Address"),
    ("children", "Child"), ("boxes", "Box"), ("news", "News"), ("42", "Item42"),
  ])
  func entityNamesAreSingular(key: String, name: String) { #expect(KeyWords.entityName(key) == name) }

  @Test func aKeyWhoseValuesContradictIsNoPrimaryKey() throws {
    let text = try model(
      (
        "books",
        #"[{"id": 1, "isbn": "a", "title": "x", "pages": 1}, {"id": 1, "isbn": "b", "title": "y", "pages": 2}]"#
      ))
    #expect(text.contains("primaryKey: isbn"))
  }

  @Test func hostileResponsesAreInferredInLinearTime() throws {
    let deep = String(repeating: #"{"id":1,"a":"#, count: 400) + "1" + String(repeating: "}", count: 400)
    #expect(try model(("x", deep)).contains("primaryKey: id"))
    let wide = "{\"id\":1," + (0..<1900).map { "\"k\($0)\":\($0)" }.joined(separator: ",") + "}"
    #expect(try model(("x", wide)).contains("k1899: int32"))
    let odd =
      #"[{"id":1,"":{"":1},"a.b":{"id":1,"c[0]":2},"@count":3,"a":[[{"x":1}]],"b":[1,{"y":1},null],"e":{}}]"#
    #expect(try model(("x", odd)).contains("primaryKey: id"))
  }
}
