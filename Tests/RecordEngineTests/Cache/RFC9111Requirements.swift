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
    .init("3", "stores what has max-age", .asks(fresh), .hits(after: 59)),
    .init("3", "stores what has Expires", .asks(["Expires": date(60)]), .hits(after: 59)),
    .init(
      "3", "stores what may be guessed to be fresh", .asks(["Last-Modified": date(-600)]), .hits(after: 59)),
    .init("3", "stores nothing that says nothing of its freshness", .asks(), .asks()),
    .init("3", "stores no response to POST", .asks(fresh, by: "POST"), .asks()),
    .init("3", "stores no response with no-store", .asks(control("no-store, max-age=60")), .asks()),
    .init(
      "3", "stores no response to a request with no-store", .asks(fresh, with: control("no-store")), .asks()),
    .init(
      "3", "stores no status that it does not understand with must-understand",
      .asks(control("must-understand, max-age=60"), status: 226), .asks()),
    .init("3", "stores no failure", .asks(fresh, status: 404), .asks()),
    .init(
      "3.1", "stores no field that Connection names",
      .asks(fresh.merging(["Connection": "X-Hop", "X-Hop": "1", "X-End": "2"]) { $1 }),
      .hits(has: ["Connection": nil, "X-Hop": nil, "X-End": "2"])),
    .init(
      "3.1", "stores no field for a proxy",
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
      "3.3", "does not answer with a part", .asks(fresh, status: 206, with: ["Range": "bytes=0-1"]), .asks()),
    .init(
      "3.3", "does not answer a request for a part", .asks(fresh),
      .asks(status: 206, with: ["Range": "bytes=0-1"])),
    .init(
      "3.5", "stores the response to a request with Authorization, as a private cache may",
      .asks(fresh, with: ["Authorization": "a"]), .hits(with: ["Authorization": "a"])),
  ]

  // MARK: 4. Constructing responses from caches

  private static let constructing: [RFC9111Requirement] = [
    .init("4", "does not answer a request for another URI", .asks(fresh), .asks(at: "posts?page=2")),
    .init("4", "does not answer another method", .asks(fresh), .asks(by: "OPTIONS")),
    .init(
      "4", "writes unsafe methods through to the server", .asks(fresh), .asks(by: "POST"), .asks(by: "POST")),
    .init(
      "4", "does not reuse a response with no-cache without validation",
      .asks(control("max-age=60, no-cache").merging(["ETag": #""a""#]) { $1 }), .confirms()),
    .init("4", "says how old a reused response is", .asks(fresh), .hits(after: 9, has: ["Age": "9"])),
    .init(
      "4", "uses the most recent response of several",
      .asks(fresh.merging(["Vary": "Accept", "X-A": "1"]) { $1 }, with: ["Accept": "a"]),
      .asks(fresh.merging(["X-A": "2"]) { $1 }, with: ["Accept": "b"], after: 1),
      .hits(with: ["Accept": "a"], has: ["X-A": "2"])),
    .init(
      "4.1", "reuses a response if the fields that it varies with are the same",
      .asks(fresh.merging(["Vary": "Accept"]) { $1 }, with: ["Accept": "a,b"]),
      .hits(with: ["accept": "a, b", "X-A": "1"])),
    .init(
      "4.1", "does not reuse it if one of them is another",
      .asks(fresh.merging(["Vary": "Accept, X-A"]) { $1 }, with: ["Accept": "a", "X-A": "1"]),
      .asks(with: ["Accept": "a", "X-A": "2"])),
    .init(
      "4.1", "takes a field that is absent for none other",
      .asks(fresh.merging(["Vary": "Accept"]) { $1 }), .asks(with: ["Accept": "a"])),
    .init("4.1", "reuses nothing that varies with *", .asks(tagged.merging(["Vary": "*"]) { $1 }), .asks()),
    .init(
      "4.1", "keeps a response for each variant",
      .asks(fresh.merging(["Vary": "Accept"]) { $1 }, with: ["Accept": "a"]),
      .asks(fresh.merging(["Vary": "Accept"]) { $1 }, with: ["Accept": "b"]), .hits(with: ["Accept": "a"])),
  ]

  private static let freshness: [RFC9111Requirement] = [
    .init(
      "4.2", "is fresh below its lifetime, and not at it", .asks(fresh), .hits(after: 59.9), .asks(after: 0.1)
    ),
    .init(
      "4.2.1", "goes by max-age before Expires", .asks(["Expires": date(9)].merging(fresh) { $1 }),
      .hits(after: 59)),
    .init(
      "4.2.1", "goes by Expires less Date", .asks(["Date": date(-100), "Expires": date(-40), "Age": "0"]),
      .asks()),
    .init(
      "4.2.1", "takes of two values none that is longer", .asks(control("max-age=5, max-age=60")),
      .asks(after: 6)),
    .init("4.2.1", "takes invalid freshness for stale", .asks(control("max-age=1.5")), .asks(after: 1)),
    .init(
      "4.2.2", "guesses a tenth of the time since it was modified", .asks(["Last-Modified": date(-1000)]),
      .hits(after: 99), .confirms(after: 1)),
    .init(
      "4.2.2", "guesses nothing if freshness is said",
      .asks(control("max-age=5").merging(["Last-Modified": date(-1000)]) { $1 }), .confirms(after: 5)),
    .init(
      "4.2.3", "counts the age that a response comes with", .asks(fresh.merging(["Age": "50"]) { $1 }),
      .asks(after: 10)),
    .init(
      "4.2.3", "counts the time since its Date", .asks(fresh.merging(["Date": date(-50)]) { $1 }),
      .asks(after: 10)),
    .init(
      "4.2.3", "takes the larger of the two",
      .asks(fresh.merging(["Date": date(-50), "Age": "20"]) { $1 }), .hits(after: 9, has: ["Age": "59"])),
    .init(
      "4.2.3", "counts the time on its way", .asks(fresh.merging(["Age": "10"]) { $1 }, takes: 40),
      .hits(after: 9, has: ["Age": "59"])),
    .init(
      "4.2.4", "does not answer stale when the server fails", .asks(tagged), .asks(status: 500, after: 60)),
    .init(
      "4.2.4", "does not answer stale what must be revalidated, whoever would take it",
      .asks(control("max-age=60, must-revalidate, stale-if-error=60").merging(["ETag": #""a""#]) { $1 }),
      .asks(status: 500, with: control("max-stale"), after: 60)),
  ]

  // MARK: 4.3. Validation

  private static let validation: [RFC9111Requirement] = [
    .init(
      "4.3.1", "asks with the tag", .asks(tagged), .confirms(after: 60, sends: ["If-None-Match": #""a""#])),
    .init(
      "4.3.1", "asks with the date of modification", .asks(fresh.merging(["Last-Modified": date(-5)]) { $1 }),
      .confirms(after: 60, sends: ["If-Modified-Since": date(-5), "If-None-Match": nil])),
    .init(
      "4.3.1", "asks without conditions if it has no validator", .asks(fresh),
      .asks(after: 60, sends: ["If-Modified-Since": nil, "If-None-Match": nil])),
    .init(
      "4.3.2", "leaves a client's own conditions to the server", .asks(tagged),
      .asks(status: 304, with: ["If-None-Match": #""a""#], sends: ["If-None-Match": #""a""#])),
    .init("4.3.3", "reuses what a 304 confirms", .asks(tagged), .confirms(after: 60), .hits(after: 59)),
    .init(
      "4.3.3", "replaces what a full response follows", .asks(tagged.merging(["X-A": "1"]) { $1 }),
      .asks(fresh.merging(["X-A": "2"]) { $1 }, after: 60), .hits(has: ["X-A": "2"])),
    .init(
      "4.3.3", "hands on a server's failure, and keeps what is stored", .asks(tagged),
      .asks(status: 503, after: 60), .confirms()),
    .init(
      "4.3.4", "updates a response whose tag is that of the 304", .asks(tagged),
      .confirms(["ETag": #"W/"a""#], after: 60), .hits()),
    .init(
      "4.3.4", "updates the only response with a 304 that has no validator", .asks(tagged),
      .confirms(control("max-age=5"), after: 60), .confirms(after: 5)),
    .init(
      "4.3.5", "updates what a HEAD confirms", .asks(tagged.merging(["X-A": "1"]) { $1 }),
      .asks(tagged.merging(["X-A": "2"]) { $1 }, by: "HEAD", after: 59), .hits(after: 59, has: ["X-A": "2"])),
    .init(
      "4.3.5", "updates by a HEAD without validators", .asks(fresh), .asks(fresh, by: "HEAD", after: 59),
      .hits(after: 59)),
    .init(
      "4.3.5", "has a response go whose tag is not that of a HEAD", .asks(tagged),
      .asks(["ETag": #""b""#], by: "HEAD"), .asks()),
    .init(
      "4.3.5", "has a response go that was not modified when a HEAD says",
      .asks(fresh.merging(["Last-Modified": date(-5)]) { $1 }),
      .asks(["Last-Modified": date(-4)], by: "HEAD"),
      .asks()),
    .init(
      "4.3.5", "has a response go whose length is not that of a HEAD",
      .asks(fresh.merging(["Content-Length": "9"]) { $1 }), .asks(["Content-Length": "8"], by: "HEAD"),
      .asks()),
    .init(
      "4.3.5", "learns nothing from a HEAD with another status than 200", .asks(tagged),
      .asks(["ETag": #""b""#], status: 204, by: "HEAD"), .hits()),
  ]

  // MARK: 4.4. Invalidation

  private static let invalidation: [RFC9111Requirement] = [
    .init(
      "4.4", "invalidates the URI of an unsafe method", .asks(tagged), .asks(by: "PUT"),
      .asks(sends: ["If-None-Match": nil])),
    .init(
      "4.4", "invalidates the URI of a method that it does not know", .asks(fresh), .asks(by: "PURGE"),
      .asks()),
    .init("4.4", "invalidates after a redirect", .asks(fresh), .asks(status: 303, by: "POST"), .asks()),
    .init("4.4", "does not invalidate after an error", .asks(fresh), .asks(status: 500, by: "POST"), .hits()),
    .init("4.4", "does not invalidate by a safe method", .asks(fresh), .asks(by: "OPTIONS"), .hits()),
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
      "5.1", "uses the first of several ages", .asks(fresh.merging(["Age": "5, 50"]) { $1 }),
      .hits(has: ["Age": "5"])),
    .init(
      "5.1", "ignores an age that is none", .asks(fresh.merging(["Age": "-50"]) { $1 }),
      .hits(has: ["Age": "0"])),
    .init("5.2", "reads directives in any case", .asks(control("Max-Age=60")), .hits()),
    .init("5.2", "reads a quoted argument", .asks(control(#"max-age="60""#)), .hits()),
    .init(
      "5.2", "ignores a directive that it does not know", .asks(control("no-caching=1, max-age=60")), .hits()),
    .init(
      "5.2", "reads no directive within a quoted argument", .asks(control(#"ext="a, no-store", max-age=60"#)),
      .hits()),
  ]

  private static let wishes: [RFC9111Requirement] = [
    .init(
      "5.2.1.1", "does not answer older than a request's max-age", .asks(fresh),
      .hits(with: control("max-age=9"), after: 9), .asks(with: control("max-age=9"), after: 1)),
    .init(
      "5.2.1.2", "answers stale within a request's max-stale", .asks(tagged),
      .hits(with: control("max-stale=9"), after: 69), .confirms(with: control("max-stale=9"), after: 1)),
    .init(
      "5.2.1.2", "answers however stale with a bare max-stale", .asks(tagged),
      .hits(with: control("max-stale"), after: 9999)),
    .init(
      "5.2.1.2", "answers stale what was stale when it came", .asks(fresh.merging(["Age": "90"]) { $1 }),
      .hits(with: control("max-stale=30"))),
    .init(
      "5.2.1.3", "does not answer less fresh than a request's min-fresh", .asks(fresh),
      .hits(with: control("min-fresh=9"), after: 51), .asks(with: control("min-fresh=9"), after: 1)),
    .init(
      "5.2.1.4", "validates for a request with no-cache", .asks(tagged), .confirms(with: control("no-cache"))),
    .init(
      "5.2.1.5", "leaves what is stored as it is for a request with no-store", .asks(tagged),
      .confirms(with: control("no-store"), after: 60), .confirms()),
    .init(
      "5.2.1.6", "answers a request with no-transform", .asks(fresh), .hits(with: control("no-transform"))),
    .init(
      "5.2.1.7", "answers from the cache alone with only-if-cached", .asks(fresh),
      .hits(with: control("only-if-cached"))),
    .init(
      "5.2.1.7", "answers 504 to only-if-cached if nothing fits", .asks(tagged),
      .unavailable(with: control("only-if-cached"), after: 60)),
  ]

  private static let directives: [RFC9111Requirement] = [
    .init("5.2.2.1", "is stale after max-age", .asks(fresh), .hits(after: 59), .asks(after: 1)),
    .init(
      "5.2.2.2", "does not reuse stale what has must-revalidate",
      .asks(control("max-age=60, must-revalidate").merging(["ETag": #""a""#]) { $1 }), .hits(after: 59),
      .confirms(with: control("max-stale"), after: 1)),
    .init(
      "5.2.2.3", "stores with must-understand and no-store a status that it understands",
      .asks(control("must-understand, no-store, max-age=60")), .hits()),
    .init(
      "5.2.2.4", "validates what has no-cache each time",
      .asks(control("no-cache").merging(["ETag": #""a""#]) { $1 }), .confirms(),
      .confirms(with: control("max-stale"))),
    .init(
      "5.2.2.4", "takes no-cache with fields for one without",
      .asks(control(#"no-cache="X-A", max-age=60"#).merging(["ETag": #""a""#]) { $1 }), .confirms()),
    .init(
      "5.2.2.5", "stores neither a response with no-store, nor keeps the former one", .asks(tagged),
      .asks(control("no-store"), after: 60), .asks(sends: ["If-None-Match": nil])),
    .init("5.2.2.6", "stores what has no-transform", .asks(control("no-transform, max-age=60")), .hits()),
    .init(
      "5.2.2.7", "stores what is private, as a private cache may", .asks(control("private, max-age=60")),
      .hits()),
    .init(
      "5.2.2.7", "stores what is private in part", .asks(control(#"private="X-A", max-age=60"#)), .hits()),
    .init(
      "5.2.2.8", "does not revalidate for proxy-revalidate", .asks(control("max-age=60, proxy-revalidate")),
      .hits(with: control("max-stale"), after: 60)),
    .init("5.2.2.9", "stores what is public", .asks(control("public, max-age=60")), .hits()),
    .init("5.2.2.10", "ignores s-maxage", .asks(control("s-maxage=5, max-age=60")), .hits(after: 59)),
  ]

  private static let fields: [RFC9111Requirement] = [
    .init(
      "5.3", "takes an Expires that is no date for past", .asks(["Expires": "0", "ETag": #""a""#]),
      .confirms()),
    .init(
      "5.3", "takes an Expires in another zone for past",
      .asks(["Expires": date(60).replacing("GMT", with: "UTC"), "ETag": #""a""#]), .confirms()),
    .init(
      "5.4", "validates for a request with Pragma: no-cache", .asks(tagged),
      .confirms(with: ["Pragma": "no-cache"])),
    .init(
      "5.4", "ignores Pragma beside Cache-Control", .asks(tagged),
      .hits(with: ["Pragma": "no-cache", "Cache-Control": "max-age=60"])),
    .init(
      "5.4", "ignores Pragma of a response", .asks(fresh.merging(["Pragma": "no-cache"]) { $1 }), .hits()),
    .init("5.5", "ignores Warning", .asks(fresh.merging(["Warning": #"110 - "stale""#]) { $1 }), .hits()),
  ]
}
