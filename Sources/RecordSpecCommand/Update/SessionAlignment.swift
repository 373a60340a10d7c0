import JSONTree
import OrderedCollections
import RecordEngine
import RecordModel
import ScenarioFormat

/// The values of an old session and of a new one that stand in the same places.
struct SessionAlignment {
  let roles: IdentifierRoles
  /// The secrets and personal values of the new session that have no pseudonyms yet.
  let personal: OrderedDictionary<ScalarString, PersonalValues.Found>
  /// The old identifiers for new ones, by role.
  private(set) var identifiers: [String: RoleVotes] = [:]
  /// The old times for new ones, by the object that contains them.
  private(set) var times: [String: RoleVotes] = [:]
  /// The old pseudonyms for new secrets and personal values.
  private(set) var pseudonyms = RoleVotes()

  /// The position of a value in the new session.
  struct Position {
    /// The key of the value, or of the list that contains it.
    var key: String
    /// The key of the object that contains the value.
    var noun: String
    /// The name of the object within which times are compared.
    var scope: String
    /// A hash of the keys and indices before the value.
    var path: Int

    /// Creates the position of a whole body or header.
    ///
    /// - Parameter index: the index of the response.
    init(key: String, noun: String, response index: Int) {
      (self.key, self.noun, path) = (key, noun, index)
      scope = "response \(index)"
    }

    func element(_ index: Int) -> Position {
      var position = self
      position.path = [path, index].hashValue
      return position
    }

    func member(_ key: String) -> Position {
      var position = self
      position.key = key
      position.path = [path, key.hashValue].hashValue
      return position
    }

    /// Returns the position of the members of an object.
    func inside(_ object: JSONObject, _ alignment: SessionAlignment) -> Position {
      var position = self
      position.noun = alignment.roles.noun(key, in: noun)
      position.scope = alignment.scope(of: object, in: position.noun, path: path)
      return position
    }
  }
  /// The first old identifier for each new one, by role, with which later addresses are translated.
  private var firsts: [String: [String: String]] = [:]

  init(
    roles: IdentifierRoles, personal: OrderedDictionary<ScalarString, PersonalValues.Found> = [:]
  ) {
    self.roles = roles
    self.personal = personal
  }

  // MARK: Kinds

  /// Returns the kind of a value that varies; nil for another value.
  func kind(of value: JSONValue, under key: String, in noun: String) -> VaryingValue? {
    switch value {
    case .number(let number):
      if VaryingValue.isTime(number, under: key) { return .time }
      guard number.int64Value != nil, roles.isIdentifier(key) else { return nil }
      return .identifier(role: roles.role(of: key, in: noun))
    case .string(let text):
      if VaryingValue.isTime(text) { return .time }
      if roles.isIdentifier(key), VaryingValue.canIdentify(text) {
        return .identifier(role: roles.role(of: key, in: noun))
      }
      return VaryingValue.isRandom(text) ? .identifier(role: IdentifierRoles.unknown) : nil
    case .null, .boolean, .array, .object: return nil
    }
  }

  /// Returns the name of an object within which its times are compared: that of its identifier.
  ///
  /// - Parameter path: the position of an object without identifier.
  func scope(of object: JSONObject, in noun: String, path: Int) -> String {
    guard let (key, text) = ownIdentifier(of: object) else { return "object \(path)" }
    return roles.role(of: key, in: noun) + " " + noun + " " + text
  }

  func ownIdentifier(of object: JSONObject) -> (key: String, text: String)? {
    for member in object where roles.isOwnIdentifier(member.key) {
      if let text = VaryingValue.text(of: member.value) { return (member.key, text) }
    }
    return nil
  }

  /// Returns a Boolean value that indicates whether a text has the form of a pseudonym.
  static func isPseudonym(_ text: String) -> Bool {
    for prefix in ["user-", "Person ", "token-"] where text.hasPrefix(prefix) {
      return VaryingValue.isInteger(String(text.dropFirst(prefix.count)))
    }
    let suffix = "@example.com"
    return text.hasPrefix("person") && text.hasSuffix(suffix)
      && VaryingValue.isInteger(String(text.dropFirst(6).dropLast(suffix.count)))
  }

