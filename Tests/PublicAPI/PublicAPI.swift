internal import Foundation

/// The public API of a module as text, with one declaration per line.
///
/// ```
/// struct Names: RandomAccessCollection, Sendable
///   init(_ text: String)
///   var count: Int { get }
///
/// extension Names where Element == String
///   func joined() -> String
/// ```
///
/// Declarations are grouped by type. Groups and the lines of a group are sorted, so that the text depends only on the API.
/// Requirements of a protocol are in its group, and their default implementations in a group of the extension.
struct PublicAPI {
  /// The declaration that the members of a group belong to.
  private struct Owner: Hashable, Comparable {
    var path: [String]
    var isExtension = false
    var constraints = ""

    static func < (left: Owner, right: Owner) -> Bool {
      if left.path != right.path { return left.path.lexicographicallyPrecedes(right.path) }
      if left.isExtension != right.isExtension { return right.isExtension }
      return left.constraints < right.constraints
    }
  }

  private struct Group {
    /// The declaration of the type without its conformances; nil for an extension.
    var declaration: String?
    var conformances: Set<String> = []
    var members: Set<String> = []
  }

  private static let typeKinds: Set<String> = [
    "swift.actor", "swift.class", "swift.enum", "swift.protocol", "swift.struct",
  ]

  /// The conformances that the compiler adds to nearly every type.
  private static let implicitConformances: Set<String> = ["Copyable", "Escapable", "SendableMetatype"]

  private var groups: [Owner: Group] = [:]
  /// The declarations outside of types, such as type aliases.
  private var globals: Set<String> = []

  init(_ graphs: [SymbolGraph]) {
    let symbols = graphs.flatMap(\.symbols)
    let relationships = graphs.flatMap(\.relationships)
    let byIdentifier = Dictionary(symbols.map { ($0.identifier.precise, $0) }) { first, _ in first }
    let protocols = Set(symbols.filter { $0.kind.identifier == "swift.protocol" }.map(\.pathComponents))
    let requirements = Set(
      relationships.filter { ["requirementOf", "optionalRequirementOf"].contains($0.kind) }.map(\.source))
    let types = symbols.filter { Self.typeKinds.contains($0.kind.identifier) }
    // The compiler repeats the constraints of a type at its extensions.
    let generics = Dictionary(
      types.map { ($0.pathComponents, $0.swiftGenerics?.constraints ?? []) }, uniquingKeysWith: +)
    func text(of constraints: [SymbolGraph.Constraint]?, at path: [String]) -> String {
      let known = generics[path] ?? []
      return (constraints ?? []).filter { !known.contains($0) }.map(\.text).sorted().joined(separator: ", ")
    }
    /// Returns the owner of the members that a type or an extension declares; nil for any other symbol.
    func owner(declaredBy symbol: SymbolGraph.Symbol) -> Owner? {
      let path = symbol.pathComponents
      if Self.typeKinds.contains(symbol.kind.identifier) { return Owner(path: path) }
      guard symbol.kind.identifier == "swift.extension" else { return nil }
      let constraints = text(of: symbol.swiftExtension?.constraints, at: path)
      return Owner(path: path, isExtension: true, constraints: constraints)
    }

    for symbol in symbols {
      if let owner = owner(declaredBy: symbol) {
        groups[owner, default: Group()].declaration =
          symbol.kind.identifier == "swift.extension" ? nil : Self.declaration(of: symbol)
        continue
      }
      let path = Array(symbol.pathComponents.dropLast())
      guard !path.isEmpty else {
        globals.insert(Self.declaration(of: symbol))
        continue
      }
      let constraints = text(of: symbol.swiftExtension?.constraints, at: path)
      let isInBody =
        protocols.contains(path)
        ? requirements.contains(symbol.identifier.precise)
          || symbol.kind.identifier == "swift.associatedtype"
        : generics[path] != nil && constraints.isEmpty
      let owner = Owner(path: path, isExtension: !isInBody, constraints: constraints)
      groups[owner, default: Group()].members.insert(Self.declaration(of: symbol))
    }

    for relationship in relationships where ["conformsTo", "inheritsFrom"].contains(relationship.kind) {
      guard let source = byIdentifier[relationship.source], var owner = owner(declaredBy: source),
        // A protocol's declaration lists the protocols that it refines.
        source.kind.identifier != "swift.protocol"
      else { continue }
      let name = Self.name(of: relationship, among: byIdentifier)
      guard !Self.implicitConformances.contains(name) else { continue }
      let constraints = text(of: relationship.swiftConstraints, at: owner.path)
      if !constraints.isEmpty { owner = Owner(path: owner.path, isExtension: true, constraints: constraints) }
      groups[owner, default: Group()].conformances.insert(name)
    }
  }

