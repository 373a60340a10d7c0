import Foundation
import JSONTree
import OrderedCollections
import RecordEngine
import RecordModel
import ScenarioComparison
import ScenarioFormat
import ScenarioReport

/// The secrets and personal values of a session, in the order of their first appearance.
struct PersonalValues {
  /// The kind of a value. The order is that of the summary.
  enum Kind: Int, CaseIterable, Sendable { case token, email, name }

  struct Found: Sendable {
    var kind: Kind
    /// A Boolean value that indicates whether the value is an account name, which addresses contain.
    var isAccount = false
    /// The key, parameter or header under which the value was found first; empty if it has none.
    var key = ""
    /// Other encodings in which the value was found.
    var spellings: [String] = []
  }

  /// The values, by their texts.
  private(set) var found: OrderedDictionary<ScalarString, Found> = [:]
  /// All other texts, so that no pseudonym equals one of them.
  private(set) var texts: Set<ScalarString> = []
  /// The key, parameter or header of the text that is searched.
  private var key = ""

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

  private mutating func add(_ text: String, _ kind: Kind, isAccount: Bool = false, spelling: String? = nil) {
    guard !text.isEmpty else { return }
    var value = found[ScalarString(text)] ?? Found(kind: kind, isAccount: isAccount, key: key)
    if let spelling, !haveSameScalars(spelling, text), value.spellings.count < Self.maximumSpellings,
      !value.spellings.contains(where: { haveSameScalars($0, spelling) })
    {
      value.spellings.append(spelling)
    }
    found[ScalarString(text)] = value
  }

  private static let maximumSpellings = 8

  /// Adds a value whose key or parameter is that of a secret, unless it is a word, a count or an address.
  private mutating func addSecret(_ text: String, under key: String, spelling: String? = nil) {
    if PersonalKeys.isPassword(key) || SecretText.isPlausible(text) {
      add(text, .token, spelling: spelling)
    } else {
      find(inText: text)
    }
  }

  /// Adds the user of an address or of credentials. Some servers expect a token there.
  private mutating func addUser(_ text: String, spelling: String? = nil) {
    guard text != "git" else { return }
    let isToken = SecretText.isKnownToken(text[...]) || SecretText.isRandom(text)
    let isEmail = Self.emails(in: text).first == text
    add(
      text, isToken ? .token : isEmail ? .email : .name, isAccount: !isToken && !isEmail, spelling: spelling)
  }

  // MARK: Requests and headers

  private mutating func find(inURL url: String) {
    let address = WebAddress(url)
    for parameter in address.parameters { find(parameter.value, under: parameter.name) }
    key = "address"
    find(inText: url)
  }

  private mutating func find(_ value: String, under name: String) {
    key = name
    if PersonalKeys.isSecretParameter(name) { addSecret(value, under: name) } else { find(inText: value) }
  }

  private mutating func find(inHeaders headers: RecordedHeaders) {
    for (name, value) in headers.fields {
      key = name
      switch name.lowercased() {
      case "authorization", "proxy-authorization": find(inCredentials: value)
      case "cookie": for pair in value.split(separator: ";") { find(inCookie: pair) }
      case "set-cookie":
        // Browsers write several cookies on separate lines.
        for cookie in value.split(whereSeparator: \.isNewline) { find(inCookie: cookie.prefix { $0 != ";" }) }
      default:
        if PersonalKeys.isSecret(name) { addSecret(value, under: name) } else { find(inText: value) }
      }
    }
  }

  /// Finds the value of a cookie. Most cookies contain settings, such as `theme=dark`.
  private mutating func find(inCookie pair: Substring) {
    guard let mark = pair.utf8.firstIndex(of: UInt8(ascii: "=")) else { return }
    let name = pair[..<mark].trimmingCharacters(in: .whitespaces)
    let written = pair[pair.utf8.index(after: mark)...].trimmingCharacters(in: .whitespaces)
    let value = written.removingPercentEncoding ?? written
    if PersonalKeys.isSecret(name) {
      addSecret(value, under: name, spelling: written)
    } else if SecretText.isRandom(value) {
      add(value, .token, spelling: written)
    } else {
      find(inText: value)
    }
  }

