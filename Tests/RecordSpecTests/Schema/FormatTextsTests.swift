import Testing

@testable import ScenarioFormat

/// Tests that compare the texts about keys, which the JSON Schema shows in editors, with the articles.
struct FormatTextsTests {
  /// The mappings of the format, with the article and the heading of the table of their keys.
  private static let tables: [(article: String, heading: String, mapping: FormatMapping)] = [
    ("ScenarioFormat", "Top-level keys", .scenario),
    ("ScenarioFormat", "Mark a known failure", .expectedFailure),
    ("Models", "Keys of a model", .model),
    ("Models", "Keys of an entity", .entity),
    ("Attributes", "Keys of an attribute", .attribute),
    ("Relationships", "Keys of a relationship", .relationship),
    ("Customizing", "Keys of an entity in customize", .customization),
    ("Customizing", "Source of an attribute", .attributeSource),
    ("Customizing", "Conditions of links", .linkConditions),
    ("Customizing", "Values before and after population", .assignment),
    ("Responses", "Keys of a response", .response),
    ("Responses", "Conditions of a response", .requestCondition),
    ("Steps", "Send a request", .step(.request)),
    ("Steps", "Request the details of a record", .step(.detail)),
    ("Steps", "Fetch stored records first", .step(.fetchFirst)),
    ("Steps", "Serialize a response", .step(.serialize)),
    ("ConcurrentRequests", "Await a request", .step(.await)),
    ("ConcurrentRequests", "Send a batch", .step(.batch)),
    ("ConcurrentRequests", "Cancel requests", .step(.cancel)),
    ("Pages", "Ways of paging", .pagingRule),
    ("Pages", "Keys of page", .step(.page)),
    ("Pages", "Keys of nextPage", .step(.nextPage)),
    ("StoredRecords", "Fetch records", .step(.fetch)),
    ("StoredRecords", "Change records", .step(.change)),
    ("StoredRecords", "Keys of a change", .changes),
    ("StoredRecords", "Keys of save", .step(.save)),
    ("StoredRecords", "Keys of rollback", .step(.rollback)),
    ("StoredRecords", "Keys of reopen", .step(.reopen)),
    ("TimeAndCache", "Move the clock", .step(.advance)),
    ("TimeAndCache", "Clear the cache", .step(.clearCache)),
    ("TimeAndCache", "Limit the cache", .cache),
    ("Tweaks", "Keys of tweak", .step(.tweak)),
    ("Options", "Keys of options", .options),
    ("Options", "Sources of keys", .keySource),
    ("Orphans", "Keys of orphans", .orphans),
    ("Orphans", "Take the scope from the response", .responseScope),
    ("Expectations", "Keys of expect", .expectation),
    ("Expectations", "Graph", .expectedEntity),
    ("Expectations", "Members of a to-many relationship", .expectedMembers),
    ("Expectations", "Lists of records", .recordList),
    ("Expectations", "Change of an attribute or a to-one relationship", .valueChange),
    ("Expectations", "Change of a to-many relationship", .memberChange),
    ("Expectations", "Failures", .failure),
    ("Expectations", "Diagnostics", .diagnostic),
    ("Expectations", "Requests", .expectedRequest),
    ("Expectations", "Lists of requests", .requestList),
    ("Drift", "Keys of drift", .drift),
    ("Tables", "Keys of a table", .table),
    ("Adapters", "Keys of an adapter", .adapter),
    ("Steps", "Call an action of an app", .step(.call)),
  ]

  private static let header = "| key | value | default | meaning | rule |"

  @Test func textsAreThoseOfTheArticles() throws {
    for (article, heading, mapping) in Self.tables {
      let tables = try Article("RecordSpec/\(article)").tables(under: Self.header)
      let rows = try #require(tables.first { $0.heading == heading }, "\(article): \(heading)").rows
      #expect(Set(rows.map { $0[0] }) == Set(mapping.keyNames.map { "`\($0)`" }), "\(article): \(heading)")
      for row in rows {
        let key = try #require(mapping.keys.first { "`\($0.name)`" == row[0] })
        // The links follow a colon.
        let meaning = row[3].replacing(/: <doc:[^>]+>/, with: "")
        #expect(key.meaning == meaning, "\(article): \(heading): \(key.name)")
        #expect(key.isRequired == (row[2] == "required"), "\(article): \(heading): \(key.name)")
        let hasDefault = !["–", "none"].contains(row[2]) && !row[2].hasPrefix("required")
        #expect(key.standard == (hasDefault ? row[2] : nil), "\(article): \(heading): \(key.name)")
      }
    }
  }

  /// Each table of keys has a mapping.
  @Test func noTableIsLeftOut() throws {
    let compared = Set(Self.tables.map { "RecordSpec/\($0.article): \($0.heading)" })
    #expect(compared.count == Self.tables.count)
    let all = try Article.names(in: "RecordSpec").flatMap { name in
      try Article(name).tables(under: Self.header).map { "\(name): \($0.heading)" }
    }
    #expect(Set(all) == compared)
  }

  @Test func textsOfPagingAreThoseOfTheArticle() throws {
    let tables = try Article("RecordSpec/Pages").tables(under: "| way of paging |")
    let rows = try #require(tables.first).rows
    let ways: [FormatMapping] = [
      .addressPaging, .linkHeaderPaging, .cursorPaging, .offsetPaging, .pageNumberPaging,
    ]
    #expect(rows.count == ways.flatMap(\.keys).count)
    for row in rows {
      let way = try #require(ways.first { "`\($0.name)`" == row[0].replacing(/`$/, with: "Paging`") })
      let key = try #require(way.keys.first { "`\($0.name)`" == row[1] })
      #expect(key.meaning == row[4].prefix(1).uppercased() + row[4].dropFirst() + ".")
      #expect(key.isRequired == (row[3] == "required"))
      #expect(key.standard == (["none", "required"].contains(row[3]) ? nil : row[3]))
    }
  }
}
