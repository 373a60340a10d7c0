import Testing

@testable import RecordSpec

/// Tests for the servers of scenarios, through the command line.
@Suite struct CannedResponseTests {
  private static let model = """
    title: A server
    model:
      entities:
        Post: {primaryKey: id, attributes: {id: string, text: string}}
        Draft: {parent: Post}

    """

  private func suite(_ text: String) throws -> CommandSuite { try CommandSuite(["a": Self.model + text]) }

  /// Blesses the golden file and returns it without spaces, or returns the output if blessing fails.
  private func golden(_ text: String) async throws -> String {
    let suite = try suite(text)
    let outcome = await suite.recordspec("bless")
    guard outcome.status == 0 else { return outcome.output + outcome.errors }
    let again = await suite.recordspec("run", "--store", "sqlite")
    #expect(again.status == 0, "\(again.output)")
    return try suite.folder.read("Golden/a.json").filter { !$0.isWhitespace }
  }

  private func complaint(_ text: String) async throws -> String {
    let outcome = await (try suite(text)).recordspec("bless")
    #expect(outcome.status == 1)
    return outcome.output
  }

  // MARK: Time

  /// The awaited response takes 3 s. The responses that take 1 s and 2 s arrive earlier, in this order.
  @Test(.timeLimit(.minutes(10))) func answersComeInTheOrderOfTheClock() async throws {
    let golden = try await golden(
      """
      responses:
        a: {delay: 2s, body: [{id: "1", text: a}]}
        b: {delay: 3s, body: [{id: "1", text: b}]}
        c: {delay: 1000ms, body: [{id: "1", text: c}]}
        d: {delay: 1h, body: [{id: "1", text: d}]}
      steps:
        - {request: Post, urn: a, as: a}
        - {request: Post, urn: b, as: b}
        - {request: Post, urn: c, as: c}
        - {request: Post, urn: d, as: d}
        - await: b
          expect: {updated: {Post/1: [text]}, graph: {Post: [{id: "1", text: b}]}}
        - await: a
          expect: {updated: {Post/1: [text]}, graph: {Post: [{id: "1", text: b}]}}
        - await: c
          expect: {inserted: [Post/1]}
        - await: d
      expect: {graph: {Post: [{id: "1", text: d}]}}

      """)
    #expect(!golden.contains("requests"), "\(golden)")
  }

  /// A request without a name also advances the clock. A named request without a delay waits for its step.
  @Test(.timeLimit(.minutes(10))) func whatIsDueComesWhileAnotherRequestIsWaitedFor() async throws {
    _ = try await golden(
      """
      responses:
        a: {delay: 1m, body: [{id: a}]}
        b: {delay: 2m, body: [{id: b}]}
        c: {body: [{id: c}]}
      steps:
        - {request: Post, urn: a, as: a}
        - {request: Post, urn: c, as: c}
        - {request: Post, urn: b, expect: {graph: {Post: {only: [{id: a}, {id: b}]}}}}
        - await: c
        - await: a
      expect: {graph: {Post: {count: 3}}}

      """)
  }

  @Test func whatTakesLongerThanItMayFails() async throws {
    let golden = try await golden(
      """
      options: {timeout: 1s}
      responses:
        a: {delay: 1s, body: [{id: a}]}
        b: {delay: 1001ms, body: [{id: b}], repeat: true}
      steps:
        - {request: Post, urn: a}
        - {request: Post, urn: b, expect: {failure: timeout}}
        - {request: Post, urn: b, options: {timeout: 2s}}
        - {fetch: Post}
      expect: {records: {count: 2}}

      """)
    #expect(golden.contains(#""failure":{"code":"timeout"}"#), "\(golden)")
  }

  // MARK: Failures

  @Test(arguments: ServerFailure.allCases)
  func aFailureIsToldByItsName(failure: ServerFailure) async throws {
    let text = """
      responses: {a: {error: \(failure.rawValue)}}
      steps: [{request: Post, urn: a}]

      """
    let golden = try await golden(text + "expect: {failure: \(failure.rawValue), graph: {Post: none}}\n")
    #expect(golden.contains(#""code":"\#(failure.rawValue)""#), "\(golden)")
    let complaint = try await complaint(text)
    #expect(complaint.contains("= note:     \(failure.rawValue): "), "\(complaint)")
  }

  @Test func aSessionThatHasTimedOutIsBegunAnew() async throws {
    let golden = try await golden(
      """
      sessionTimeout: restart
      responses: {a: [{error: session-timeout}, {body: [{id: a}]}]}
      steps: [{request: Post, urn: a, expect: {requests: [a, a]}}]
      expect: {records: [Post/a], requests: {count: 2}}

      """)
    #expect(golden.contains(#""requests":[{"address":"a"},{"address":"a"}]"#), "\(golden)")
  }

  @Test func aMistypedFailureIsNoCode() async throws {
    let outcome = await
      (try suite(
        "responses: {a: {error: offline}}\nsteps: [{request: Post, urn: a, expect: {failure: ofline}}]\n"))
      .recordspec("run")
    #expect(outcome.status == 2 && outcome.output.contains("did you mean 'offline'?"), "\(outcome.output)")
  }

  // MARK: Headers

