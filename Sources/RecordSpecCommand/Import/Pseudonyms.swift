import JSONTree
import OrderedCollections
import RecordEngine
import RecordModel
import ScenarioComparison
import ScenarioFormat
import ScenarioReport

/// The replacements for secrets and personal values. Equal values have equal pseudonyms, and different values different
/// ones. A pseudonym contains only the number of its value, in the order in which values are replaced first.
struct Pseudonyms {
  private let values: OrderedDictionary<ScalarString, PersonalValues.Found>
  /// The texts of the session, which no pseudonym equals.
  private let texts: Set<ScalarString>
  private let search: TextSearch
  /// The numbers of the values; nil for one that was not replaced yet.
  private var numbers: [Int?]
  private var lastNumbers: [PersonalValues.Kind: Int] = [:]
  /// The number of different values of each kind that were replaced.
  private(set) var counts: [PersonalValues.Kind: Int] = [:]

  /// The number of replacements of each value.
  private var uses: [Int]

  /// The encoding of a value in a text.
  private enum Encoding: Int, CaseIterable { case plain, parameter, address }

  /// The pseudonyms of values that an earlier session has.
  private let known: [ScalarString: String]

  /// Creates pseudonyms that differ from all texts of the session.
  ///
  /// - Parameters:
  ///   - known: the pseudonyms of values that an earlier session has.
  ///   - lastNumber: a number such that no later one is that of a pseudonym of the earlier session.
  init(for values: PersonalValues, known: [ScalarString: String] = [:], after lastNumber: Int = 0) {
    self.values = values.found
    self.known = known
    texts = values.texts
    numbers = Array(repeating: nil, count: values.found.count)
    if lastNumber > 0 {
      for kind in PersonalValues.Kind.allCases { lastNumbers[kind] = lastNumber }
    }
    uses = Array(repeating: 0, count: values.found.count)
    var searched: [(text: String, id: Int)] = []
    for (index, (text, value)) in values.found.enumerated() {
      let text = text.string
      let shortest = value.kind == .token ? Self.shortestToken : Self.shortestName
      guard text.utf8.count >= shortest else { continue }
      func add(_ text: String, _ encoding: Encoding) {
        searched.append((text, index * Encoding.allCases.count + encoding.rawValue))
      }
      add(text, .plain)
      let encoded = PercentEncoding.parameter(text)
      if encoded != text {
        add(encoded, .parameter)
        add(encoded.replacing("%20", with: "+"), .parameter)
        add(PercentEncoding.address(text), .address)
        add(encoded.replacing(/%[0-9A-F]{2}/) { $0.output.lowercased() }, .parameter)
      }
      for spelling in value.spellings { add(spelling, .parameter) }
    }
    search = TextSearch(searched)
  }

  /// The least number of bytes of a token and of another value that is replaced inside of texts. Shorter values are
  /// replaced only where their keys or their positions in addresses identify them.
  private static let (shortestToken, shortestName) = (6, 3)

  /// Returns the pseudonym of a value.
  private mutating func pseudonym(_ index: Int, _ encoding: Encoding = .plain) -> String {
    let text = known[values.keys[index]] ?? Self.text(number(index), of: values.values[index])
    return switch encoding {
    case .plain: text
    case .parameter: PercentEncoding.parameter(text)
    case .address: PercentEncoding.address(text)
    }
  }

  /// Returns the number of a value, which is the next one if the value was not replaced yet.
  private mutating func number(_ index: Int) -> Int {
    uses[index] += 1
    if let number = numbers[index] { return number }
    let value = values.values[index]
    var number = lastNumbers[value.kind, default: 0]
    repeat { number += 1 } while texts.contains(ScalarString(Self.text(number, of: value)))
    numbers[index] = number
    lastNumbers[value.kind] = number
    counts[value.kind, default: 0] += 1
    return number
  }

  private static func text(_ number: Int, of value: PersonalValues.Found) -> String {
    switch value.kind {
    case .token: "token-\(number)"
    case .email: "person\(number)@example.com"
    case .name: value.isAccount ? "user-\(number)" : "Person \(number)"
    }
  }

  // MARK: Summary

  /// The lines about the replaced values: their number, and each of them with its key. Tokens are not shown.
  var summary: [String] {
    let count = { (kind: PersonalValues.Kind) in counts[kind, default: 0] }
    let emails = count(.email)
    var lines = [
      "replaced: \(counted(count(.token), "token")), \(emails) e-mail address\(emails == 1 ? "" : "es"), "
        + counted(count(.name), "name")
    ]
    let replaced = values.elements.indices.filter { numbers[$0] != nil }.sorted {
      let (left, right) = (values.values[$0].kind.rawValue, values.values[$1].kind.rawValue)
      return left == right ? numbers[$0] ?? 0 < numbers[$1] ?? 0 : left < right
    }
    for index in replaced.prefix(Self.shownValues) {
      let (text, value) = (values.keys[index].string, values.values[index])
      let shown =
        value.kind == .token ? "a text of \(counted(text.count, "character"))" : "'\(text)'"
      let times = uses[index] == 1 ? "" : " (\(uses[index]) times)"
      let key = value.key.isEmpty ? "" : "\(value.key): "
      lines.append(
        "  \(key)\(ValueText.clipped(shown)) -> \(Self.text(numbers[index] ?? 0, of: value))\(times)")
    }
    if replaced.count > Self.shownValues { lines.append("  and \(replaced.count - Self.shownValues) more") }
    return lines
  }

