import Foundation
import Testing

@testable import PublicAPI

/// Tests for the text of an API, with small symbol graphs in the compiler's format.
@Suite struct PublicAPITests {
  private static func symbol(
    _ kind: String, _ path: String, _ declaration: String, id: String? = nil, more: String = ""
  ) -> String {
    let names = path.split(separator: ".").map { "\"\($0)\"" }.joined(separator: ",")
    let name = path.split(separator: ".").last ?? ""
    // The compiler marks the name of a declaration as its identifier.
    let parts = declaration.split(separator: name, maxSplits: 1, omittingEmptySubsequences: false)
    let fragments =
      parts.count == 2
      ? [("text", parts[0]), ("identifier", name), ("text", parts[1])] : [("text", declaration[...])]
    let list = fragments.map { #"{"kind":"\#($0.0)","spelling":"\#($0.1)"}"# }.joined(separator: ",")
    return #"""
      {"kind":{"identifier":"swift.\#(kind)"},"identifier":{"precise":"\#(id ?? path)"},"pathComponents":[\#(names)],
      "declarationFragments":[\#(list)],"accessLevel":"public"\#(more)}
      """#
  }

  private static func relationship(_ kind: String, _ source: String, _ target: String, more: String = "")
    -> String
  {
    #"{"kind":"\#(kind)","source":"\#(source)","target":"\#(target)"\#(more)}"#
  }

  private static func text(_ symbols: [String], _ relationships: [String] = []) throws -> String {
    let json = """
      {"symbols":[\(symbols.joined(separator: ","))],"relationships":[\(relationships.joined(separator: ","))]}
      """
    return PublicAPI([try JSONDecoder().decode(SymbolGraph.self, from: Data(json.utf8))]).text
  }

  @Test func membersAreGroupedByTypeAndSorted() throws {
    let symbols = [
      Self.symbol("property", "Shelf.title", "var title: String { get }"),
      Self.symbol("enum.case", "Shelf.Kind.open", "case open"),
      Self.symbol("enum", "Shelf.Kind", "enum Kind"),
      Self.symbol("init", "Shelf.init(_:)", "init(_ title: String)"),
      Self.symbol("struct", "Shelf", "struct Shelf"),
      Self.symbol("typealias", "Hook", "typealias Hook = () -> Void"),
    ]
    let expected = """
      typealias Hook = () -> Void

      struct Shelf
        init(_ title: String)
        var title: String { get }

      enum Shelf.Kind
        case open

      """
    #expect(try Self.text(symbols) == expected)
    #expect(try Self.text(symbols.reversed()) == expected)
  }

  @Test func conformancesPrecedeTheConditionsOfAType() throws {
    let symbols = [
      Self.symbol("class", "List", "final class List<Element> where Element : Item"),
      Self.symbol("class", "Item", "class Item"), Self.symbol("protocol", "Named", "protocol Named"),
    ]
    let relationships = [
      Self.relationship("conformsTo", "List", "s:s8SendableP", more: #","targetFallback":"Swift.Sendable""#),
      Self.relationship("conformsTo", "List", "s:s8CopyableP", more: #","targetFallback":"Swift.Copyable""#),
      Self.relationship("conformsTo", "List", "Named"),
      Self.relationship("inheritsFrom", "List", "Item"),
      Self.relationship(
        "conformsTo", "List", "s:SQ",
        more: """
          ,"targetFallback":"Swift.Equatable","swiftConstraints":[{"kind":"conformance","lhs":"Element","rhs":"Equatable"}]
          """),
    ]
    #expect(
      try Self.text(symbols, relationships) == """
        class Item

        final class List<Element>: Item, Named, Sendable where Element : Item

        extension List: Equatable where Element : Equatable

        protocol Named

        """)
  }

  @Test func requirementsAreDistinctFromTheirDefaultImplementations() throws {
    let symbols = [
      Self.symbol("protocol", "Named", "protocol Named : Sendable"),
      Self.symbol("property", "Named.name", "var name: String { get }", id: "requirement"),
      Self.symbol("property", "Named.name", "var name: String { get }", id: "default"),
      Self.symbol("associatedtype", "Named.Name", "associatedtype Name"),
    ]
    let relationships = [
      Self.relationship("requirementOf", "requirement", "Named"),
      Self.relationship("defaultImplementationOf", "default", "requirement"),
      Self.relationship("conformsTo", "Named", "s:s8SendableP", more: #","targetFallback":"Swift.Sendable""#),
    ]
    #expect(
      try Self.text(symbols, relationships) == """
        protocol Named : Sendable
          associatedtype Name
          var name: String { get }

        extension Named
          var name: String { get }

        """)
  }

  @Test func extensionsAreGroupedByTypeAndConditions() throws {
    let constraint = #"{"kind":"sameType","lhs":"Element","rhs":"Item"}"#
    let constrained = #","swiftExtension":{"constraints":[\#(constraint)]}"#
    let symbols = [
      Self.symbol("struct", "List", "struct List"),
      Self.symbol("method", "List.sum()", "func sum() -> Item", more: constrained),
      Self.symbol("method", "List.count()", "func count() -> Int", more: #","swiftExtension":{}"#),
      // A type of another module, and an extension that only declares a conformance.
      Self.symbol("extension", "String", "extension String", id: "s:e:1"),
      Self.symbol("property", "String.label", "var label: Int { get }", more: #","swiftExtension":{}"#),
      Self.symbol("extension", "Int", "extension Int", id: "s:e:2"),
      // An extension without public declarations.
      Self.symbol("extension", "Double", "extension Double", id: "s:e:3"),
    ]
    let relationships = [
      Self.relationship("conformsTo", "s:e:2", "s:n", more: #","targetFallback":"Names.Named""#)
    ]
    #expect(
      try Self.text(symbols, relationships) == """
        extension Int: Named

        struct List
          func count() -> Int

        extension List where Element == Item
          func sum() -> Item

        extension String
          var label: Int { get }

        """)
  }

  @Test func extensionsWithTheConstraintsOfTheTypeAreUnconstrained() throws {
    let constraints = #"{"constraints":[{"kind":"conformance","lhs":"Element","rhs":"Item"}]}"#
    let symbols = [
      Self.symbol("struct", "List", "struct List", more: #","swiftGenerics":\#(constraints)"#),
      Self.symbol("method", "List.sum()", "func sum() -> Item", more: #","swiftExtension":\#(constraints)"#),
    ]
    let conformance = Self.relationship(
      "conformsTo", "List", "s:SQ",
      more: #","targetFallback":"Swift.Equatable","swiftConstraints":"#
        + #"[{"kind":"conformance","lhs":"Element","rhs":"Item"}]"#)
    #expect(
      try Self.text(symbols, [conformance]) == """
        struct List: Equatable
          func sum() -> Item

        """)
  }

  @Test func whatTheFragmentsOmitIsAdded() throws {
    let availability = """
      ,"availability":[{"domain":"macOS","introduced":{"major":15}},{"isUnconditionallyDeprecated":true}]
      """
    let open = Self.symbol("class", "Item", "class Item").replacing("\"public\"", with: "\"open\"")
    let symbols = [
      open, Self.symbol("method", "Item.next()", "func next(\\n    _ count: Int)", more: availability),
    ]
    #expect(
      try Self.text(symbols) == """
        open class Item
          @available(*, deprecated) @available(macOS, introduced: 15.0) func next( _ count: Int)

        """)
  }

  // MARK: Files

  @Test func aFolderWithoutSymbolGraphsIsAnError() throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "PublicAPITests-\(UUID())")
    #expect(throws: SymbolGraph.ReadingError.self) { try SymbolGraph.graphs(in: folder) }
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    #expect(throws: SymbolGraph.ReadingError.self) { try SymbolGraph.graphs(in: folder) }
    let file = folder.appending(path: "A.symbols.json")
    try Data("{}".utf8).write(to: file)
    #expect(throws: SymbolGraph.ReadingError.self) { try SymbolGraph.graphs(in: folder) }
    try Data(#"{"symbols":[],"relationships":[]}"#.utf8).write(to: file)
    #expect(try SymbolGraph.graphs(in: folder).count == 1)
  }

  /// A library without a file would not be compared.
  @Test func eachLibraryHasAFile() throws {
    let root = URL(filePath: #filePath).appending(path: "../../..").standardized
    let manifest = try String(contentsOf: root.appending(path: "Package.swift"), encoding: .utf8)
    let libraries = manifest.matches(of: /\.library\(name: "([A-Za-z]+)"/).map { "\($0.1).txt" }
    #expect(libraries.count == 5)
    let files = try FileManager.default.contentsOfDirectory(atPath: root.appending(path: "Tests/API").path)
    #expect(files.sorted() == libraries.sorted())
  }
}
