/// One file of Swift source, and what a scan of its tokens finds.
struct SwiftFile {
  /// A type that the file declares.
  struct Declaration: Equatable {
    var name: String
    /// The type or extension it stands in; nil at the top.
    var owner: String?
    /// Whether other files may name it.
    var isVisible: Bool
  }

  struct Import: Equatable {
    var module: String
    var line: Int
  }

  /// From the root of the package, `Sources/RecordSpec/Run/Plan.swift`.
  let path: String
  let tokens: [SwiftToken]
  private(set) var imports: [Import] = []
  private(set) var declarations: [Declaration] = []
  /// The members of types, those of extensions among them; none that stand within functions.
  private(set) var members: [SwiftMember] = []
  /// The types that the file declares or extends.
  private(set) var scopes: Set<String> = []
  /// Generic parameters and associated types: names that mean nothing outside.
  private(set) var placeholders: Set<String> = []

  /// The target, `RecordSpec`.
  var module: String { component(1) ?? "" }
  /// The folder within the target, `Store/SQLite`; nil for a file at the top.
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
    // The open braces, each with the type it is the body of, if it is.
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
    /// Whether other files may name what stands in it.
    var isVisible: Bool
  }

  private mutating func readMembers(at index: Int, of scope: Scope) {
    let keyword = tokens[index].text
    // `.init`, `if case`
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

  /// The name behind a keyword; nil where the word is none (`class func`, `.struct`, `actor:`, `import struct`).
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

  /// `C` of `A.B.C`.
  private func lastComponent(ofNameAt start: Int) -> String {
    var index = start
    while index + 2 < tokens.count, tokens[index + 1].text == ".", tokens[index + 2].isName { index += 2 }
    return tokens[index].text
  }

  /// The names of `<Key: Hashable, each Value>` if such a clause starts at `start`.
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

  /// Whether no `private` or `fileprivate` stands among the words before a keyword.
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
