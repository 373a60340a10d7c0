import Foundation
import JSONTree
import TestSupport
import Testing

@testable import RecordSpec
@testable import RecordSpecCommand
@testable import ScenarioComparison
@testable import ScenarioFormat
@testable import ScenarioReport

/// Tests for the replacement of secrets and personal values.
struct PseudonymTests {
  private func replaced(_ recording: String) throws -> (
    session: RecordedSession, counts: [PersonalValues.Kind: Int]
  ) {
    let read = ReadRecording(recording)
    try #require(read.errors == [])
    let session = RecordedSession(read.exchanges)
    var pseudonyms = Pseudonyms(for: PersonalValues(of: session))
    let replaced = pseudonyms.replaced(session)
    return (replaced, pseudonyms.counts)
  }

  private func json(_ response: String) throws -> String {
    let (session, _) = try replaced(
      #"[{"url": "https://api.test/a", "status": 200, "response": \#(response)}]"#)
    return session.exchanges[0].json?.compactText() ?? ""
  }

  @Test(arguments: [
    (
      #"{"id":1,"name":"bug","access_token":"s3cret-x","pin":1234}"#,
      #"{"id":1,"name":"bug","access_token":"token-1","pin":2}"#
    ),
    (
      #"{"next_page_token":"abcdefg","token_type":"bearer"}"#,
      #"{"next_page_token":"abcdefg","token_type":"bearer"}"#
    ),
    (
      #"{"user":{"name":"Ada Berg"},"text":"by Ada Berg, Adapter"}"#,
      #"{"user":{"name":"Person 1"},"text":"by Person 1, Adapter"}"#
    ),
    (
      #"[{"login":"adab","url":"https://adab.test/u/adab?x=adab"}]"#,
      #"[{"login":"user-1","url":"https://adab.test/u/user-1?x=user-1"}]"#
    ),
    (
      #"{"mail":"write to ada@x.test.","icon":"a@2x.png","git":"git@x.test"}"#,
      #"{"mail":"write to person1@example.com.","icon":"a@2x.png","git":"git@x.test"}"#
    ),
    (
      #"{"a":"q=ada%40x.test","b":"ada@x.test"}"#,
      #"{"a":"q=person1%40example.com","b":"person1@example.com"}"#
    ),
    (#"{"owner":"Bo","tag":"Bo"}"#, #"{"owner":"Person 1","tag":"Bo"}"#),
    (
      #"{"email":"ada@x.test","name":"Ada","x":"token-1","password":"hunter22"}"#,
      #"{"email":"person1@example.com","name":"Person 1","x":"token-1","password":"token-2"}"#
    ),
    (
      #"{"u":"https://bob:pass%21word@x.test/a?api_key=k%2B12345"}"#,
      #"{"u":"https://user-1:token-1@x.test/a?api_key=token-2"}"#
    ),
    (
      #"{"u":"https://x.test/a?X-Amz-Signature=9f86d0810a08&key=mapkey-77&page=2"}"#,
      #"{"u":"https://x.test/a?X-Amz-Signature=token-1&key=token-2&page=2"}"#
    ),
    (
      #"{"page_access_token":"pageacc1","next_page_token":"cursor-9","refreshTokens":["refresh1"],"key":"plain-key"}"#,
      #"{"page_access_token":"token-1","next_page_token":"cursor-9","refreshTokens":["token-2"],"key":"plain-key"}"#
    ),
    (
      #"{"aws_secret_access_key":"awsacc12","password2":"hunter99","password_hash":"c0ffee11","primary_key":"orders"}"#,
      #"{"aws_secret_access_key":"token-1","password2":"token-2","password_hash":"token-3","primary_key":"orders"}"#
    ),
    (
      #"{"token":{"value":"v4lue-11","type":"bearer","expires_at":"2030"},"tokens":{"github":"gh-12345"}}"#,
      #"{"token":{"value":"token-1","type":"bearer","expires_at":"2030"},"tokens":{"github":"token-2"}}"#
    ),
    (
      #"{"log":"used eyJhbGci.eyJzdWIi.c2lnbmF0, npm_0123456789abcdef."}"#,
      #"{"log":"used token-1, token-2."}"#
    ),
    // Users and passwords before hosts, also short ones.
    (
      #"{"a":"https://me@example.org/x","b":"see //u:p@h.test. or https://me@example.org@h.test:8/"}"#,
      #"{"a":"https://user-1@example.org/x","b":"see //user-2:token-1@h.test. or https://person1%40example.com@h.test:8/"}"#
    ),
    (
      #"{"a":"https://9f86d0810a081122@sentry.test/4","b":"//u:p@h.test/","c":"ssh://git@h.test/a"}"#,
      #"{"a":"https://token-1@sentry.test/4","b":"//user-1:token-2@h.test/","c":"ssh://git@h.test/a"}"#
    ),
    (
      #"{"token":"redis://:pa%2Fss@h.test","x":"me@h.test","y":"https://me@h.test"}"#,
      #"{"token":"redis://:token-1@h.test","x":"person1@example.com","y":"https://user-1@h.test"}"#
    ),
    // Counts, identifiers, words and sentences under the keys of secrets.
    (
      #"{"usage":{"tokens":1523,"max_tokens":"4096"},"session":7,"auth":"basic","pins":3,"otp":482913}"#,
      #"{"usage":{"tokens":1523,"max_tokens":"4096"},"session":7,"auth":"basic","pins":3,"otp":1}"#
    ),
    (
      #"{"session":{"id":7,"title":"Swift 6 in practice","room":"B12"},"signature":"Best regards","token":"none"}"#,
      #"{"session":{"id":7,"title":"Swift 6 in practice","room":"B12"},"signature":"Best regards","token":"none"}"#
    ),
    (
      #"{"session":{"url":"https://x.test/s/7","state":"abc-123-xyz"},"authorization":"Bearer abc123","password":"sun"}"#,
      #"{"session":{"url":"https://x.test/s/7","state":"token-1"},"authorization":"token-2","password":"token-3"}"#
    ),
    // A short secret stays the same in links.
    (
      #"{"next":"/a?api_key=x1y&p=2","html":"<a href=\"https://h.test/?p=3&api_key=x1y\">","x1y":"x1y"}"#,
      #"{"next":"/a?api_key=token-1&p=2","html":"<a href=\"https://h.test/?p=3&api_key=token-1\">","x1y":"x1y"}"#
    ),
    (
      #"{"a":"?token=http://token=http://u:pw@h.test/","b":"?password=x;y12345&z","password":"x;y12345"}"#,
      #"{"a":"?token=http://token=http://user-1:token-1@h.test/","b":"?password=token-2&z","password":"token-2"}"#
    ),
    (#"{"ada@x.test":{"id":1}}"#, #"{"person1@example.com":{"id":1}}"#),
    (
      #"{"by":{"first_name":"Zoë","last_name":"O'Neil"},"p":"/people/Zo%C3%AB"}"#,
      #"{"by":{"first_name":"Person 1","last_name":"Person 2"},"p":"/people/Person%201"}"#
    ),
  ])
  func valuesAreReplaced(response: String, expected: String) throws {
    #expect(try json(response) == expected)
  }

  @Test func headersAndAddressesAreReplacedToo() throws {
    let (session, counts) = try replaced(
      #"""
      [{"url": "https://api.test/users/adab?api_key=qwertz123", "method": "POST", "status": 200,
        "reqheaders": {"Authorization": "Bearer qwertz123", "Cookie": "sid=cookie-value; b=1"},
        "body": "password=hunter22&name=x",
        "headers": {"Link": "<https://api.test/users/adab?p=2&api_key=qwertz123>; rel=next"},
        "response": {"login": "adab", "echo": "cookie-value", "auth": "Basic"}}]
      """#)
    let exchange = session.exchanges[0]
    #expect(exchange.url == "https://api.test/users/user-1?api_key=token-1")
    #expect(exchange.headers["Link"] == "<https://api.test/users/user-1?p=2&api_key=token-1>; rel=next")
    #expect(exchange.requestHeaders.fields.isEmpty)
    #expect(
      exchange.requestBody.map { String(decoding: $0.bytes, as: UTF8.self) }?.contains("hunter22") == false)
    #expect(exchange.json?["echo"] == "token-3")
    #expect(counts[.name] == 1)
  }

  /// Most cookies contain settings, whose values are words of other texts, too.
  @Test(arguments: [
    ("country=Germany; theme=dark; since=2031-05-01T10:00:00Z; n=123456", false),
    ("a=9f86d0810a08", true), ("b=%7B%22k%22%3A%22s3cR3tK3y%22%7D", true),
    ("id=3f2504e0-aaaa-11d3-9a0c-0305e82c3301", true), ("session_token=sunny-meadow", true), ("=x", false),
  ])
  func onlyCookiesThatLookLikeSecretsAreReplacedElsewhere(cookies: String, isSecret: Bool) throws {
    for (header, side) in [("Cookie", "reqheaders"), ("Set-Cookie", "headers")] {
      for cookie in cookies.split(separator: "; ") {
        let written = String(cookie.drop { $0 != "=" }.dropFirst())
        let echo = written.removingPercentEncoding ?? written
        let body: JSONValue = ["echo": .string(echo)]
        let (session, counts) = try replaced(
          #"""
          [{"url": "https://api.test/a", "status": 200, "\#(side)": {"\#(header)": "\#(cookie)"},
            "response": \#(body.compactText())}]
          """#)
        #expect(session.exchanges[0].json?["echo"] == (isSecret ? "token-1" : .string(echo)), "\(cookie)")
        #expect(counts == (isSecret ? [.token: 1] : [:]))
        #expect(
          session.exchanges[0].headers.fields.isEmpty && session.exchanges[0].requestHeaders.fields.isEmpty)
      }
    }
  }

  /// Values that are not written have no numbers.
  @Test func onlyReplacedValuesAreCounted() throws {
    let (session, counts) = try replaced(
      #"""
      [{"url": "https://api.test/a", "status": 200,
        "reqheaders": {"Authorization": "Bearer first-0001", "X-Api-Key": "other-0002"},
        "headers": {"X-Auth-Token": "third-0003", "ETag": "x"}, "response": {"token": "fourth-0004"}}]
      """#)
    #expect(session.exchanges[0].json == ["token": "token-1"])
    #expect(session.exchanges[0].headers.fields.map(\.name) == ["ETag"])
    #expect(counts == [.token: 1])
  }

  /// Values of enumerations are no names, even under the key of a person.
  @Test(arguments: [
    (#"{"creator": "automatic", "mode": "automatic"}"#, true), (#"{"owner": "NOT_SET"}"#, true),
    (#"{"user": {"email": null, "name": "system"}}"#, true), (#"{"assignee": "first-come"}"#, true),
    (#"{"display_name": "élan"}"#, true), (#"{"owner": "Ada"}"#, false), (#"{"owner": "MARIA"}"#, false),
    (#"{"owner": "ada lovelace"}"#, false), (#"{"owner": "李雷"}"#, false), (#"{"first_name": "ada"}"#, false),
    (#"{"login": "ada"}"#, false),
  ])
  func aLowerCaseWordIsNoName(response: String, isKept: Bool) throws {
    let kept = response.replacing(": ", with: ":").replacing(", ", with: ",")
    #expect((try json(response) == kept) == isKept)
  }

  /// The summary shows what was replaced, but no secrets.
  @Test func replacedValuesAreListed() throws {
    let read = ReadRecording(
      #"""
      [{"url": "https://api.test/a?api_key=k1k2k3k4k5", "status": 200, "response":
        {"author": "Ada", "text": "Ada, ada@x.test", "token": "t1t2t3t4t5", "login": "adal"}}]
      """#)
    let session = RecordedSession(read.exchanges)
    var pseudonyms = Pseudonyms(for: PersonalValues(of: session))
    _ = pseudonyms.replaced(session)
    #expect(
      pseudonyms.summary == [
        "replaced: 2 tokens, 1 e-mail address, 2 names", "  api_key: a text of 10 characters -> token-1",
        "  token: a text of 10 characters -> token-2", "  text: 'ada@x.test' -> person1@example.com",
        "  author: 'Ada' -> Person 1 (2 times)", "  login: 'adal' -> user-2",
      ])
    let names = (0..<30).map { #"{"author": "Ada B\#($0)"}"# }.joined(separator: ",")
    let many = RecordedSession(
      ReadRecording(#"[{"url": "https://api.test/a", "status": 200, "response": [\#(names)]}]"#).exchanges)
    pseudonyms = Pseudonyms(for: PersonalValues(of: many))
    _ = pseudonyms.replaced(many)
    #expect(pseudonyms.summary.count == 22 && pseudonyms.summary.last == "  and 10 more")
  }

  /// An address and the link to it stay the same, so that pages are recognized.
  @Test(arguments: ["x1", "x1y2z", "longer-secret-1", "a%2Bb-c1%2f"])
  func aLinkStaysTheAddressOfItsRequest(secret: String) throws {
    let next = "https://api.test/b?api_key=\(secret)&page=2"
    let (session, _) = try replaced(
      #"""
      [{"url": "https://api.test/b?api_key=\#(secret)", "status": 200, "headers": {"Link": "<\#(next)>; rel=next"},
        "response": {"items": [], "next": "\#(next)"}},
       {"url": "\#(next)", "status": 200, "response": {"items": []}}]
      """#)
    let (first, second) = (session.exchanges[0], session.exchanges[1])
    #expect(second.url == "https://api.test/b?api_key=token-1&page=2")
    #expect(RecordedPaging(from: first, to: second) == .linkHeader)
    #expect(first.json?["next"] == .string(second.url))
  }

  /// The time for a text does not depend on the length of the values.
  @Test(.timeLimit(.minutes(5))) func longValuesAreReplacedInLinearTime() throws {
    let secret = String(repeating: "a1-", count: 100_000) + "z"
    let near = String(repeating: "a1-", count: 99_999) + "y"
    let text = try json(#"{"token":"\#(secret)","text":"x \#(secret), \#(near) \#(secret)"}"#)
    #expect(text == #"{"token":"token-1","text":"x token-1, \#(near) token-1"}"#)
  }

  /// Equal values stay equal, different ones stay different, and no original is left.
  @Test(arguments: sampled(Array(1...40 as ClosedRange<UInt64>)))
  func pseudonymsKeepEquality(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let secrets = (0..<5).map { _ in
      String((0..<12).map { _ in "abcdefgh".randomElement(using: &generator)! })
    }
    let names = (0..<5).map { _ in
      "N" + String((0..<7).map { _ in "abcdeé ".randomElement(using: &generator)! }) + "x"
    }
    let emails = (0..<5).map { _ in
      secrets.randomElement(using: &generator)! + "\(Int.random(in: 0...9, using: &generator))@mail.test"
    }
    var elements: [JSONValue] = []
    for _ in 0..<20 {
      let (secret, name, email) = (
        secrets.randomElement(using: &generator)!, names.randomElement(using: &generator)!,
        emails.randomElement(using: &generator)!
      )
      elements.append([
        "token": .string(secret), "user": ["name": .string(name), "email": .string(email)],
        "text": .string("\(name) (\(email)): https://x.test/?k=\(secret)"),
      ])
    }
    let original = JSONValue.array(elements)
    let text = try json(original.compactText())
    for value in secrets + names + emails {
      let occurs = original.compactText().contains(value)
      #expect(!occurs || !text.contains(value), "seed \(seed): \(value)")
    }
    let replaced = try JSONDocument(parsing: Array(text.utf8)).root.value
    guard case .array(let others) = replaced else { throw TestFailure() }
    for (left, leftOther) in zip(elements, others) {
      for (right, rightOther) in zip(elements, others) {
        #expect((left["token"] == right["token"]) == (leftOther["token"] == rightOther["token"]))
        #expect((left["user"] == right["user"]) == (leftOther["user"] == rightOther["user"]))
        #expect((left["text"] == right["text"]) == (leftOther["text"] == rightOther["text"]))
      }
    }
  }

  private struct TestFailure: Error {}

  @Test func manyValuesAreReplacedInLinearTime() throws {
    let objects = (0..<5_000).map { #"{"user": {"name": "Ada \#($0)"}, "text": "Ada Ada Ada \#($0)"}"# }
    let text = try json("[" + objects.joined(separator: ",") + "]")
    #expect(text.hasSuffix(#"{"user":{"name":"Person 5000"},"text":"Ada Ada Person 5000"}]"#))
  }
}
