import Foundation
import JSONTree
import RecordEngine
import RecordModel

/// The secrets and personal values of a session, in the order of their first appearance.
struct PersonalValues {
  /// The kind of a value. The order is that of the summary.
  enum Kind: Int, CaseIterable, Sendable { case token, email, name }

  struct Found: Sendable {
    var text: String
    var kind: Kind
    /// A Boolean value that indicates whether the value is an account name, which addresses contain.
    var isAccount = false
  }

  private(set) var found: [Found] = []
  private var known: Set<ScalarString> = []
  /// All other texts, so that no pseudonym equals one of them.
  private(set) var texts: Set<ScalarString> = []

  /// Finds the values of a session.
  ///
  /// - Complexity: linear in the size of the session.
  init(of session: RecordedSession) {
    for exchange in session.exchanges {
      find(inURL: exchange.url)
      find(inHeaders: exchange.requestHeaders)
      if let body = exchange.requestBody { find(inRequest: body) }
      find(inHeaders: exchange.headers)
      if let json = exchange.json { find(in: json, under: nil, isPerson: false) }
    }
  }

  private mutating func add(_ text: String, _ kind: Kind, isAccount: Bool = false) {
    guard text.utf8.count > 0, known.insert(ScalarString(text)).inserted else { return }
    found.append(Found(text: text, kind: kind, isAccount: isAccount))
  }

  // MARK: Requests and headers

  private mutating func find(inURL url: String) {
    let address = WebAddress(url)
    for parameter in address.parameters { find(parameter.value, under: parameter.name) }
    find(inText: url)
  }

  private mutating func find(_ value: String, under name: String) {
    if PersonalKeys.isSecretParameter(name) { add(value, .token) } else { find(inText: value) }
  }

  private mutating func find(inHeaders headers: RecordedHeaders) {
    for (name, value) in headers.fields {
      switch name.lowercased() {
      case "authorization", "proxy-authorization": find(inCredentials: value)
      case "cookie":
        for pair in value.split(separator: ";") { add(Self.cookieValue(pair), .token) }
      case "set-cookie":
        // Browsers write several cookies on separate lines.
        for cookie in value.split(whereSeparator: \.isNewline) {
          add(Self.cookieValue(cookie.prefix { $0 != ";" }), .token)
        }
      default:
        if PersonalKeys.isSecret(name) { add(value, .token) } else { find(inText: value) }
      }
    }
  }

  private static func cookieValue(_ pair: Substring) -> String {
    guard let mark = pair.utf8.firstIndex(of: UInt8(ascii: "=")) else { return "" }
    return pair[pair.utf8.index(after: mark)...].trimmingCharacters(in: .whitespaces)
  }

  private mutating func find(inCredentials value: String) {
    let parts = value.split(separator: " ", maxSplits: 1)
    let secret = parts.count == 2 ? String(parts[1]) : value
    add(secret, .token)
    guard parts.count == 2, parts[0].lowercased() == "basic", let data = data(base64: secret.utf8),
      let colon = data.firstIndex(of: UInt8(ascii: ":"))
    else { return }
    add(String(decoding: data[data.index(after: colon)...], as: UTF8.self), .token)
    add(String(decoding: data[..<colon], as: UTF8.self), .name, isAccount: true)
  }

  private mutating func find(inRequest body: RecordedExchange.Body) {
    if let json = try? JSONDocument(parsing: body.bytes) {
      find(in: json.root.value, under: nil, isPerson: false)
    } else {
      let text = String(decoding: body.bytes, as: UTF8.self)
      for parameter in WebAddress("?" + text).parameters { find(parameter.value, under: parameter.name) }
    }
  }

  // MARK: JSON

  private mutating func find(in value: JSONValue, under key: String?, isPerson: Bool) {
    switch value {
    case .null, .boolean: break
    case .number(let number):
      if let key, PersonalKeys.isSecret(key) { add(number.digits, .token) }
    case .string(let text): find(text, under: key, isPerson: isPerson)
    case .array(let elements): for element in elements { find(in: element, under: key, isPerson: isPerson) }
    case .object(let members):
      let isPerson = key.map(PersonalKeys.isPerson) ?? false || PersonalKeys.describePerson(members.keys)
      for member in members {
        find(inText: member.key)
        find(
          in: member.value, under: PersonalKeys.decidingKey(of: member.key, in: key), isPerson: isPerson)
      }
    }
  }

  private mutating func find(_ text: String, under key: String?, isPerson: Bool) {
    guard let key else { return find(inText: text) }
    if PersonalKeys.isSecret(key) { return add(text, .token) }
    let isName =
      PersonalKeys.isName(key) || isPerson && KeyWords.joined(key) == "name" || PersonalKeys.isPerson(key)
    if Self.emails(in: text).first == text {
      add(text, .email)
    } else if PersonalKeys.isAccountName(key), Self.canBeName(text) {
      add(text, .name, isAccount: true)
    } else if isName, Self.canBeName(text) {
      add(text, .name)
    } else {
      find(inText: text)
    }
  }

