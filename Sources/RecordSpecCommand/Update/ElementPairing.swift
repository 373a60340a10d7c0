import JSONTree
import RecordModel

/// The pairs of elements of an old list and a new one.
///
/// Elements with the same contents belong together, apart from what varies. If most identifiers are those of the old list,
/// they decide instead, unless they pair fewer elements with the same contents.
struct ElementPairing {
  /// For each new element, the index of the old one; nil for none.
  private(set) var partners: [Int?]

  /// - Complexity: linear in the size of the lists.
  init(
    old: [JSONValue], new: [JSONValue], at position: SessionAlignment.Position, in alignment: SessionAlignment
  ) {
    partners = Array(repeating: nil, count: new.count)
    if old.isEmpty || new.isEmpty { return }
    if old.count == 1, new.count == 1 {
      partners[0] = 0
      return
    }
    let contents = (
      old.map { Self.contents(of: $0, position, alignment) },
      new.map { Self.contents(of: $0, position, alignment) }
    )
    let byContents = Self.pairs(contents.0, contents.1, [])
    let byOrder = Self.completed(byContents, old.count)
    func identifiers(_ elements: [JSONValue]) -> [String?] {
      elements.map { element in
        guard case .object(let object) = element else { return nil }
        return alignment.ownIdentifier(of: object)?.text
      }
    }
    let same = Self.pairs(identifiers(old), identifiers(new), [])
    let commonCount = same.count { $0 != nil }
    partners = byOrder
    guard 2 * commonCount >= min(old.count, new.count) else { return }
    let byIdentifiers = Self.completed(
      Self.pairs(contents.0, contents.1, same), old.count)
    func score(_ partners: [Int?]) -> Int {
      partners.enumerated().count { new, old in old.map { contents.0[$0] == contents.1[new] } ?? false }
    }
    if score(byIdentifiers) >= score(byOrder) { partners = byIdentifiers }
  }

  /// Adds pairs of elements with equal keys to known pairs, in their order.
  private static func pairs<Key: Hashable>(_ old: [Key?], _ new: [Key?], _ known: [Int?]) -> [Int?] {
    var partners = known.isEmpty ? Array(repeating: nil, count: new.count) : known
    let taken = Set(partners.compactMap(\.self))
    var free: [Key: [Int]] = [:]
    for index in old.indices.reversed() where !taken.contains(index) {
      if let key = old[index] { free[key, default: []].append(index) }
    }
    for index in new.indices where partners[index] == nil {
      if let key = new[index] { partners[index] = free[key]?.popLast() }
    }
    return partners
  }

  /// Pairs the elements that are left in their order.
  private static func completed(_ known: [Int?], _ count: Int) -> [Int?] {
    var partners = known
    let taken = Set(known.compactMap(\.self))
    var rest = (0..<count).filter { !taken.contains($0) }[...]
    for index in partners.indices where partners[index] == nil { partners[index] = rest.popFirst() }
    return partners
  }

  // MARK: Contents

  /// Returns a hash of what does not vary in a value.
  private static func contents(
    of value: JSONValue, _ position: SessionAlignment.Position, _ alignment: SessionAlignment
  ) -> Int? {
    var hasher = Hasher()
    combine(value, position, alignment, &hasher)
    return hasher.finalize()
  }

  private static func combine(
    _ value: JSONValue, _ position: SessionAlignment.Position, _ alignment: SessionAlignment,
    _ hasher: inout Hasher
  ) {
    switch value {
    case .object(let members):
      let inner = position.inside(members, alignment)
      for member in members.sorted(by: { scalarsPrecede($0.key, $1.key) }) {
        hasher.combine(member.key)
        combine(member.value, inner.member(member.key), alignment, &hasher)
      }
    case .array(let elements):
      hasher.combine(elements.count)
      for element in elements { combine(element, position, alignment, &hasher) }
    case .null, .boolean: hasher.combine(value)
    case .number, .string:
      if !alignment.varies(value, position) { hasher.combine(value) }
    }
  }
}