  private func isPersonal(_ text: String) -> Bool { personal[ScalarString(text)] != nil }

  /// Returns a Boolean value that indicates whether a number or a text may differ although the API has not changed.
  func varies(_ value: JSONValue, _ position: Position) -> Bool {
    if case .string(let text) = value, varies(text) || !AddressText.addresses(in: text).isEmpty {
      return true
    }
    return kind(of: value, under: position.key, in: position.noun) != nil
  }

  // MARK: Bodies

  /// Compares two values, the old of which may be missing.
  ///
  /// - Complexity: linear in the size of the values, and in the depth for lists.
  mutating func align(old: JSONValue?, new: JSONValue, _ position: Position) {
    switch new {
    case .object(let members):
      var former = JSONObject()
      if case .object(let object)? = old { former = object }
      let inner = position.inside(members, self)
      let renamed = Self.renamed(former, members)
      for member in members {
        let old = former[member.key] ?? (renamed?.new == member.key ? renamed?.value : nil)
        align(old: old, new: member.value, inner.member(member.key))
      }
    case .array(let elements):
      var formers: [JSONValue] = []
      if case .array(let elements)? = old { formers = elements }
      let partners = ElementPairing(old: formers, new: elements, at: position, in: self).partners
      for (index, element) in elements.enumerated() {
        align(old: partners[index].map { formers[$0] }, new: element, position.element(index))
      }
    case .null, .boolean, .number, .string: note(old: old, new: new, position)
    }
  }

  /// Returns the only new key of an object, and the value of the only old key that it lacks, if both have the same kind.
  private static func renamed(_ former: JSONObject, _ members: JSONObject) -> (new: String, value: JSONValue)?
  {
    var added = members.lazy.filter { former[$0.key] == nil }.makeIterator()
    guard !former.isEmpty, let new = added.next(), added.next() == nil else { return nil }
    var gone = former.lazy.filter { members[$0.key] == nil }.makeIterator()
    guard let old = gone.next(), gone.next() == nil, old.value.kind == new.value.kind else { return nil }
    return (new.key, old.value)
  }

  private mutating func note(old: JSONValue?, new: JSONValue, _ position: Position) {
    guard let text = VaryingValue.text(of: new) else { return }
    let former = old.flatMap { $0.kind == new.kind ? VaryingValue.text(of: $0) : nil }
    if isPersonal(text) {
      if let former, haveSameScalars(former, text) || Self.isPseudonym(former) || new.kind == .number {
        pseudonyms.add(new: text, old: former)
      }
      return
    }
    let kind = kind(of: new, under: position.key, in: position.noun)
    guard let kind else {
      if let former { align(oldText: former, newText: text) }
      return
    }
    let isSame =
      old.map { self.kind(of: $0, under: position.key, in: position.noun) == kind } ?? false
    let partner = former.flatMap { isSame && kind.canReplace($0, text) ? $0 : nil }
    switch kind {
    case .time: if let partner { times[position.scope, default: RoleVotes()].add(new: text, old: partner) }
    case .identifier(let role): note(old: partner, new: text, role)
    }
  }

  private mutating func note(old: String?, new: String, _ role: String) {
    identifiers[role, default: RoleVotes()].see(new)
    guard let old else { return }
    identifiers[role, default: RoleVotes()].add(new: new, old: old)
    if firsts[role]?[new] == nil { firsts[role, default: [:]][new] = old }
  }

  // MARK: Texts and addresses

  /// Compares the addresses in two texts.
  private mutating func align(oldText: String, newText: String) {
    let olds = AddressText.addresses(in: oldText)
    let news = AddressText.addresses(in: newText)
    guard olds.count == news.count else { return }
    for (old, new) in zip(olds, news) {
      align(old: WebAddress(String(oldText[old])), new: WebAddress(String(newText[new])))
    }
  }

