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
  private func model(_ responses: (url: String, json: String)...) throws -> String { try model(responses) }

  private func model(_ responses: [(url: String, json: String)]) throws -> String {
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
          "chapters": [{"title": "x"}], "stats": {"views": 1}, "cover": {"colors": [[1]]}},
         {"isbn": "a-2", "page_count": null, "price": 1, "isNew": "no", "published": "2031-02-04", "seen_at": null,
          "big": 1, "author": 7, "tags": [], "chapters": [], "stats": {"views": 2}, "cover": null}]
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
              statsViews: {type: int32, from: stats.views}
            relationships:
              author: {to: Author, inverse: books}
              chapters: {toMany: Chapter, inverse: book, deleteRule: cascade, assignment: replace}
              cover: {to: Cover, inverse: book, deleteRule: cascade}
          Author:
            primaryKey: id
            attributes: {id: int64, name: string}
            relationships:
              books: {toMany: Book, inverse: author}
          Chapter:
            primaryKey: book
            attributes: {title: string}
            relationships:
              book: {to: Book, inverse: chapters}
          Cover:
            primaryKey: book
            attributes: {colors: transformable}
            relationships:
              book: {to: Book, inverse: cover}

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
    #expect(text.contains("  Item:\n") && text.contains("  OrderItem:\n"), "\(text)")
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
    let names = (1..<300).map { #""\#(String(repeating: "-", count: $0))a":{"x\#($0)":[[1]]}"# }.joined(
      separator: ",")
    #expect(try model(("as", #"{"id":1,\#(names)}"#)).contains("  AsA298:"))
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
    ("graphql", #"{"data": {"shop": null}}"#, "Shop", ["data", "shop"]),
    ("users/me", #"{"id": 1}"#, "User", []), ("accounts/verify_session", #"{"id": 1}"#, "Account", []),
    ("latest", #"{"users": [{"id": 1}], "board": {"topics": [{"id": 2}]}}"#, "Latest", []),
    ("search", #"{"users": [{"id": 1}], "topics": [{"id": 2}]}"#, "Search", []),
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
    ("categories", "Category"), ("pull_requests", "PullRequest"), ("status", "Status"), ("42", "Item42"),
    ("order_statuses", "OrderStatus"),
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

  // MARK: Records that change, and types

  /// A record that has other values in another response is the same record.
  @Test(arguments: [
    // Polling, with all values changed.
    (
      [("jobs/1", #"{"id": 1, "state": "a", "n": 1}"#), ("jobs/1", #"{"id": 1, "state": "b", "n": 2}"#)],
      "Job", "id"
    ),
    (
      [("jobs", #"[{"id": 1, "state": "a", "n": 1}]"#), ("jobs", #"[{"id": 1, "state": "b", "n": 2}]"#)],
      "Job", "id"
    ),
    // The address of the detail contains the identifier.
    (
      [("jobs", #"[{"id": 7, "state": "a", "n": 1}]"#), ("jobs/7", #"{"id": 7, "state": "b", "n": 2}"#)],
      "Job", "id"
    ),
    // The author has changed between two responses of one address.
    (
      [
        ("posts", #"[{"id": 5, "author": {"id": 7, "name": "a", "bio": "x", "at": 1}}]"#),
        ("authors/7", #"{"id": 7, "name": "b", "bio": "y", "at": 2}"#),
        ("posts", #"[{"id": 5, "author": {"id": 7, "name": "b", "bio": "y", "at": 2}}]"#),
      ], "Author", "id"
    ),
    // Only the address tells the key.
    (
      [("orders/A-1", #"{"code": "A-1", "n": 1}"#), ("orders/A-1", #"{"code": "A-1", "n": 2}"#)], "Order",
      "code"
    ),
    ([("issues/5", #"{"number": 5, "n": 1}"#), ("issues/5", #"{"number": 5, "n": 2}"#)], "Issue", "number"),
  ])
  func aRecordThatChangesKeepsItsKey(responses: [(String, String)], entity: String, key: String) throws {
    let text = try model(responses)
    let inferred = try #require(ModelSource.model(ofText: text))
    let found = try #require(inferred.entities.first { $0.name.rawValue == entity }, "\(text)")
    #expect(found.primaryKey.map(\.rawValue) == [key], "\(text)")
  }

  @Test(arguments: [
    // Records of two types have the same identifier.
    (#"[{"kind": "map", "id": 4, "zoom": 1}, {"kind": "photo", "id": 4, "size": 2}]"#, ["kind", "id"]),
    (#"[{"type": "a", "id": "4", "n": 1}, {"type": "b", "id": "4", "n": 1}]"#, ["type", "id"]),
    // They do not.
    (#"[{"kind": "map", "id": 4, "zoom": 1}, {"kind": "photo", "id": 5, "size": 2}]"#, ["id"]),
    (#"[{"kind": "map", "id": 4, "zoom": 1}, {"kind": "map", "id": 4, "zoom": 1}]"#, ["id"]),
  ])
  func aTypeIsPartOfTheKeyIfTheIdentifierIsNotEnough(items: String, key: [String]) throws {
    let inferred = try #require(ModelSource.model(ofText: model(("things", items))))
    #expect(inferred.entities.map { $0.primaryKey.map(\.rawValue) } == [key])
  }

  // MARK: Layouts

  /// Objects that only lead to records or values are not entities.
  @Test(arguments: [
    // A connection of GraphQL.
    (
      "graphql",
      #"""
      {"data": {"shops": {"edges": [{"cursor": "c",
        "node": {"id": 1, "tags": {"nodes": [{"id": 5}], "pageInfo": {"hasNextPage": false}}}}]}}}
      """#,
      """
      entities:
        Shop:
          primaryKey: id
          responseKeyPath: data.shops.edges.node
          ignores: [tags.*]
          attributes: {id: int64}
          relationships:
            tags: {toMany: Tag, inverse: shops, from: tags.nodes}
        Tag:
          primaryKey: id
          attributes: {id: int64}
          relationships:
            shops: {toMany: Shop, inverse: tags}

      """
    ),
    // Dictionaries, with the key in the items and without.
    (
      "books", #"{"b1": {"id": "b1", "n": 1}, "b2": {"id": "b2", "n": 2}}"#,
      """
      entities:
        Book:
          primaryKey: id
          responseKeyedBy: id
          attributes: {id: string, n: int32}

      """
    ),
    (
      "room", #"{"id": 1, "seats": {"12": {"row": "a"}, "13": {"row": "b"}}}"#,
      """
      entities:
        Room:
          primaryKey: id
          attributes: {id: int64}
          relationships:
            seats: {toMany: Seat, inverse: rooms, keyedBy: id}
        Seat:
          primaryKey: id
          attributes: {row: string, id: int64}
          relationships:
            rooms: {toMany: Room, inverse: seats}

      """
    ),
    // A resource of JSON:API.
    (
      "posts",
      #"""
      {"data": [{"type": "posts", "id": "1", "attributes": {"title": "x"},
        "relationships": {"author": {"data": {"type": "people", "id": "9"}, "links": {"self": "x"}}}}]}
      """#,
      """
      entities:
        Post:
          primaryKey: id
          responseKeyPath: data
          ignores: [relationships.*]
          attributes:
            type: string
            id: string
            title: {type: string, from: attributes.title}
          relationships:
            author: {to: Author, inverse: posts, from: relationships.author.data}
        Author:
          primaryKey: id
          attributes: {type: string, id: string}
          relationships:
            posts: {toMany: Post, inverse: author}

      """
    ),
    // A list that is missing in one of the objects that describe it.
    (
      "albums",
      #"[{"id": 1, "tracks": {"total": 1, "items": [{"id": 5}]}}, {"id": 2, "tracks": {"total": 3}}]"#,
      """
      entities:
        Album:
          primaryKey: id
          ignores: [tracks.*]
          attributes: {id: int64}
          relationships:
            tracks: {toMany: Track, inverse: albums, from: tracks.items, usesOwnName: false}
        Track:
          primaryKey: id
          attributes: {id: int64}
          relationships:
            albums: {toMany: Album, inverse: tracks}

      """
    ),
    // Groups of values.
    (
      "places",
      #"[{"id": 1, "at": {"point": {"lat": 1.5, "lon": 2.5}, "zone": "x"}}, {"id": 2, "at": null}]"#,
      """
      entities:
        Place:
          primaryKey: id
          attributes:
            id: int64
            atPointLat: {type: double, from: at.point.lat}
            atPointLon: {type: double, from: at.point.lon}
            atZone: {type: string, from: at.zone}

      """
    ),
  ])
  func objectsThatOnlyLeadToRecordsAreNoEntities(url: String, response: String, expected: String) throws {
    let text = try model((url, response))
    #expect(text == expected, "\(text)")
  }

  @Test func listsSideBySideBelongToTheObjectAroundThem() throws {
    let text = try model(
      ("store", #"{"shelves": [{"id": 1}], "boxes": [{"id": 5, "shelf_id": 1}, {"id": 6, "shelf_id": 1}]}"#))
    #expect(text.contains("  Store:\n    relationships:\n"), "\(text)")
    #expect(text.contains("shelf: {to: Shelf, inverse: boxes, from: shelf_id}"), "\(text)")
  }

  // MARK: One entity for each kind of records

  @Test(arguments: [
    // Some records are equal.
    (#"{"id": 7, "name": "Ada", "bio": "x"}"#, #"{"id": 7, "name": "Ada", "bio": "x", "since": 1}"#, true),
    (#"{"id": 7, "name": "Ada Reed"}"#, #"{"id": 7, "name": "Ada Reed", "bio": "x", "since": 1}"#, true),
    // Most keys are common, and some of them are rare.
    (
      #"{"id": 7, "nick": "a", "bio": "x", "avatar": "u"}"#,
      #"{"id": 8, "nick": "b", "bio": "y", "avatar": "v", "since": 1}"#, true
    ),
    // Only keys that objects of many kinds have are common.
    (
      #"{"id": 7, "name": "a", "url": "x", "created_at": "u"}"#,
      #"{"id": 8, "name": "b", "url": "y", "created_at": "v", "since": 1}"#, false
    ),
    // The same identifiers, but other records.
    (
      #"{"id": 7, "nick": "a", "bio": "x", "avatar": "u"}"#,
      #"{"id": 7, "nick": "b", "bio": "y", "avatar": "v", "since": 1}"#, false
    ),
    // A post contains the name of its author, but has an identifier of its own.
    (
      #"{"id": 7, "login": "ada", "nick": "a", "avatar": "u"}"#,
      #"{"id": 90, "login": "ada", "nick": "a", "avatar": "u", "text": "x", "likes": 1}"#, false
    ),
    // The same state by chance.
    (
      #"{"id": 7, "state": "open", "sum": 1}"#, #"{"id": 7, "state": "open", "nick": "b", "bio": "c"}"#, false
    ),
    // Identifiers of other kinds, and other types.
    (
      #"{"id": 7, "nick": "a", "bio": "x", "avatar": "u"}"#,
      #"{"id": "8", "nick": "b", "bio": "y", "avatar": "v", "since": 1}"#, false
    ),
    (
      #"{"id": 7, "type": "bot", "nick": "a", "bio": "x", "avatar": "u"}"#,
      #"{"id": 8, "type": "user", "nick": "b", "bio": "y", "avatar": "v", "since": 1}"#, false
    ),
  ])
  func oneEntityHasSeveralNames(author: String, user: String, isOne: Bool) throws {
    let text = try model(("posts", #"[{"id": 900, "author": \#(author)}]"#), ("users", "[\(user)]"))
    #expect(text.contains("author: {to: User, inverse: posts}") == isOne, "\(text)")
    #expect(text.contains("  Author:\n") != isOne, "\(text)")
  }

  @Test func twoListsOfOneShapeAreTwoEntities() throws {
    let (shelf, book) = (#"{"id": "s1", "name": "A", "closed": false, "pos": 1, "idRoom": "r"}"#, "b1")
    let text = try model(
      ("rooms/r/shelves", "[\(shelf)]"),
      (
        "books/\(book)",
        #"{"id": "\#(book)", "name": "B", "closed": true, "pos": 2, "idRoom": "r", "pages": 7}"#
      ))
    #expect(text.contains("  Shelf:\n") && text.contains("  Book:\n"), "\(text)")
  }

  @Test func typesNameEntities() throws {
    let song =
      #"{"id": "1", "type": "song", "by": {"id": "x", "type": "artist"}, "in": {"id": "y", "type": "album"}}"#
    let text = try model(
      ("me/favorites", #"{"items": [\#(song)]}"#), ("artists", #"[{"id": "z", "type": "artist"}]"#),
      ("albums", #"[{"id": "z", "type": "album"}]"#))
    #expect(text.contains("  Song:\n") && text.contains("by: {to: Artist, inverse: songs}"), "\(text)")
    #expect(text.contains("in: {to: Album, inverse: songs}"), "\(text)")
  }

  @Test(arguments: [
    (
      #"[{"id": 1, "lead_author_id": 7}, {"id": 2, "lead_author_id": null}]"#,
      "leadAuthor: {to: Author, inverse: books, from: lead_author_id}"
    ),
    (#"[{"id": 1, "author_ids": [7, 8]}]"#, "authors: {toMany: Author, inverse: books, from: author_ids}"),
    (#"[{"id": 1, "idAuthor": 7}]"#, "author: {to: Author, inverse: books, from: idAuthor}"),
    // Not all records are in the session.
    (
      #"[{"id": 1, "author_id": 7}, {"id": 2, "author_id": 9}]"#,
      "author: {to: Author, inverse: books, from: author_id}"
    ),
    // No key is known, or it is of another kind, of no entity, or beside the record itself.
    (#"[{"id": 1, "author_id": 9}]"#, "authorId: {type: int64, from: author_id}"),
    (#"[{"id": 1, "author_id": "7"}]"#, "authorId: {type: string, from: author_id}"),
    (#"[{"id": 1, "writer_id": 7}]"#, "writerId: {type: int64, from: writer_id}"),
    (
      #"[{"id": 1, "author_id": 7, "author": {"id": 7, "name": "Ada"}}]"#,
      "authorId: {type: int64, from: author_id}"
    ),
    // A number without 'id' is a number.
    (#"[{"id": 1, "author": 7}]"#, "author: int32"),
  ])
  func keysOfOtherRecordsAreRelationships(books: String, expected: String) throws {
    let text = try model(
      ("books", books), ("authors", #"[{"id": 7, "name": "Ada"}, {"id": 8, "name": "Bo"}]"#))
    #expect(text.contains(expected), "\(text)")
  }

  @Test(arguments: [
    ("at", "1900000000", "date"), ("at", "1900000000123", "{type: date, format: unix-milliseconds}"),
    ("at", #""1900000000""#, "{type: date, format: unix}"), ("at", "19", "int32"), ("at", #""19""#, "string"),
    ("size", "1900000000", "int32"), ("phone", "1900000000123", "int64"),
  ])
  func numbersOfThisCenturyAreTimes(key: String, value: String, expected: String) throws {
    let text = try model(("books", #"[{"id": 1, "\#(key)": \#(value)}]"#))
    let isShort = !expected.hasPrefix("{")
    #expect(text.contains(isShort ? "\(key): \(expected)}" : "      \(key): \(expected)\n"), "\(text)")
  }

  @Test func responsesWithoutItemsAreNoEntities() throws {
    let text = try model(
      ("books", #"[{"id": 1}]"#), ("films", "[]"), ("shops/1", "{}"),
      ("graphql", #"{"data": {"shop": null}}"#))
    #expect(text == "entities:\n  Book:\n    primaryKey: id\n    attributes: {id: int64}\n", "\(text)")
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