  /// The text, with an empty line between groups.
  var text: String {
    var blocks = globals.isEmpty ? [] : [globals.sorted()]
    for (owner, group) in groups.sorted(by: { $0.key < $1.key })
    where group.declaration != nil || !group.conformances.isEmpty || !group.members.isEmpty {
      blocks.append([Self.headline(of: owner, group)] + group.members.sorted().map { "  " + $0 })
    }
    return blocks.map { $0.joined(separator: "\n") + "\n" }.joined(separator: "\n")
  }

  private static func headline(of owner: Owner, _ group: Group) -> String {
    let declaration =
      group.declaration
      ?? "extension \(owner.path.joined(separator: "."))"
      + (owner.constraints.isEmpty ? "" : " where \(owner.constraints)")
    guard !group.conformances.isEmpty else { return declaration }
    let conformances = ": " + group.conformances.sorted().joined(separator: ", ")
    guard let condition = declaration.range(of: " where ")?.lowerBound else {
      return declaration + conformances
    }
    return declaration[..<condition] + conformances + declaration[condition...]
  }

  /// Returns the declaration in one line, with the whole path of a type and what its fragments omit.
  private static func declaration(of symbol: SymbolGraph.Symbol) -> String {
    let isType = typeKinds.contains(symbol.kind.identifier)
    var hasName = false
    let fragments = symbol.declarationFragments.map { fragment in
      guard isType, !hasName, fragment.kind == "identifier" else { return fragment.spelling }
      hasName = true
      return symbol.pathComponents.joined(separator: ".")
    }
    let text = fragments.joined().split(whereSeparator: \.isWhitespace).joined(separator: " ")
    let access = symbol.accessLevel == "open" ? ["open"] : []
    return (attributes(for: symbol.availability ?? []) + access + [text]).joined(separator: " ")
  }

  private static func attributes(for availability: [SymbolGraph.Availability]) -> [String] {
    let attributes: [String] = availability.map { item in
      var arguments = [item.domain ?? "*"]
      if item.isUnconditionallyUnavailable == true { arguments.append("unavailable") }
      if item.isUnconditionallyDeprecated == true { arguments.append("deprecated") }
      let versions = [
        ("introduced", item.introduced), ("deprecated", item.deprecated), ("obsoleted", item.obsoleted),
      ]
      for case (let name, let version?) in versions {
        arguments.append("\(name): \(version.major).\(version.minor ?? 0)")
      }
      return "@available(\(arguments.joined(separator: ", ")))"
    }
    return attributes.sorted()
  }

  /// Returns the name of a protocol or superclass. The module is omitted, because it differs between platforms.
  private static func name(
    of relationship: SymbolGraph.Relationship, among symbols: [String: SymbolGraph.Symbol]
  ) -> String {
    if let symbol = symbols[relationship.target] { return symbol.pathComponents.joined(separator: ".") }
    guard let fallback = relationship.targetFallback else { return relationship.target }
    return fallback.split(separator: ".").dropFirst().joined(separator: ".")
  }
}

extension SymbolGraph.Constraint {
  fileprivate var text: String { "\(lhs) \(kind == "sameType" ? "==" : ":") \(rhs)" }
}