  /// Compares the parts of two addresses, if they have as many.
  mutating func align(old: WebAddress, new: WebAddress) {
    let (formers, parts) = (AddressText.parts(of: old.path), AddressText.parts(of: new.path))
    if formers.count == parts.count {
      var noun = ""
      for (former, part) in zip(formers, parts) {
        note(oldPart: former, newPart: part, "id", in: noun)
        if !VaryingValue.isIdentifier(inAddress: part) { noun = part }
      }
    }
    let known = Dictionary(
      old.parameters.map { ($0.name, $0.value) }, uniquingKeysWith: { first, _ in first })
    for parameter in new.parameters {
      guard let former = known[parameter.name] else { continue }
      note(oldPart: former, newPart: parameter.value, parameter.name, in: noun(of: new))
    }
  }

  private func noun(of address: WebAddress) -> String {
    AddressText.parts(of: address.path).last { !VaryingValue.isIdentifier(inAddress: $0) } ?? ""
  }

  mutating func note(oldPart: String, newPart: String, _ name: String, in noun: String) {
    if isPersonal(newPart) {
      if haveSameScalars(oldPart, newPart) || Self.isPseudonym(oldPart) {
        pseudonyms.add(new: newPart, old: oldPart)
      }
      return
    }
    guard let role = role(ofPart: newPart, name, in: noun) else { return }
    let partner =
      role == self.role(ofPart: oldPart, name, in: noun)
        && VaryingValue.identifier(role: role).canReplace(oldPart, newPart) ? oldPart : nil
    note(old: partner, new: newPart, role)
  }

  /// Returns the role of a part of an address or of a parameter; nil if it is no identifier.
  func role(ofPart part: String, _ name: String, in noun: String) -> String? {
    if VaryingValue.isRandom(part) { return IdentifierRoles.unknown }
    guard roles.isIdentifier(name), VaryingValue.isInteger(part) else { return nil }
    return roles.role(of: name, in: noun)
  }

  /// Returns an address with the identifiers of the old session, as far as they are known.
  func translated(_ address: RequestAddress) -> RequestAddress {
    var address = address
    let noun: String
    (address.path, noun) = replacingIdentifiers(inPath: address.path[...], by: first)
    for (name, values) in address.parameters {
      address.parameters[name] = values.map { value in
        role(ofPart: value, name, in: noun).flatMap { first(value, $0) } ?? value
      }
    }
    return address
  }

  private func first(_ text: String, _ role: String) -> String? { firsts[role]?[text] }

  /// Returns a path, or an address without a query, with other identifiers, and the last other part. The rest keeps its
  /// spelling.
  ///
  /// - Parameter replacement: a function that returns the other identifier for one and its role; nil to keep it.
  func replacingIdentifiers(
    inPath path: Substring, by replacement: (String, String) -> String?
  ) -> (path: String, noun: String) {
    var noun = ""
    let origin = path.contains("://") ? 3 : 0
    let parts = path.split(separator: "/", omittingEmptySubsequences: false).enumerated().map {
      index, part -> String in
      if index < origin || part.isEmpty { return String(part) }
      let decoded = PercentEncoding.decoded(part)
      guard let role = role(ofPart: decoded, "id", in: noun) else {
        noun = decoded
        return String(part)
      }
      return replacement(decoded, role).map(PercentEncoding.parameter) ?? String(part)
    }
    return (parts.joined(separator: "/"), noun)
  }

  /// Returns a text that is the same for addresses that differ only in identifiers, secrets and personal values.
  func template(of address: RequestAddress) -> String {
    let parts = address.path.split(separator: "/", omittingEmptySubsequences: false).map { part -> String in
      let decoded = PercentEncoding.decoded(part)
      return role(ofPart: decoded, "id", in: "") != nil || varies(decoded) ? "*" : String(part)
    }
    let parameters = address.parameters.sorted { scalarsPrecede($0.key, $1.key) }.map { name, values in
      let shown = values.map { role(ofPart: $0, name, in: "") != nil || varies($0) ? "*" : $0 }
      return name + "=" + shown.joined(separator: "&")
    }
    return address.method + " " + parts.joined(separator: "/") + "?" + parameters.joined(separator: "&")
  }

  private func varies(_ text: String) -> Bool {
    isPersonal(text) || Self.isPseudonym(text) || VaryingValue.isTime(text)
  }
}