  private mutating func find(inCredentials value: String) {
    let parts = value.split(separator: " ", maxSplits: 1)
    let secret = parts.count == 2 ? String(parts[1]) : value
    add(secret, .token)
    guard parts.count == 2, parts[0].lowercased() == "basic", let data = data(base64: secret.utf8),
      let colon = data.firstIndex(of: UInt8(ascii: ":"))
    else { return }
    add(String(decoding: data[data.index(after: colon)...], as: UTF8.self), .token)
    addUser(String(decoding: data[..<colon], as: UTF8.self))
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

  /// Finds the values of a part of a body.
  ///
  /// - Parameters:
  ///   - key: the key that decides about the value.
  ///   - isInner: a Boolean value that indicates whether the key is that of an object around the value.
  private mutating func find(
    in value: JSONValue, under key: String?, isPerson: Bool, isInner: Bool = false
  ) {
    switch value {
    case .null, .boolean: break
    case .number(let number):
      self.key = key ?? ""
      if let key, PersonalKeys.isSecretNumber(key) { add(number.digits, .token) }
    case .string(let text):
      self.key = key ?? ""
      if isInner, text.utf8.count < Self.shortestInnerSecret {
        find(inText: text)
      } else {
        find(text, under: key, isPerson: isPerson)
      }
    case .array(let elements):
      for element in elements { find(in: element, under: key, isPerson: isPerson, isInner: isInner) }
    case .object(let members):
      let isPerson = key.map(PersonalKeys.isPerson) ?? false || PersonalKeys.describePerson(members.keys)
      for member in members {
        self.key = member.key
        find(inText: member.key)
        let deciding = PersonalKeys.decidingKey(of: member.key, in: key)
        find(in: member.value, under: deciding, isPerson: isPerson, isInner: deciding != member.key)
      }
    }
  }

  /// The least number of bytes of a secret whose own key does not identify it, such as `{"session": {"room": "B12"}}`.
  private static let shortestInnerSecret = 6

  private mutating func find(_ text: String, under key: String?, isPerson: Bool) {
    guard let key else { return find(inText: text) }
    if PersonalKeys.isSecret(key) { return addSecret(text, under: key) }
    let isName =
      PersonalKeys.isName(key) || isPerson && KeyWords.joined(key) == "name" || PersonalKeys.isPerson(key)
    if Self.emails(in: text).first == text {
      add(text, .email)
    } else if PersonalKeys.isAccountName(key), Self.canBeName(text) {
      add(text, .name, isAccount: true)
    } else if isName, Self.canBeName(text), PersonalKeys.isOwnName(key) || !Self.isWord(text) {
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

  /// Returns a Boolean value that indicates whether a text is a lower-case word or a constant, such as `automatic` or
  /// `NOT_SET`. These are values of enumerations, even where others are names.
  private static func isWord(_ text: String) -> Bool {
    guard !text.contains(where: \.isWhitespace) else { return false }
    let letters = text.unicodeScalars.filter { $0.properties.isAlphabetic }
    return letters.allSatisfy { $0.properties.isLowercase } || text.contains("_")
  }

  // MARK: Text

  /// Finds e-mail addresses, tokens with a known form, and secrets in addresses inside a text.
  private mutating func find(inText text: String) {
    texts.insert(ScalarString(text))
    let bytes = Array(text.utf8)
    var hosts: Set<Int> = []
    for part in AddressParts(in: bytes).all {
      func spelling() -> String { String(decoding: bytes[part.range], as: UTF8.self) }
      switch part.kind {
      case .host: hosts.insert(part.range.lowerBound)
      case .user: addUser(part.text, spelling: spelling())
      case .password, .secret: add(part.text, .token, spelling: spelling())
      }
    }
    for email in Self.emails(in: bytes, before: hosts) { add(email, .email) }
    if bytes.contains(UInt8(ascii: "%")) {
      for email in Self.emails(in: PercentEncoding.decoded(text)) { add(email, .email) }
    }
    let pieces = text.split { !Self.isTokenCharacter($0) }.map { piece in
      // The end of a sentence does not belong to the token.
      piece.prefix(upTo: piece.lastIndex { $0 != "." }.map { piece.index(after: $0) } ?? piece.startIndex)
    }
    for piece in pieces where SecretText.isKnownToken(piece) { add(String(piece), .token) }
  }

  private static func isTokenCharacter(_ character: Character) -> Bool {
    character.isASCII && (character.isLetter || character.isNumber || "_-.".contains(character))
  }

  /// Returns the e-mail addresses in a text, in order.
  ///
  /// - Complexity: linear in the length of the text.
  static func emails(in text: String) -> [String] { emails(in: Array(text.utf8), before: []) }

  /// Returns the e-mail addresses in a text, except the users before hosts.
  private static func emails(in bytes: [UInt8], before hosts: Set<Int>) -> [String] {
    var emails: [String] = []
    for at in bytes.indices where bytes[at] == UInt8(ascii: "@") && !hosts.contains(at + 1) {
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
