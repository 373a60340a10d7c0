import Testing

@testable import RecordEngine

@Suite struct CacheDirectivesTests {
  private func text(_ header: String) -> String {
    CacheDirectives(header).directives.map { directive in
      switch directive.argument {
      case .none: directive.name
      case .text(let text): "\(directive.name)=<\(text)>"
      case .malformed: "\(directive.name)=?"
      }
    }.joined(separator: " ")
  }

  @Test(
    arguments: [
      ("", ""), (" , ,\t,", ""), ("no-store", "no-store"), ("No-Store , MAX-AGE=5", "no-store max-age=<5>"),
      (#"no-cache="a, b", private"#, "no-cache=<a, b> private"), (#"x="a\"b\\c,d",y"#, #"x=<a"b\c,d> y"#),
      ("x=", "x=?"), ("x=,y", "x=? y"), (#"x="""#, "x=<>"), ("max-age =5", "max-age=?"),
      ("max-age= 5", "max-age=?"),
      ("max-age=5 y, z", "max-age=? z"), (#"x="a" b, c"#, "x=? c"), (#"x="a"b,c"#, "x=? c"), ("=5, y", "y"),
      ("\"no-store\", y", "y"), ("no-store;max-age=5, y", "no-store=? y"),
      ("no-store foo, y", "no-store=? y"), (#"no-store foo, y, z="a""#, "no-store=? y z=<a>"),
      // An unclosed quote hides no directive.
      (#"private="x, no-store"#, "private=? no-store"), (#"x="a\", no-store"#, "x=? no-store"),
      (#"",", y"#, "y"),
      ("ünknown, no-store", "no-store"), ("max-age=٥", "max-age=?"), ("max-age=5é", "max-age=?"),
      ("max-age='5'", "max-age=<'5'>"), ("a=b=c", "a=?"), ("max-age=-1", "max-age=<-1>"),
      ("\0no-store, y\0", "y=?"),
    ] as [(String, String)])
  func isRead(header: String, expected: String) {
    #expect(text(header) == expected)
  }

  @Test(
    arguments: [
      ("", nil), ("public", nil), ("max-age=0", 0), ("max-age=60", 60), ("max-age=0060", 60),
      ("max-age=\"60\"", 60),
      ("a, Max-Age=60, b", 60), ("max-age=2147483647", 2_147_483_647), ("max-age=2147483648", 2_147_483_648),
      ("max-age=2147483649", 2_147_483_648), ("max-age=99999999999999999999999999999999", 2_147_483_648),
      // Invalid or contradicting values.
      ("max-age", -7), ("max-age=", -7), ("max-age=\"\"", -7), ("max-age=-1", -7), ("max-age=+1", -7),
      ("max-age=1.5", -7), ("max-age=1e3", -7), ("max-age=60s", -7), ("max-age=0x10", -7),
      ("max-age=\" 60\"", -7),
      ("max-age = 60", -7), ("max-age=60 60", -7), ("max-age=६०", -7), ("max-age=60, max-age=10", -7),
      ("max-age=60, max-age=x", -7), ("max-age=x, max-age=60", -7), ("max-age=60, max-age", -7),
      ("max-age=60, max-age=60", 60),
    ] as [(String, Int?)])
  func seconds(header: String, expected: Int?) {
    #expect(CacheDirectives(header).seconds("max-age", orIfInvalid: -7) == expected)
  }

  @Test func ofAResponse() {
    func control(_ header: String?) -> ResponseCacheControl {
      ResponseCacheControl(header.map { ["CACHE-control": $0] } ?? [:])
    }
    let silent = control(nil)
    #expect(!silent.forbidsStoring && !silent.noCache && !silent.mustRevalidate && !silent.isImmutable)
    #expect(silent.maxAge == nil && silent.staleIfError == nil)

    #expect(control("NO-STORE").forbidsStoring)
    #expect(control("no-store=x, a").forbidsStoring)
    #expect(!control("no-store, must-understand").forbidsStoring)
    #expect(control("no-cache").noCache)
    #expect(control(#"no-cache="set-cookie""#).noCache)
    #expect(control("must-revalidate").mustRevalidate)
    #expect(control("immutable").isImmutable)
    #expect(control("immutable=1").isImmutable)
    #expect(control("max-age=5").maxAge == 5)
    #expect(control("max-age=x").maxAge == 0)
    #expect(control("stale-if-error=5").staleIfError == 5)
    #expect(control("stale-if-error").staleIfError == nil)
    #expect(control("stale-if-error=5, stale-if-error=6").staleIfError == nil)

    // Directives for shared caches and unknown directives.
    let others =
      #"public, private, private="a", no-transform, proxy-revalidate, s-maxage=5, s-maxage=x, "#
      + "stale-while-revalidate=5, community=\"UCI\", min-fresh=5, only-if-cached, max-stale"
    #expect(control(others) == silent)
  }

  @Test func ofARequest() {
    func control(_ header: String?, pragma: String? = nil) -> RequestCacheControl {
      var headers: [String: String] = [:]
      headers["cache-CONTROL"] = header
      headers["pragma"] = pragma
      return RequestCacheControl(headers)
    }
    let silent = control(nil)
    #expect(!silent.noStore && !silent.noCache && !silent.onlyIfCached)
    #expect(
      silent.maxAge == nil && silent.minFresh == nil && silent.maxStale == nil && silent.staleIfError == nil)

    #expect(control("no-store").noStore)
    #expect(control("no-cache").noCache)
    #expect(control("only-if-cached").onlyIfCached)
    #expect(control("max-age=5").maxAge == 5)
    #expect(control("max-age=x").maxAge == 0)
    #expect(control("min-fresh=5").minFresh == 5)
    #expect(control("min-fresh=-5").minFresh == CacheDirectives.maximumSeconds)
    #expect(control("max-stale=5").maxStale == 5)
    #expect(control("max-stale").maxStale == CacheDirectives.maximumSeconds)
    #expect(control("max-stale, max-stale").maxStale == CacheDirectives.maximumSeconds)
    #expect(control("max-stale=x").maxStale == nil)
    #expect(control("max-stale=").maxStale == nil)
    #expect(control("max-stale, max-stale=5").maxStale == nil)
    #expect(control("stale-if-error=5").staleIfError == 5)
    #expect(control("stale-if-error=x").staleIfError == nil)
    #expect(control("public, must-revalidate, immutable, no-transform, x=y") == silent)

    #expect(control(nil, pragma: "No-Cache").noCache)
    #expect(control(nil, pragma: "x=\"y\", no-cache").noCache)
    #expect(!control(nil, pragma: "no-store, x").noStore)
    #expect(!control("max-age=5", pragma: "no-cache").noCache)
    #expect(!control("", pragma: "no-cache").noCache)
  }

  /// Many escaped quotes in a string that is never closed take linear time.
  @Test func manyOpenQuotes() {
    let header = "a=\"" + String(repeating: "\\\"", count: 500_000) + ", no-store"
    #expect(text(header) == "a=? no-store")
  }
}
