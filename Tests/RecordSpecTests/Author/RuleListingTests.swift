import Testing

@testable import RecordSpec
@testable import RecordSpecCommand
@testable import ScenarioComparison
@testable import ScenarioFormat
@testable import ScenarioReport

@Suite struct RuleListingTests {
  private func coverage(_ scenarios: KeyValuePairs<String, [String]>) -> RuleCoverage {
    let file = SourceFile(path: "a.yaml", bytes: [])
    return RuleCoverage(
      scenarios.map { name, ids in
        (name: name, covers: ids.map { Located(value: $0, span: file.span(0..<0)) })
      })
  }

  private func text(
    _ name: String?, isUncoveredOnly: Bool = false, width: Int = 80,
    _ scenarios: KeyValuePairs<String, [String]> = [:]
  ) throws -> String {
    var listing = try RuleListing(coverage(scenarios), of: name, isUncoveredOnly: isUncoveredOnly)
    listing.width = width
    return listing.text
  }

  @Test func aGroup() throws {
    #expect(
      try text("subentity", ["subentity/choose": ["subentity.choose"], "feed": ["subentity.choose"]]) == """
        subentity: choosing the entity of an item

          subentity.choose
              The sub-entities of the expected entity are tested in the order of their
              declaration, and the first whose condition holds is chosen. Its own
              sub-entities are then tested in turn. If no condition holds, the item is
              of the entity itself. A sub-entity without a condition is never chosen.
              2 scenarios: subentity/choose, feed

          subentity.abstract [differs]
              A record is never of an abstract entity. A key, or a dictionary that
              contains only the key, refers to the record with this key. If there is
              none, it is skipped with the diagnostic `no-entity`, or
              `missing-reference` with `stubs: never`. Any other dictionary that no
              sub-entity claims is skipped with `no-entity`.
              MMRecord: It creates a record of the abstract entity.

        2 rules, 1 with scenarios

        """)
  }

  @Test func aRule() throws {
    #expect(
      try text("relationships.export", ["relationships/export": ["relationships.export"]]) == """
        relationships: linking records

          relationships.export [new] [planned]
              A record, or every record that it leads to, is written as JSON under the
              names from which it is read.
              1 scenario: relationships/export

        1 rule, 1 planned, 1 with scenarios

        """)
  }

  @Test func aRuleThatTestsProve() throws {
    #expect(
      try text("jsonserver.delay") == """
        jsonserver: a server of local files

          jsonserver.delay
              Responses can be delayed, like those of a real server.
              tests: JSONServerTests

        1 rule
        These are the rules of the engine. A scenario may name the rules that it proves
        in 'covers:'.

        """)
    #expect(
      try text("jsonserver", isUncoveredOnly: true) == "every implemented rule has a scenario or a test\n")
  }

  @Test func aRuleWithThoseBelowIt() throws {
    let listing = try RuleListing(coverage([:]), of: "values.date")
    #expect(listing.rules.map(\.id) == ["values.date.unix", "values.date.format", "values.date.no-format"])
    #expect(try RuleListing(coverage([:]), of: "identity.relationship-key").rules.count == 6)
  }

  @Test func uncoveredOnly() throws {
    #expect(
      try text("subentity", isUncoveredOnly: true, ["a": ["subentity.choose"]]) == """
        subentity: choosing the entity of an item

          subentity.abstract [differs]
              A record is never of an abstract entity. A key, or a dictionary that
              contains only the key, refers to the record with this key. If there is
              none, it is skipped with the diagnostic `no-entity`, or
              `missing-reference` with `stubs: never`. Any other dictionary that no
              sub-entity claims is skipped with `no-entity`.
              MMRecord: It creates a record of the abstract entity.

        1 rule without a scenario

        """)
    let both = ["subentity.choose", "subentity.abstract"]
    #expect(
      try text("subentity", isUncoveredOnly: true, ["a": both])
        == "every implemented rule has a scenario or a test\n")
    #expect(
      try text("relationships.export", isUncoveredOnly: true)
        == "every implemented rule has a scenario or a test\n")
  }

  @Test func allRules() throws {
    let text = try text(nil, width: 100)
    #expect(
      text.hasPrefix(
        """
        Terms
          item: an element of the response that becomes a record, at the root or nested in another item
          key: the attributes, or the to-one relationship, that identify a record
          parent: the record that a key relationship leads to
          owner: a record whose relationship leads to another record
          stub: an item that carries only its key: a scalar, or a dictionary with no other mapped property
          reference: a stub nested in an item, which refers to a record by its key
          full item: an item that is not a stub; a property whose value is null counts as present
          duplicates: several full dictionaries of one record in one response
          effective dictionary: the dictionary that populates a record after its duplicates are merged
          superseded dictionary: a duplicate that is not effective
          mention: a response mentions the records of all its items, nested and superseded ones included
          tombstone: an item that marks its record as deleted
          orphan: a stored record of the requested entity that the response does not mention

        Marks of rules
          [differs]: MMRecord behaves differently
          [new]: MMRecord has no such behavior
          [planned]: not implemented yet

        population: the steps for one response

          population.items
        """))
    let planned = Rule.all.count(where: \.isPlanned)
    #expect(
      text.hasSuffix(
        """


        \(Rule.all.count) rules, \(planned) planned
        These are the rules of the engine. A scenario may name the rules that it proves in 'covers:'.

        """))
    for rule in Rule.all { #expect(text.contains("\n  \(rule.id)")) }
    #expect(text.split(separator: "\n").allSatisfy { $0.count <= 100 && !$0.hasSuffix(" ") })
  }

  @Test func isTheSameEachTime() throws {
    #expect(try text(nil) == text(nil))
  }

  @Test(arguments: [20, 1])
  func wordsAreNotBroken(width: Int) throws {
    let words = try text("merge", width: width).split(whereSeparator: \.isWhitespace)
    #expect(try words == text("merge").split(whereSeparator: \.isWhitespace))
  }

  @Test(arguments: [
    ("identiy", "did you mean 'identity'?"), ("identity.mising", "did you mean 'identity.missing'?"),
  ])
  func unknownNames(name: String, advice: String) throws {
    let error = #expect(throws: RuleListing.UnknownName.self) {
      try RuleListing(coverage([:]), of: name)
    }
    #expect(error?.message == "unknown rule or group '\(name)'")
    #expect(error?.advice == advice)
  }

  @Test func anUnknownNameFarFromAllListsTheGroups() {
    let error = #expect(throws: RuleListing.UnknownName.self) {
      try RuleListing(coverage([:]), of: "pagination-and-scrolling")
    }
    #expect(error?.advice.hasPrefix("the groups are population, model, response, mapping") == true)
  }
}
