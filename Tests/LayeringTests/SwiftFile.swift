/// A Swift source file with the results of scanning its tokens.
struct SwiftFile {
  /// A type that the file declares.
  struct Declaration: Equatable {
    var name: String
    /// The enclosing type or extension; nil at the top level.
    var owner: String?
    /// A Boolean value that indicates whether other files may name it.
    var isVisible: Bool
  }

  struct Import: Equatable {
    var module: String
    var line: Int
  }

  /// The path relative to the root of the package, for example `Sources/RecordSpec/Run/Plan.swift`.
  let path: String
  let tokens: [SwiftToken]
  private(set) var imports: [Import] = []
  private(set) var declarations: [Declaration] = []
  /// The members of types and extensions, without declarations in functions.
  private(set) var members: [SwiftMember] = []
  /// The types that the file declares or extends.
  private(set) var scopes: Set<String> = []
  /// The generic parameters and associated types, which have no meaning in other files.
  private(set) var placeholders: Set<String> = []

  /// The target, for example `RecordSpec`.
  var module: String { component(1) ?? "" }
  /// The folder within the target, for example `Store/SQLite`; nil for a file at the top.
  var folder: String? {
    let folders = path.split(separator: "/").dropFirst(2).dropLast()
    return folders.isEmpty ? nil : folders.joined(separator: "/")
  }

  init(path: String, source: String) {
    self.path = path
    tokens = SwiftTokens.tokens(of: source)
    scan()
  }

  private func component(_ index: Int) -> String? {
    let components = path.split(separator: "/")
    return index < components.count ? String(components[index]) : nil
  }

  private mutating func scan() {
    // The open braces, each with the type or extension whose body it begins; nil for other braces.
    var braces: [Scope?] = []
    var pending: Scope?
    for (index, token) in tokens.enumerated() {
      switch token.text {
      case "{":
        braces.append(pending)
        pending = nil
      case "}": _ = braces.popLast()
      case "var", "let", "case", "init":
        if let scope = braces.last ?? nil { readMembers(at: index, of: scope) }
        if token.text == "init" { placeholders.formUnion(genericParameters(from: index + 1)) }
      case "import": readImport(at: index)
      case "struct", "class", "enum", "actor", "protocol", "typealias", "extension", "associatedtype", "func":
        guard let name = declaredName(at: index) else { continue }
        placeholders.formUnion(genericParameters(from: index + 2))
        switch token.text {
        case "func": if let scope = braces.last ?? nil { readMembers(at: index, of: scope) }
        case "associatedtype": placeholders.insert(name)
        case "extension":
          let extended = lastComponent(ofNameAt: index + 1)
          scopes.insert(extended)
          pending = Scope(type: extended, isExtension: true, isVisible: isVisible(at: index))
        default:
          let owner = braces.last(where: { $0 != nil }) ?? nil
          declarations.append(Declaration(name: name, owner: owner?.type, isVisible: isVisible(at: index)))
          if token.text != "typealias" {
            scopes.insert(name)
            pending = Scope(type: name, isExtension: false, isVisible: true)
          }
        }
      case "subscript": placeholders.formUnion(genericParameters(from: index + 1))
      default: break
      }
    }
  }

  /// The body of a type or an extension.
  private struct Scope {
    var type: String
    var isExtension: Bool
    /// A Boolean value that indicates whether other files may name the members.
    var isVisible: Bool
  }

  private mutating func readMembers(at index: Int, of scope: Scope) {
    let keyword = tokens[index].text
    // Skip `.init`.
    guard index == 0 || tokens[index - 1].text != "." else { return }
    let kind: SwiftMember.Kind =
      switch keyword {
      case "case": .enumCase
      case "func": .function
      case "init": .initializer
      default: .property
      }
    let names =
      switch kind {
      case .initializer: ["init"]
      case .function: declaredName(at: index).map { [$0] } ?? []
      default: names(declaredAt: index)
      }
    for name in names {
      var member = SwiftMember(
        kind: kind, name: name, owner: scope.type, isInExtension: scope.isExtension,
        isVisible: scope.isVisible && isVisible(at: index))
      if kind == .function { member.parameters = parameters(from: index + 2) }
      if kind == .initializer { member.parameters = parameters(from: index + 1) }
      members.append(member)
    }
  }

  /// Returns the name after a keyword; nil if the word is not a keyword here (`class func`, `.struct`, `actor:`,
  /// `import struct`).
  private func declaredName(at index: Int) -> String? {
    let notNames: Set = [
      "func", "var", "let", "subscript", "override", "final", "private", "fileprivate", "internal", "package",
      "public",
    ]
    guard index + 1 < tokens.count, index == 0 || ![".", "import"].contains(tokens[index - 1].text)
    else { return nil }
    let name = tokens[index + 1]
    return name.isName && !notNames.contains(name.text) ? name.text : nil
  }

  /// Returns the last component of a name: `C` for `A.B.C`.
  private func lastComponent(ofNameAt start: Int) -> String {
    var index = start
    while index + 2 < tokens.count, tokens[index + 1].text == ".", tokens[index + 2].isName { index += 2 }
    return tokens[index].text
  }

  /// Returns the names of a clause such as `<Key: Hashable, each Value>`, if one starts at `start`.
  private func genericParameters(from start: Int) -> [String] {
    guard start < tokens.count, tokens[start].text == "<" else { return [] }
    var names: [String] = []
    var depth = 0
    var expectsName = true
    for token in tokens[start...] {
      switch token.text {
      case "<": depth += 1
      case ">":
        depth -= 1
        if depth == 0 { return names }
      case "," where depth == 1: expectsName = true
      case "each", "let": break
      default:
        if expectsName, token.isName { names.append(token.text) }
        expectsName = false
      }
    }
    return names
  }

  /// Returns whether the modifiers before a keyword do not include `private` or `fileprivate`.
  private func isVisible(at index: Int) -> Bool {
    let modifiers: Set = [
      "public", "package", "internal", "open", "final", "indirect", "private", "fileprivate", "nonisolated",
      "distributed", "static", "class", "mutating", "nonmutating", "override", "lazy", "weak", "unowned",
      "required",
      "convenience", "dynamic",
    ]
    let before = tokens[..<index].reversed().prefix { modifiers.contains($0.text) }
    return !before.contains { $0.text == "private" || $0.text == "fileprivate" }
  }

  private mutating func readImport(at index: Int) {
    let kinds: Set = ["struct", "class", "enum", "protocol", "typealias", "func", "var", "let", "actor"]
    let words = tokens[(index + 1)...].prefix(2)
    guard let first = words.first, first.isName else { return }
    let module = kinds.contains(first.text) ? words.last ?? first : first
    imports.append(Import(module: module.text, line: tokens[index].line))
  }
}
