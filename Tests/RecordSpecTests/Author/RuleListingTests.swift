import Testing

@testable import RecordSpec

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
        subentity: which entity an item is of

          subentity.choose
              The sub-entities of the expected entity are asked in the order of their
              declaration whether the item is theirs, and the first that says yes is
              taken and asks its own in turn. If none does, the item is of the entity
              itself. One that declares no condition never says yes.
              2 scenarios: subentity/choose, feed

          subentity.abstract [differs]
              No record is ever of an abstract entity: a dictionary that none of its
              sub-entities claims is left out with the diagnostic `no-entity`, and so is
              a key in the list of items that leads to no record.
              MMRecord: A record of the abstract entity is made.

        2 rules, 1 with scenarios

        """)
  }

  @Test func aRule() throws {
    #expect(
      try text("relationships.export", ["relationships/export": ["relationships.export"]]) == """
        relationships: how records are linked

          relationships.export [new] [planned]
              A record, or all that can be reached from it, is written as JSON under the
              names that it is read from.
              1 scenario: relationships/export

        1 rule, 1 planned, 1 with scenarios

        """)
  }

  @Test func aRuleThatTestsProve() throws {
    #expect(
      try text("jsonserver.delay") == """
        jsonserver: a server of local files

          jsonserver.delay
              The answers can be delayed, as those of a real server are.
              tests: JSONServerTests

        1 rule
        These are the engine's rules. A scenario that is to prove one names it in
        'covers:'; yours need not.

        """)
    #expect(try text("jsonserver", isUncoveredOnly: true) == "Every built rule has a scenario.\n")
  }

  @Test func aRuleWithThoseBelowIt() throws {
    let listing = try RuleListing(coverage([:]), of: "values.date")
    #expect(listing.rules.map(\.id) == ["values.date.unix", "values.date.format", "values.date.no-format"])
    #expect(try RuleListing(coverage([:]), of: "identity.relationship-key").rules.count == 6)
  }

  @Test func uncoveredOnly() throws {
    #expect(
      try text("subentity", isUncoveredOnly: true, ["a": ["subentity.choose"]]) == """
        subentity: which entity an item is of

          subentity.abstract [differs]
              No record is ever of an abstract entity: a dictionary that none of its
              sub-entities claims is left out with the diagnostic `no-entity`, and so is
              a key in the list of items that leads to no record.
              MMRecord: A record of the abstract entity is made.

        1 rule without a scenario

        """)
    let both = ["subentity.choose", "subentity.abstract"]
    #expect(try text("subentity", isUncoveredOnly: true, ["a": both]) == "Every built rule has a scenario.\n")
    #expect(
      try text("relationships.export", isUncoveredOnly: true) == "Every built rule has a scenario.\n")
  }

  @Test func allRules() throws {
    let text = try text(nil, width: 100)
    #expect(
      text.hasPrefix(
        """
        Words
          item: an element of the response's array, or an object nested in one
          key: what identifies a record: one attribute, several, or a to-one relationship
          stub: an item without any mapped property but its key: a scalar, or a dictionary of the key alone
          full: what is no stub; a null counts as a property that is there

        population: the order of work for one response

          population.items
        """))
    let planned = Rule.all.count(where: \.isPlanned)
    #expect(
      text.hasSuffix(
        """


        \(Rule.all.count) rules, \(planned) planned
        These are the engine's rules. A scenario that is to prove one names it in 'covers:'; yours need not.
        differs: MMRecord does otherwise; new: MMRecord has nothing like it; planned: the engine does not do
        it yet

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
    #expect(error?.message == "there is no rule and no group of rules '\(name)'")
    #expect(error?.advice == advice)
  }

  @Test func anUnknownNameFarFromAllListsTheGroups() {
    let error = #expect(throws: RuleListing.UnknownName.self) {
      try RuleListing(coverage([:]), of: "pagination-and-scrolling")
    }
    #expect(error?.advice.hasPrefix("the groups are population, model, response, mapping") == true)
  }
}
