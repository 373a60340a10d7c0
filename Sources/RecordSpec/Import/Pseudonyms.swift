import JSONTree
import RecordEngine
import RecordModel

/// The replacements for secrets and personal values. Equal values have equal pseudonyms, and different values different
/// ones. A pseudonym contains only the number of its value, in the order of first appearance.
struct Pseudonyms {
  private var byValue: [ScalarString: String] = [:]
  private var tokenNumbers: [ScalarString: Int] = [:]
  private var search = TextSearch()
  /// The number of different values of each kind.
  private(set) var counts: [PersonalValues.Kind: Int] = [:]

  /// Creates pseudonyms that differ from all texts of the session.
  init(for values: PersonalValues) {
    for value in values.found {
      var number = counts[value.kind, default: 0]
      var pseudonym: String
      repeat {
        number += 1
        pseudonym = Self.text(number, of: value)
      } while values.texts.contains(ScalarString(pseudonym))
      counts[value.kind] = number
      byValue[ScalarString(value.text)] = pseudonym
      tokenNumbers[ScalarString(value.text)] = number
      if value.text.utf8.count >= (value.kind == .token ? Self.shortestToken : Self.shortestName) {
        add(value.text, pseudonym)
      }
    }
  }

  /// The least number of bytes of a token and of another value that is replaced inside of texts. Shorter values are
  /// replaced only where their keys identify them.
  private static let (shortestToken, shortestName) = (6, 3)

  private static func text(_ number: Int, of value: PersonalValues.Found) -> String {
    switch value.kind {
    case .token: "token-\(number)"
    case .email: "person\(number)@example.com"
    case .name: value.isAccount ? "user-\(number)" : "Person \(number)"
    }
  }

  private mutating func add(_ text: String, _ pseudonym: String) {
    search.add(text, pseudonym)
    let encoded = PercentEncoding.parameter(text)
    guard encoded != text else { return }
    let replacement = PercentEncoding.parameter(pseudonym)
    search.add(encoded, replacement)
    search.add(encoded.replacing("%20", with: "+"), replacement)
    search.add(PercentEncoding.address(text), PercentEncoding.address(pseudonym))
    search.add(
      encoded.replacing(/%[0-9A-F]{2}/) { $0.output.lowercased() }, replacement)
  }

  // MARK: Replacing

  /// Returns a session in which all values are replaced.
  func replaced(_ session: RecordedSession) -> RecordedSession {
    session.mapped { exchange in
      var exchange = exchange
      exchange.url = url(exchange.url)
      exchange.requestBody = exchange.requestBody.map(requestBody)
      var headers = RecordedHeaders()
      for (name, value) in exchange.headers.fields {
        headers.add(name, PersonalKeys.isSecret(name) ? whole(value) : text(value))
      }
      exchange.headers = headers
      exchange.requestHeaders = RecordedHeaders()
      exchange.json = exchange.json.map { json($0, under: nil) }
      return exchange
    }
  }

  private func url(_ url: String) -> String {
    var address = WebAddress(url)
    address.path = text(address.path)
    address.authority = address.authority?.split(separator: "@").last.map(String.init)
    address.parameters = address.parameters.map { parameter in
      WebAddress.Parameter(name: text(parameter.name), value: value(parameter.value, under: parameter.name))
    }
    return address.text
  }

  private func value(_ value: String, under name: String) -> String {
    PersonalKeys.isSecret(name) ? whole(value) : text(value)
  }

  private func requestBody(_ body: RecordedExchange.Body) -> RecordedExchange.Body {
    var body = body
    if let document = try? JSONDocument(parsing: body.bytes) {
      body.bytes = Array(json(document.root.value, under: nil).compactText().utf8)
    } else {
      var form = WebAddress("?" + String(decoding: body.bytes, as: UTF8.self))
      form.parameters = form.parameters.map {
        WebAddress.Parameter(name: text($0.name), value: value($0.value, under: $0.name))
      }
      body.bytes = Array((form.query ?? "").utf8)
    }
    return body
  }

  func json(_ value: JSONValue, under key: String?) -> JSONValue {
    switch value {
    case .null, .boolean: value
    case .number(let number):
      if let key, PersonalKeys.isSecret(key), let number = tokenNumbers[ScalarString(number.digits)] {
        .number(JSONNumber(Int64(number)))
      } else {
        value
      }
    case .string(let text):
      if let key, PersonalKeys.isSecret(key) {
        .string(whole(text))
      } else {
        .string(self.text(text, under: key))
      }
    case .array(let elements): .array(elements.map { json($0, under: key) })
    case .object(let members):
      .object(
        JSONObject(
          members.map {
            (self.key($0.key), json($0.value, under: PersonalKeys.decidingKey(of: $0.key, in: key)))
          }))
    }
  }

  /// Returns the pseudonym of a whole value.
  private func whole(_ text: String) -> String { byValue[ScalarString(text)] ?? self.text(text) }

  /// Returns a text whose key may identify it as a name that is too short to be replaced inside of texts.
  private func text(_ text: String, under key: String?) -> String {
    let isShort = text.utf8.count < Self.shortestName
    if isShort, let key,
      PersonalKeys.isName(key) || PersonalKeys.isAccountName(key) || PersonalKeys.isPerson(key)
    {
      return whole(text)
    }
    return self.text(text)
  }

  /// Returns a text in which all values are replaced, also inside of addresses.
  func text(_ text: String) -> String { search.replacing(in: text) }

  /// Returns a key of an object. Only e-mail addresses are replaced, because other keys name properties.
  private func key(_ key: String) -> String { key.utf8.contains(UInt8(ascii: "@")) ? text(key) : key }
}