  /// Returns a Boolean value that indicates whether a text can be a name: not a number, an identifier or an address.
  private static func canBeName(_ text: String) -> Bool {
    text.unicodeScalars.contains { $0.properties.isAlphabetic } && !text.contains("://")
      && UUID(uuidString: text) == nil && text.utf8.count <= 200
  }

  // MARK: Text

  /// Finds e-mail addresses, tokens with a known form, and secrets in addresses inside a text.
  private mutating func find(inText text: String) {
    texts.insert(ScalarString(text))
    for email in Self.emails(in: text) { add(email, .email) }
    if text.utf8.contains(UInt8(ascii: "%")) {
      for email in Self.emails(in: PercentEncoding.decoded(text)) { add(email, .email) }
    }
    let pieces = text.split { !Self.isTokenCharacter($0) }.map { piece in
      // The end of a sentence does not belong to the token.
      piece.prefix(upTo: piece.lastIndex { $0 != "." }.map { piece.index(after: $0) } ?? piece.startIndex)
    }
    for piece in pieces where Self.isKnownToken(piece) { add(String(piece), .token) }
    // Parameters and passwords of addresses inside the text.
    if text.utf8.contains(UInt8(ascii: "=")) {
      for part in text.split(whereSeparator: { "?&<>\"' ;,#".contains($0) }) {
        guard let mark = part.firstIndex(of: "="), PersonalKeys.isSecretParameter(String(part[..<mark]))
        else {
          continue
        }
        let value = part[part.index(after: mark)...]
        let decoded = PercentEncoding.decoded(value)
        add(decoded, .token)
        // Other encodings of the value than the usual one.
        if PercentEncoding.parameter(decoded) != value { add(String(value), .token) }
      }
    }
    var rest = Substring(text)
    while let start = rest.firstRange(of: "://")?.upperBound {
      let authority = rest[start...].prefix { !"/?#<>\"' ".contains($0) }
      if let at = authority.lastIndex(of: "@"), let colon = authority[..<at].firstIndex(of: ":") {
        add(String(authority[authority.index(after: colon)..<at]), .token)
        add(String(authority[..<colon]), .name, isAccount: true)
      }
      rest = rest[authority.endIndex...]
    }
  }

  private static func isTokenCharacter(_ character: Character) -> Bool {
    character.isASCII && (character.isLetter || character.isNumber || "_-.".contains(character))
  }

  private static let tokenPrefixes = [
    "ghp_", "gho_", "ghu_", "ghs_", "github_pat_", "glpat-", "xoxb-", "xoxp-", "sk_live_", "sk_test_",
    "pk_live_", "rk_live_", "ghr_", "sk-", "xoxa-", "xapp-", "AKIA", "ASIA", "AIza", "ya29.", "SG.", "npm_",
    "whsec_", "shpat_", "hf_",
  ]

  /// Returns a Boolean value that indicates whether a text has the form of a JSON web token or of a token of a common
  /// service.
  private static func isKnownToken(_ text: Substring) -> Bool {
    guard text.utf8.count >= 16 else { return false }
    // A signed token has three parts, an encrypted one five.
    if text.hasPrefix("eyJ") { return [2, 4].contains(text.utf8.count { $0 == UInt8(ascii: ".") }) }
    return tokenPrefixes.contains { text.hasPrefix($0) }
  }

  /// Returns the e-mail addresses in a text, in order.
  ///
  /// - Complexity: linear in the length of the text.
  static func emails(in text: String) -> [String] {
    let bytes = Array(text.utf8)
    var emails: [String] = []
    for at in bytes.indices where bytes[at] == UInt8(ascii: "@") {
      let start = bytes[..<at].lastIndex { !isLocal($0) }.map { $0 + 1 } ?? 0
      var end = bytes[(at + 1)...].firstIndex { !isDomain($0) } ?? bytes.count
      while end > at, bytes[end - 1] == UInt8(ascii: ".") || bytes[end - 1] == UInt8(ascii: "-") { end -= 1 }
      guard start < at, end > at + 1 else { continue }
      let name = String(decoding: bytes[start..<at], as: UTF8.self)
      let domain = String(decoding: bytes[(at + 1)..<end], as: UTF8.self)
      let labels = domain.split(separator: ".", omittingEmptySubsequences: false)
      guard labels.count > 1, let top = labels.last, top.count > 1, top.allSatisfy(\.isLetter), name != "git",
        !labels.contains(where: \.isEmpty), !fileEndings.contains(top.lowercased())
      else { continue }
      emails.append(name + "@" + domain)
    }
    return emails
  }

  /// The endings of files such as `icon@2x.png`.
  private static let fileEndings: Set<String> = [
    "png", "jpg", "jpeg", "gif", "svg", "webp", "js", "css", "json",
  ]

  private static func isLocal(_ byte: UInt8) -> Bool { byte.isAlphanumeric || "._%+-".utf8.contains(byte) }

  private static func isDomain(_ byte: UInt8) -> Bool { byte.isAlphanumeric || ".-".utf8.contains(byte) }
}