  @Test func theFirstResponseThatFitsIsServed() async throws {
    let golden = try await golden(
      """
      responses:
        a:
          - {when: {headers: {X-Token: "1"}}, repeat: true, body: [{id: one}]}
          - {when: {headers: {x-token: "2", X-More: yes}}, body: [{id: two}]}
          - {body: [{id: none}]}
      steps:
        - {request: Post, urn: a, expect: {records: [Post/none]}}
        - {request: Post, urn: a, options: {headers: {X-TOKEN: 1}}, expect: {records: [Post/one]}}
        - {request: Post, urn: a, options: {headers: {x-more: yes, X-Token: 2}}, expect: {records: [Post/two]}}
        - request: Post
          urn: a
          options: {headers: {X-Token: 1}}
          expect:
            records: [Post/one]
            requests: [{address: GET a, headers: {x-token: "1", Accept: null}}]

      """)
    #expect(
      golden.contains(#""requests":[{"address":"a","headers":{"X-Token":"1"}}]"#), "\(golden)")
  }

  @Test(arguments: [
    ("", "the request for 'a' lacks the headers that the responses of 'a' require [unanswered-request]"),
    ("options: {headers: {X-Token: 1}}, ", "this response was never requested [unused-response]"),
  ])
  func headersThatFitNoneAreTold(options: String, message: String) async throws {
    let complaint = try await complaint(
      """
      responses:
        a:
          - {when: {headers: {X-Token: "1"}}, body: []}
          - {when: {headers: {X-Token: "2", Accept: json}}, body: []}
      steps:
        - {request: Post, \(options)urn: a}

      """)
    #expect(complaint.contains(message), "\(complaint)")
    if options.isEmpty {
      #expect(
        complaint.contains("they require X-Token: 1, or Accept: json, X-Token: 2"),
        "\(complaint)")
    }
  }

  // MARK: Servers

  @Test func entitiesHaveServersOfTheirOwn() async throws {
    let golden = try await golden(
      """
      servers: {Draft: "https://drafts.test/v2"}
      responses:
        a: {body: [{id: a}]}
        https://drafts.test/v2/a: {body: [{id: b}]}
        https://other.test/a: {body: [{id: c}]}
      steps:
        - {request: Post, urn: a}
        - {request: Draft, urn: /a, expect: {records: [Draft/b], requests: ["https://drafts.test/v2/a"]}}
        - {request: Draft, urn: "https://other.test/a", expect: {requests: ["https://other.test/a"]}}

      """)
    #expect(golden.contains(#""requests":[{"address":"https://drafts.test/v2/a"}]"#), "\(golden)")
    #expect(golden.contains(#""urn":"https://other.test/a"}"#), "\(golden)")
  }

  @Test func anEntityMayHaveNoServer() async throws {
    let golden = try await golden(
      """
      servers: {Post: none}
      responses: {a: {body: [], optional: true}}
      steps: [{request: Draft, urn: a, expect: {failure: undefined-server, requests: none}}]

      """)
    #expect(golden.contains(#""requests":[]"#), "\(golden)")
  }

  // MARK: The journal

  @Test func parametersAndDataAreOneAddress() async throws {
    _ = try await golden(
      """
      responses: {POST a: {body: []}}
      steps: [{request: Post, urn: "a?z=1", method: POST, data: {q: "a&b = c"}}]
      expect: {requests: ["POST a?q=a%26b%20=%20c&z=1"]}

      """)
  }

  @Test func otherRequestsAreTold() async throws {
    let complaint = try await complaint(
      """
      responses: {a: {body: []}, b: {body: []}, c: {body: []}}
      steps:
        - request: Post
          urn: a
          options: {headers: {X-Token: 1}}
          expect: {requests: [{address: a, headers: {X-Token: "2"}}]}
        - {request: Post, urn: b}
        - {request: Post, urn: c}
      expect: {requests: [b, a, c]}

      """)
    #expect(
      complaint.contains(
        """
        Scenarios/a.yaml:11:26: error: step 1: an entry of 'requests' is missing [missing]
              11 |     expect: {requests: [{address: a, headers: {X-Token: "2"}}]}
                 |                         ^^^^^^^^^^
        """
      ) || complaint.contains("= expected: a with X-Token: 2\n        = actual:   [a with X-Token: 1]"),
      "\(complaint)")
    #expect(complaint.contains("'requests' is in a different order [order]"), "\(complaint)")
    #expect(complaint.contains("= note:     the requests are the same, in a different order"), "\(complaint)")
  }

  @Test func aGoldenFileTellsOfOtherRequests() async throws {
    let text = "responses: {a: {body: []}}\nsteps: [{request: Post, urn: a}]\n"
    let suite = try suite(text)
    #expect(await suite.recordspec("bless").status == 0)
    let headers = text.replacing("urn: a}", with: "urn: a, options: {headers: {X-Token: 1}}}")
    try suite.folder.write(Self.model + headers, to: "Scenarios/a.yaml")
    let outcome = await suite.recordspec("run")
    #expect(
      outcome.output.contains(
        """
            step 1: 'requests' has different entries
              missing:  a
              extra:    a with X-Token: 1
        """), "\(outcome.output)")
  }
}