  private static let shownValues = 20

  // MARK: Replacing

  /// Returns a session in which all values are replaced. It has only the headers that are imported.
  mutating func replaced(_ session: RecordedSession) -> RecordedSession {
    session.mapped { exchange in
      var exchange = exchange
      exchange.url = url(exchange.url)
      exchange.requestBody = exchange.requestBody.map { requestBody($0) }
      var headers = RecordedHeaders()
      for (name, value) in exchange.headers.fields where ImportedScenario.keeps(header: name) {
        headers.add(name, text(value))
      }
      exchange.headers = headers
      let range = exchange.requestHeaders["Range"]
      exchange.requestHeaders = RecordedHeaders()
      if let range { exchange.requestHeaders.add("Range", text(range)) }
      exchange.json = exchange.json.map { json($0, under: nil) }
      return exchange
    }
  }

  private mutating func url(_ url: String) -> String {
    var address = WebAddress(url)
    address.path = text(address.path)
    address.authority = address.authority?.split(separator: "@").last.map(String.init)
    address.parameters = parameters(of: address)
    return address.text
  }

  private mutating func parameters(of address: WebAddress) -> [WebAddress.Parameter] {
    address.parameters.map { parameter in
      let isSecret = PersonalKeys.isSecretParameter(parameter.name)
      return WebAddress.Parameter(
        name: text(parameter.name), value: isSecret ? whole(parameter.value) : text(parameter.value))
    }
  }

  private mutating func requestBody(_ body: RecordedExchange.Body) -> RecordedExchange.Body {
    var body = body
    if let document = try? JSONDocument(parsing: body.bytes) {
      body.bytes = Array(json(document.root.value, under: nil).compactText().utf8)
    } else {
      var form = WebAddress("?" + String(decoding: body.bytes, as: UTF8.self))
      form.parameters = parameters(of: form)
      body.bytes = Array((form.query ?? "").utf8)
    }
    return body
  }

  private mutating func json(_ value: JSONValue, under key: String?) -> JSONValue {
    switch value {
    case .null, .boolean: return value
    case .number(let digits):
      guard let key, PersonalKeys.isSecretNumber(key),
        let index = values.index(forKey: ScalarString(digits.digits))
      else {
        return value
      }
      let number = known[values.keys[index]].flatMap { Int64($0) } ?? Int64(number(index))
      return .number(JSONNumber(number))
    case .string(let text):
      if let key, PersonalKeys.isSecret(key) { return .string(whole(text)) }
      return .string(self.text(text, under: key))
    case .array(let elements): return .array(elements.map { json($0, under: key) })
    case .object(let members):
      return .object(
        JSONObject(
          members.map {
            (self.key($0.key), json($0.value, under: PersonalKeys.decidingKey(of: $0.key, in: key)))
          }))
    }
  }

  /// Returns the pseudonym of a whole value.
  private mutating func whole(_ text: String) -> String {
    values.index(forKey: ScalarString(text)).map { pseudonym($0) } ?? self.text(text)
  }

  /// Returns a text whose key may identify it as a name that is too short to be replaced inside of texts.
  private mutating func text(_ text: String, under key: String?) -> String {
    let isShort = text.utf8.count < Self.shortestName
    if isShort, let key,
      PersonalKeys.isName(key) || PersonalKeys.isAccountName(key) || PersonalKeys.isPerson(key)
    {
      return whole(text)
    }
    return self.text(text)
  }

  /// Returns a key of an object. Only e-mail addresses are replaced, because other keys name properties.
  private mutating func key(_ key: String) -> String {
    key.utf8.contains(UInt8(ascii: "@")) ? text(key) : key
  }

  /// Returns a text in which all values are replaced, except in the hosts of addresses.
  private mutating func text(_ text: String) -> String {
    guard !values.isEmpty else { return text }
    let bytes = Array(text.utf8)
    let matches = search.matches(in: bytes)
    var parts = AddressParts(in: bytes).all[...]
    if matches.isEmpty, parts.isEmpty { return text }
    var result: [UInt8] = []
    var copied = 0
    var offset = 0
    func replace(_ length: Int, by pseudonym: String) {
      result += bytes[copied..<offset] + Array(pseudonym.utf8)
      offset += length
      copied = offset
    }
    while offset < bytes.count {
      // A value may reach into a part.
      while let part = parts.first, part.range.lowerBound < offset { parts = parts.dropFirst() }
      let match = matches.isEmpty ? nil : matches[offset]
      if let part = parts.first, part.range.lowerBound == offset {
        let length = part.range.count
        if part.kind == .host {
          offset += length
          continue
        }
        if let index = values.index(forKey: ScalarString(part.text)),
          part.kind == .user || match.map({ $0.length <= length }) ?? true
        {
          replace(length, by: pseudonym(index, .parameter))
          continue
        }
      }
      if let match {
        let count = Encoding.allCases.count
        replace(
          match.length, by: pseudonym(match.id / count, Encoding(rawValue: match.id % count) ?? .plain))
      } else {
        offset += 1
      }
    }
    guard copied > 0 else { return text }
    return String(decoding: result + bytes[copied...], as: UTF8.self)
  }
}
