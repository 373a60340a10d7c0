import TestSupport
import Testing

@testable import ScenarioFormat
@testable import ScenarioReport

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

  /// Blesses the golden file and returns it without spaces. Blessing fails if an expectation is not met.
  private func golden(_ text: String) async throws -> String {
    let suite = try suite(text)
    let outcome = await suite.recordspec("bless")
    try #require(outcome.status == 0, "\(outcome.output)\(outcome.errors)")
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

  @Test(arguments: sampled(ServerFailure.allCases))
  func aFailureIsToldByItsName(failure: ServerFailure) async throws {
    let text = """
      responses: {a: {error: \(failure.rawValue)}}
      steps: [{request: Post, urn: a}]

      """
    let golden = try await golden(text + "expect: {failure: \(failure.rawValue), graph: {Post: none}}\n")
    #expect(golden.contains(#""code":"\#(failure.rawValue)""#), "\(golden)")
    let complaint = try await complaint(text)
    #expect(complaint.contains("step 1: the step failed: \(failure.rawValue): "), "\(complaint)")
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

  @Test func theFirstResponseForTheBodyIsServed() async throws {
    _ = try await golden(
      """
      responses:
        POST a:
          - {when: {json: {b: [1, null]}}, repeat: true, body: [{id: one}]}
          - {when: {form: {b: "1"}, headers: {X-Token: "1"}}, body: [{id: two}]}
          - {when: {json: null}, body: [{id: "null"}]}
          - {when: {form: {}}, body: [{id: empty}]}
          - {body: [{id: other}], repeat: true}
      steps:
        - {request: Post, urn: a, method: POST, form: {b: 1}, options: {headers: {X-Token: 1}}, expect: {records: [Post/two]}}
        - {request: Post, urn: a, method: POST, json: {b: [1.0, null]}, expect: {records: [Post/one]}}
        - {request: Post, urn: a, method: POST, json: null, expect: {records: [Post/null]}}
        - {request: Post, urn: a, method: POST, form: {}, expect: {records: [Post/empty]}}
        - {request: Post, urn: a, method: POST, expect: {records: [Post/other]}}
        - {request: Post, urn: a, method: POST, json: {b: [1]}, expect: {records: [Post/other]}}
        - {request: Post, urn: a, method: POST, form: {b: 1}, expect: {records: [Post/other]}}

      """)
  }

  @Test(arguments: [
    ("json: {b: 2}", #"; the request has json {"b":2}"#),
    ("options: {headers: {X-Token: 1}}", "; the request has no body"),
  ])
  func aBodyThatFitsNoneIsTold(keys: String, told: String) async throws {
    let complaint = try await complaint(
      """
      responses:
        POST a:
          - {when: {json: {b: 1}}, body: []}
          - {when: {form: {b: "1"}, headers: {X-Token: "1"}}, body: []}
      steps: [{request: Post, urn: a, method: POST, \(keys)}]

      """)
    #expect(
      complaint.contains(
        "the request for 'POST a' lacks the body or the headers that the responses of 'POST a' require"),
      "\(complaint)")
    #expect(
      complaint.contains(#"they require json {"b":1}, or form {"b":"1"}, X-Token: 1"# + told), "\(complaint)")
  }

  @Test func servedResponsesForABodyAreTold() async throws {
    let complaint = try await complaint(
      """
      responses: {POST a: [{when: {json: 1}, body: []}, {when: {json: 2}, body: [], optional: true}]}
      steps:
        - {request: Post, urn: a, method: POST, json: 1}
        - {request: Post, urn: a, method: POST, json: 1}

      """)
    #expect(
      complaint.contains("the only response for its body and headers of 'POST a' has already been served"),
      "\(complaint)")
    #expect(complaint.contains("or 'repeat: true' to one whose conditions it meets"), "\(complaint)")
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

  @Test func parametersOfTheAddressAndTheQueryAreOneSet() async throws {
    let golden = try await golden(
      """
      responses: {POST a: {body: []}}
      steps: [{request: Post, urn: "a?z=1", method: POST, query: {q: "a&b = c"}, json: {q: [1]}}]
      expect: {requests: [{address: "POST a?q=a%26b%20=%20c&z=1", json: {q: [1]}}]}

      """)
    #expect(!golden.contains("requests"), "\(golden)")
  }

  /// A golden file contains the bodies of requests that the step does not state.
  @Test func otherBodiesAreInTheGoldenFile() async throws {
    let golden = try await golden(
      """
      responses: {POST a: {body: [{id: a}], repeat: true}}
      steps:
        - {request: Post, urn: a, method: POST, json: {b: [null]}, options: {headers: {X-Token: 1}}}
        - {request: Post, urn: a, method: POST, form: {b: c, a: ""}, options: {headers: {X-Token: 1}}}

      """)
    #expect(
      golden.contains(
        #""requests":[{"address":"POSTa","headers":{"X-Token":"1"},"json":{"b":[null]}}]"#), "\(golden)")
    #expect(
      golden.contains(
        #""requests":[{"address":"POSTa","form":{"a":"","b":"c"},"headers":{"X-Token":"1"}}]"#), "\(golden)")
  }

  @Test(arguments: [
    ("POST a", "POST a", "[POST a with json {\"b\":1}]"),
    ("{address: POST a, json: {b: 2}}", #"POST a with json {"b":2}"#, #"[POST a with json {"b":1}]"#),
    (
      "{address: POST a, form: {b: 1}, headers: {X: y}}", #"POST a with form {"b":"1"}, X: y"#,
      #"[POST a with json {"b":1}]"#
    ),
  ])
  func anotherBodyIsTold(expected: String, wanted: String, actual: String) async throws {
    let complaint = try await complaint(
      """
      responses: {POST a: {body: []}}
      steps: [{request: Post, urn: a, method: POST, json: {b: 1}}]
      expect: {requests: [\(expected)]}

      """)
    #expect(complaint.contains("= expected: \(wanted)\n"), "\(complaint)")
    #expect(complaint.contains("= actual:   \(actual)\n"), "\(complaint)")
  }

  // MARK: Redirects

  /// The method and the body of the request that follows, as with `HTTPServer`.
  @Test(arguments: [
    (301, "POST", "GET", false), (302, "POST", "GET", false), (303, "POST", "GET", false),
    (307, "POST", "POST", true), (308, "POST", "POST", true), (303, "PUT", "GET", false),
    (302, "PUT", "PUT", true), (302, "DELETE", "DELETE", true), (303, "DELETE", "GET", false),
  ])
  func redirectsAreFollowed(status: Int, method: String, becomes: String, keepsBody: Bool) async throws {
    let address = becomes == "GET" ? "b" : "\(becomes) b"
    let (body, language) = keepsBody ? ("json: [1], ", "de") : ("", "null")
    let golden = try await golden(
      """
      responses:
        \(method) x/a: {status: \(status), headers: {location: ../b}}
        \(address): {body: [{id: b}]}
      steps:
        - request: Post
          urn: x/a
          method: \(method)
          json: [1]
          options: {headers: {X-Token: 1, Content-Language: de}}
          expect:
            records: [Post/b]
            requests:
              - {address: \(method) x/a, json: [1], headers: {X-Token: 1, Content-Language: de}}
              - {address: \(address), \(body)headers: {X-Token: 1, Content-Language: \(language)}}

      """)
    #expect(golden.contains(#""records":["Post/b"]"#), "\(golden)")
  }

  @Test func anotherOriginGetsNoSecrets() async throws {
    _ = try await golden(
      """
      servers: {Draft: "https://drafts.test/v2/"}
      responses:
        a: {status: 302, headers: {Location: "https://other.test/a"}}
        https://other.test/a: {status: 302, headers: {Location: "//api.test/b"}}
        b: {body: [{id: b}]}
        https://drafts.test/v2/a: {status: 302, headers: {Location: "HTTPS://Drafts.test:443/c"}}
        https://Drafts.test:443/c: {body: [{id: c}]}
        https://api.test/d: {body: [{id: d}]}
        https://other.test/e:
          - {when: {headers: {X-Token: "1"}}, body: [], optional: true}
          - {body: [{id: e}]}
        https://drafts.test/f: {body: [{id: f}]}
      options: {headers: {X-Token: 1, Accept: x}}
      steps:
        - request: Post
          urn: a
          expect:
            requests:
              - {address: a, headers: {X-Token: 1, Accept: x}}
              - {address: "https://other.test/a", headers: {X-Token: null, Accept: x}}
              - {address: b, headers: {X-Token: null, Accept: x}}
        # The origin of the server is the one that counts, however it is written.
        - request: Draft
          urn: a
          expect: {requests: {contains: [{address: "https://Drafts.test:443/c", headers: {X-Token: 1}}]}}
        - request: Draft
          urn: https://api.test/d
          expect: {requests: [{address: d, headers: {X-Token: null, Accept: x}}]}
        # The address of the request counts, too, not only those of redirects.
        - request: Post
          urn: https://other.test/e
          expect:
            records: [Post/e]
            requests: [{address: "https://other.test/e", headers: {X-Token: null, Accept: x}}]
        - request: Post
          urn: https://drafts.test/f
          expect: {requests: [{address: "https://drafts.test/f", headers: {X-Token: null, Accept: x}}]}

      """)
  }

  @Test(arguments: [307, 308]) func anotherOriginGetsNoBody(status: Int) async throws {
    let golden = try await golden(
      """
      responses:
        POST a: {status: \(status), headers: {Location: "https://other.test/a"}, repeat: true}
        POST https://other.test/a: {body: [{id: a}]}
      steps:
        - {request: Post, urn: a, method: POST, form: {a: b}, expect: {failure: untrusted-origin, graph: {Post: none}}}
        - request: Post
          urn: https://other.test/a
          method: POST
          json: 1
          expect: {failure: untrusted-origin, requests: none}
        # A request without a body can be redirected to any origin.
        - {request: Post, urn: a, method: POST, expect: {records: [Post/a]}}

      """)
    #expect(golden.contains(#""failure":{"code":"untrusted-origin"}"#), "\(golden)")
  }

  @Test func aLoopOfRedirectsEnds() async throws {
    _ = try await golden(
      """
      responses:
        a: {status: 302, headers: {Location: a}, repeat: true}
      steps: [{request: Post, urn: a}]
      expect: {failure: too-many-redirects, requests: {count: 21}}

      """)
  }

  @Test(arguments: [
    "{status: 302}", "{status: 300, headers: {Location: b}}", "{status: 304, headers: {Location: b}}",
    "{status: 302, headers: {Location: \"ftp://api.test/b\"}}",
    "{status: 302, headers: {Location: \"https:///b\"}}",
  ])
  func otherRedirectsAreFailures(response: String) async throws {
    let golden = try await golden(
      """
      responses: {a: \(response), b: {body: [], optional: true}}
      steps: [{request: Post, urn: a}]
      expect: {failure: http-status, requests: [a]}

      """)
    #expect(golden.contains(#""code":"http-status""#), "\(golden)")
  }

  /// Each request of a redirect takes its own time, also in a batch and in flight.
  @Test(.timeLimit(.minutes(10))) func redirectsTakeTime() async throws {
    _ = try await golden(
      """
      responses:
        a: {status: 302, headers: {Location: b}, delay: 2s, repeat: true}
        b: {delay: 2s, body: [{id: "1", text: b}], repeat: true}
        c: {delay: 3s, body: [{id: "1", text: c}]}
        d: {delay: 5s, body: [{id: "1", text: d}]}
        e: {delay: 3s, body: [{id: "2", text: e}]}
        f: {delay: 5s, body: [{id: "2", text: f}]}
      steps:
        - {request: Post, urn: a, as: a}
        - {request: Post, urn: c, as: c}
        - {request: Post, urn: d, as: d}
        - {await: a, expect: {updated: {Post/1: {text: {from: c, to: b}}}}}
        - {await: c, expect: {inserted: [Post/1]}}
        - {await: d, expect: {updated: {Post/1: {text: {from: b, to: d}}}}}
        - batch:
            - {request: Post, urn: f}
            - {request: Post, urn: a}
            - {request: Post, urn: e}
          expect: {requests: [f, a, e, b], graph: {Post: [{id: "1", text: b}, {id: "2", text: f}]}}
      expect: {graph: {Post: {count: 2}}}

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
    let text = "responses: {a: {body: [{id: a}]}}\nsteps: [{request: Post, urn: a}]\n"
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
