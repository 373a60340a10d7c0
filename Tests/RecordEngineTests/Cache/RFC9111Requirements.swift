import Foundation

extension RFC9111Requirement {
  static let all =
    storing + constructing + freshness + validation + invalidation + age + wishes + directives + fields

  private static let fresh = control("max-age=60")
  private static let tagged = fresh.merging(["ETag": #""a""#]) { $1 }

  private static func control(_ text: String) -> [String: String] { ["Cache-Control": text] }

  /// Returns a date in the format of HTTP. The seconds are those of the clock, which starts at 0.
  private static func date(_ seconds: Double) -> String {
    HTTPDateText.fixdate.text(Date(timeIntervalSinceReferenceDate: seconds))
  }

  // MARK: 3. Storing responses

  private static let storing: [RFC9111Requirement] = [
    .init("3", "stores a response with max-age", .asks(fresh), .hits(after: 59)),
    .init("3", "stores a response with Expires", .asks(["Expires": date(60)]), .hits(after: 59)),
    .init(
      "3", "stores a response with a heuristic lifetime", .asks(["Last-Modified": date(-600)]),
      .hits(after: 59)),
    .init("3", "does not store a response without freshness information", .asks(), .asks()),
    .init("3", "does not store a response to POST", .asks(fresh, by: "POST"), .asks()),
    .init("3", "does not store a response with no-store", .asks(control("no-store, max-age=60")), .asks()),
    .init(
      "3", "does not store a response to a request with no-store", .asks(fresh, with: control("no-store")),
      .asks()),
    .init(
      "3", "does not store an unknown status with must-understand",
      .asks(control("must-understand, max-age=60"), status: 226), .asks()),
    .init("3", "does not store a failure", .asks(fresh, status: 404), .asks()),
    .init(
      "3.1", "does not store fields that Connection lists",
      .asks(fresh.merging(["Connection": "X-Hop", "X-Hop": "1", "X-End": "2"]) { $1 }),
      .hits(has: ["Connection": nil, "X-Hop": nil, "X-End": "2"])),
    .init(
      "3.1", "does not store fields for proxies",
      .asks(fresh.merging(["Proxy-Authenticate": "a", "Proxy-Authentication-Info": "b"]) { $1 }),
      .hits(has: ["Proxy-Authenticate": nil, "Proxy-Authentication-Info": nil])),
    .init(
      "3.2", "updates the stored fields",
      .asks(tagged.merging(["X-A": "1", "X-B": "1"]) { $1 }), .confirms(["X-A": "2"], after: 60),
      .hits(has: ["X-A": "2", "X-B": "1"])),
    .init(
      "3.2", "does not update Content-Length",
      .asks(tagged.merging(["Content-Length": "9"]) { $1 }), .confirms(["Content-Length": "0"], after: 60),
      .hits(has: ["Content-Length": "9"])),
    .init(
      "3.3", "does not reuse partial content", .asks(fresh, status: 206, with: ["Range": "bytes=0-1"]),
      .asks()),
    .init(
      "3.3", "does not use a stored response for a range request", .asks(fresh),
      .asks(status: 206, with: ["Range": "bytes=0-1"])),
    .init(
      "3.5", "stores the response to a request with Authorization, as a private cache may",
      .asks(fresh, with: ["Authorization": "a"]), .hits(with: ["Authorization": "a"])),
  ]

  // MARK: 4. Constructing responses from caches

  private static let constructing: [RFC9111Requirement] = [
    .init("4", "does not reuse a response for another URI", .asks(fresh), .asks(at: "posts?page=2")),
    .init("4", "does not reuse a response for another method", .asks(fresh), .asks(by: "OPTIONS")),
    .init(
      "4", "writes unsafe methods through to the server", .asks(fresh), .asks(by: "POST"), .asks(by: "POST")),
    .init(
      "4", "does not reuse a response with no-cache without validation",
      .asks(control("max-age=60, no-cache").merging(["ETag": #""a""#]) { $1 }), .confirms()),
    .init("4", "adds the age of a reused response", .asks(fresh), .hits(after: 9, has: ["Age": "9"])),
    .init(
      "4", "uses the most recent of several responses",
      .asks(fresh.merging(["Vary": "Accept", "X-A": "1"]) { $1 }, with: ["Accept": "a"]),
      .asks(fresh.merging(["X-A": "2"]) { $1 }, with: ["Accept": "b"], after: 1),
      .hits(with: ["Accept": "a"], has: ["X-A": "2"])),
    .init(
      "4.1", "reuses a response if the fields that it varies with are equal",
      .asks(fresh.merging(["Vary": "Accept"]) { $1 }, with: ["Accept": "a,b"]),
      .hits(with: ["accept": "a, b", "X-A": "1"])),
    .init(
      "4.1", "does not reuse a response if one of these fields differs",
      .asks(fresh.merging(["Vary": "Accept, X-A"]) { $1 }, with: ["Accept": "a", "X-A": "1"]),
      .asks(with: ["Accept": "a", "X-A": "2"])),
    .init(
      "4.1", "matches an absent field only with an absent field",
      .asks(fresh.merging(["Vary": "Accept"]) { $1 }), .asks(with: ["Accept": "a"])),
    .init(
      "4.1", "does not reuse a response that varies with *", .asks(tagged.merging(["Vary": "*"]) { $1 }),
      .asks()),
    .init(
      "4.1", "stores a response for each variant",
      .asks(fresh.merging(["Vary": "Accept"]) { $1 }, with: ["Accept": "a"]),
      .asks(fresh.merging(["Vary": "Accept"]) { $1 }, with: ["Accept": "b"]), .hits(with: ["Accept": "a"])),
  ]

  private static let freshness: [RFC9111Requirement] = [
    .init(
      "4.2", "is fresh while its age is less than its lifetime", .asks(fresh), .hits(after: 59.9),
      .asks(after: 0.1)
    ),
    .init(
      "4.2.1", "prefers max-age to Expires", .asks(["Expires": date(9)].merging(fresh) { $1 }),
      .hits(after: 59)),
    .init(
      "4.2.1", "computes the lifetime from Expires and Date",
      .asks(["Date": date(-100), "Expires": date(-40), "Age": "0"]),
      .asks()),
    .init(
      "4.2.1", "does not use the longer of two values of max-age", .asks(control("max-age=5, max-age=60")),
      .asks(after: 6)),
    .init(
      "4.2.1", "treats invalid freshness information as stale", .asks(control("max-age=1.5")), .asks(after: 1)
    ),
    .init(
      "4.2.2", "uses a tenth of the time since the last modification", .asks(["Last-Modified": date(-1000)]),
      .hits(after: 99), .confirms(after: 1)),
    .init(
      "4.2.2", "uses no heuristic lifetime next to an explicit one",
      .asks(control("max-age=5").merging(["Last-Modified": date(-1000)]) { $1 }), .confirms(after: 5)),
    .init(
      "4.2.3", "counts the Age of the response", .asks(fresh.merging(["Age": "50"]) { $1 }),
      .asks(after: 10)),
    .init(
      "4.2.3", "counts the time since its Date", .asks(fresh.merging(["Date": date(-50)]) { $1 }),
      .asks(after: 10)),
    .init(
      "4.2.3", "uses the larger of Age and the time since Date",
      .asks(fresh.merging(["Date": date(-50), "Age": "20"]) { $1 }), .hits(after: 9, has: ["Age": "59"])),
    .init(
      "4.2.3", "counts the delay of the response", .asks(fresh.merging(["Age": "10"]) { $1 }, takes: 40),
      .hits(after: 9, has: ["Age": "59"])),
    .init(
      "4.2.4", "does not serve a stale response if the server fails", .asks(tagged),
      .asks(status: 500, after: 60)),
    .init(
      "4.2.4", "does not serve a stale response with must-revalidate, even with max-stale",
      .asks(control("max-age=60, must-revalidate, stale-if-error=60").merging(["ETag": #""a""#]) { $1 }),
      .asks(status: 500, with: control("max-stale"), after: 60)),
  ]

  // MARK: 4.3. Validation

  private static let validation: [RFC9111Requirement] = [
    .init(
      "4.3.1", "revalidates with the entity tag", .asks(tagged),
      .confirms(after: 60, sends: ["If-None-Match": #""a""#])),
    .init(
      "4.3.1", "revalidates with the date of the last modification",
      .asks(fresh.merging(["Last-Modified": date(-5)]) { $1 }),
      .confirms(after: 60, sends: ["If-Modified-Since": date(-5), "If-None-Match": nil])),
    .init(
      "4.3.1", "sends no condition without a validator", .asks(fresh),
      .asks(after: 60, sends: ["If-Modified-Since": nil, "If-None-Match": nil])),
    .init(
      "4.3.2", "passes conditions of the client to the server", .asks(tagged),
      .asks(status: 304, with: ["If-None-Match": #""a""#], sends: ["If-None-Match": #""a""#])),
    .init(
      "4.3.3", "reuses a response that a 304 confirms", .asks(tagged), .confirms(after: 60), .hits(after: 59)),
    .init(
      "4.3.3", "replaces a stored response by a full one", .asks(tagged.merging(["X-A": "1"]) { $1 }),
      .asks(fresh.merging(["X-A": "2"]) { $1 }, after: 60), .hits(has: ["X-A": "2"])),
    .init(
      "4.3.3", "returns a failure of the server, and keeps the stored response", .asks(tagged),
      .asks(status: 503, after: 60), .confirms()),
    .init(
      "4.3.4", "updates a response with the entity tag of the 304", .asks(tagged),
      .confirms(["ETag": #"W/"a""#], after: 60), .hits()),
    .init(
      "4.3.4", "updates the only response by a 304 without a validator", .asks(tagged),
      .confirms(control("max-age=5"), after: 60), .confirms(after: 5)),
    .init(
      "4.3.5", "updates a response that a HEAD confirms", .asks(tagged.merging(["X-A": "1"]) { $1 }),
      .asks(tagged.merging(["X-A": "2"]) { $1 }, by: "HEAD", after: 59), .hits(after: 59, has: ["X-A": "2"])),
    .init(
      "4.3.5", "updates a response by a HEAD without validators", .asks(fresh),
      .asks(fresh, by: "HEAD", after: 59),
      .hits(after: 59)),
    .init(
      "4.3.5", "removes a response if a HEAD has a different entity tag", .asks(tagged),
      .asks(["ETag": #""b""#], by: "HEAD"), .asks()),
    .init(
      "4.3.5", "removes a response if a HEAD has a different modification date",
      .asks(fresh.merging(["Last-Modified": date(-5)]) { $1 }),
      .asks(["Last-Modified": date(-4)], by: "HEAD"),
      .asks()),
    .init(
      "4.3.5", "removes a response if a HEAD has a different length",
      .asks(fresh.merging(["Content-Length": "9"]) { $1 }), .asks(["Content-Length": "8"], by: "HEAD"),
      .asks()),
    .init(
      "4.3.5", "ignores a HEAD with a status other than 200", .asks(tagged),
      .asks(["ETag": #""b""#], status: 204, by: "HEAD"), .hits()),
  ]

  // MARK: 4.4. Invalidation

  private static let invalidation: [RFC9111Requirement] = [
    .init(
      "4.4", "invalidates the URI of an unsafe method", .asks(tagged), .asks(by: "PUT"),
      .asks(sends: ["If-None-Match": nil])),
    .init(
      "4.4", "invalidates the URI of an unknown method", .asks(fresh), .asks(by: "PURGE"),
      .asks()),
    .init("4.4", "invalidates after a redirect", .asks(fresh), .asks(status: 303, by: "POST"), .asks()),
    .init("4.4", "does not invalidate after an error", .asks(fresh), .asks(status: 500, by: "POST"), .hits()),
    .init("4.4", "does not invalidate after a safe method", .asks(fresh), .asks(by: "OPTIONS"), .hits()),
    .init(
      "4.4", "invalidates Location of the same origin", .asks(fresh, at: "posts/1"),
      .asks(["Location": "/posts/1"], status: 201, by: "POST"), .asks(at: "posts/1")),
    .init(
      "4.4", "invalidates Content-Location of the same origin", .asks(fresh, at: "posts/1"),
      .asks(["Content-Location": "https://A.test:443/posts/1"], by: "POST"), .asks(at: "posts/1")),
    .init(
      "4.4", "does not invalidate another origin", .asks(fresh, at: "posts/1"),
      .asks(["Location": "https://b.test/posts/1"], status: 201, by: "POST"), .hits(at: "posts/1")),
  ]

  // MARK: 5. Field definitions

  private static let age: [RFC9111Requirement] = [
    .init(
      "5.1", "uses the first of several values of Age", .asks(fresh.merging(["Age": "5, 50"]) { $1 }),
      .hits(has: ["Age": "5"])),
    .init(
      "5.1", "ignores an invalid Age", .asks(fresh.merging(["Age": "-50"]) { $1 }),
      .hits(has: ["Age": "0"])),
    .init("5.2", "reads directives in any case", .asks(control("Max-Age=60")), .hits()),
    .init("5.2", "reads a quoted argument", .asks(control(#"max-age="60""#)), .hits()),
    .init(
      "5.2", "ignores an unknown directive", .asks(control("no-caching=1, max-age=60")), .hits()),
    .init(
      "5.2", "does not read directives in a quoted argument",
      .asks(control(#"ext="a, no-store", max-age=60"#)),
      .hits()),
  ]

  private static let wishes: [RFC9111Requirement] = [
    .init(
      "5.2.1.1", "does not serve a response older than the request's max-age", .asks(fresh),
      .hits(with: control("max-age=9"), after: 9), .asks(with: control("max-age=9"), after: 1)),
    .init(
      "5.2.1.2", "serves a stale response within the request's max-stale", .asks(tagged),
      .hits(with: control("max-stale=9"), after: 69), .confirms(with: control("max-stale=9"), after: 1)),
    .init(
      "5.2.1.2", "serves any stale response if max-stale has no argument", .asks(tagged),
      .hits(with: control("max-stale"), after: 9999)),
    .init(
      "5.2.1.2", "serves a response that was stale on arrival", .asks(fresh.merging(["Age": "90"]) { $1 }),
      .hits(with: control("max-stale=30"))),
    .init(
      "5.2.1.3", "does not serve a response less fresh than the request's min-fresh", .asks(fresh),
      .hits(with: control("min-fresh=9"), after: 51), .asks(with: control("min-fresh=9"), after: 1)),
    .init(
      "5.2.1.4", "revalidates for a request with no-cache", .asks(tagged),
      .confirms(with: control("no-cache"))),
    .init(
      "5.2.1.5", "keeps the stored response unchanged for a request with no-store", .asks(tagged),
      .confirms(with: control("no-store"), after: 60), .confirms()),
    .init(
      "5.2.1.6", "serves a response for a request with no-transform", .asks(fresh),
      .hits(with: control("no-transform"))),
    .init(
      "5.2.1.7", "serves a stored response with only-if-cached", .asks(fresh),
      .hits(with: control("only-if-cached"))),
    .init(
      "5.2.1.7", "fails with 504 if only-if-cached finds no response", .asks(tagged),
      .unavailable(with: control("only-if-cached"), after: 60)),
  ]

  private static let directives: [RFC9111Requirement] = [
    .init("5.2.2.1", "is stale after max-age", .asks(fresh), .hits(after: 59), .asks(after: 1)),
    .init(
      "5.2.2.2", "does not reuse a stale response with must-revalidate",
      .asks(control("max-age=60, must-revalidate").merging(["ETag": #""a""#]) { $1 }), .hits(after: 59),
      .confirms(with: control("max-stale"), after: 1)),
    .init(
      "5.2.2.3", "stores a known status with must-understand and no-store",
      .asks(control("must-understand, no-store, max-age=60")), .hits()),
    .init(
      "5.2.2.4", "revalidates a response with no-cache each time",
      .asks(control("no-cache").merging(["ETag": #""a""#]) { $1 }), .confirms(),
      .confirms(with: control("max-stale"))),
    .init(
      "5.2.2.4", "treats no-cache with fields like no-cache without fields",
      .asks(control(#"no-cache="X-A", max-age=60"#).merging(["ETag": #""a""#]) { $1 }), .confirms()),
    .init(
      "5.2.2.5", "removes the stored response if the next one has no-store", .asks(tagged),
      .asks(control("no-store"), after: 60), .asks(sends: ["If-None-Match": nil])),
    .init(
      "5.2.2.6", "stores a response with no-transform", .asks(control("no-transform, max-age=60")), .hits()),
    .init(
      "5.2.2.7", "stores a private response, as a private cache may", .asks(control("private, max-age=60")),
      .hits()),
    .init(
      "5.2.2.7", "stores a response with private fields", .asks(control(#"private="X-A", max-age=60"#)),
      .hits()),
    .init(
      "5.2.2.8", "does not revalidate for proxy-revalidate", .asks(control("max-age=60, proxy-revalidate")),
      .hits(with: control("max-stale"), after: 60)),
    .init("5.2.2.9", "stores a public response", .asks(control("public, max-age=60")), .hits()),
    .init("5.2.2.10", "ignores s-maxage", .asks(control("s-maxage=5, max-age=60")), .hits(after: 59)),
  ]

  private static let fields: [RFC9111Requirement] = [
    .init(
      "5.3", "treats an invalid Expires as expired", .asks(["Expires": "0", "ETag": #""a""#]),
      .confirms()),
    .init(
      "5.3", "treats an Expires in another time zone as expired",
      .asks(["Expires": date(60).replacing("GMT", with: "UTC"), "ETag": #""a""#]), .confirms()),
    .init(
      "5.4", "revalidates for a request with Pragma: no-cache", .asks(tagged),
      .confirms(with: ["Pragma": "no-cache"])),
    .init(
      "5.4", "ignores Pragma next to Cache-Control", .asks(tagged),
      .hits(with: ["Pragma": "no-cache", "Cache-Control": "max-age=60"])),
    .init(
      "5.4", "ignores Pragma of a response", .asks(fresh.merging(["Pragma": "no-cache"]) { $1 }), .hits()),
    .init("5.5", "ignores Warning", .asks(fresh.merging(["Warning": #"110 - "stale""#]) { $1 }), .hits()),
  ]
}
