import Foundation
import Testing

/// Checks what the compiler does not: the order of the folders in a module, and that no code traps.
@Suite struct LayeringTests {
  private static let package = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  /// The words of a source file, without comments and texts.
  private struct Source {
    let path: String
    /// The folder in the module; empty for a file beside the folders.
    let folder: String
    let text: String

    init(_ path: String, in module: String) throws {
      self.path = path
      folder = (path.dropFirst("Sources/\(module)/".count) as NSString).deletingLastPathComponent
      let source = try String(
        contentsOf: LayeringTests.package.appendingPathComponent(path), encoding: .utf8)
      text = source.replacing(/(?s)""".*?"""|"(?:[^"\\\n]|\\.)*"|\/\/[^\n]*/, with: "")
      let declaration =
        /(?m)^( *)(?:@\S+ |public |package |fileprivate |private |final |indirect )*(?:struct|enum|class|actor|protocol|typealias) (\w+)/
      let found = text.matches(of: declaration).map {
        (isNested: !$0.output.1.isEmpty, name: String($0.output.2))
      }
      types = (Set(found.map(\.name)), Set(found.filter { !$0.isNested }.map(\.name)))
    }

    /// The types that the file declares, and those of them that other files can name without a qualifier.
    let types: (all: Set<String>, topLevel: Set<String>)
  }

  private static func sources(_ module: String) throws -> [Source] {
    let root = package.appendingPathComponent("Sources/\(module)").path
    let paths = try FileManager.default.subpathsOfDirectory(atPath: root).filter { $0.hasSuffix(".swift") }
    return try paths.sorted().map { try Source("Sources/\(module)/\($0)", in: module) }
  }

  /// The modules whose folders have an order, as CONTRIBUTING.md lists them.
  private static func orders() throws -> [(module: String, folders: [String])] {
    let text = try String(contentsOf: package.appendingPathComponent("CONTRIBUTING.md"), encoding: .utf8)
    return text.matches(of: /(?m)^\| `(\w+)` \| (`.*→.*`) \|$/).map { match in
      (String(match.output.1), match.output.2.split(separator: " → ").map { String($0.filter { $0 != "`" }) })
    }
  }

  @Test func filesUseOnlyTheFoldersBeforeTheirs() throws {
    let orders = try Self.orders()
    #expect(orders.map(\.module).contains("RecordEngine"), "CONTRIBUTING.md lists no order of the engine")
    for (module, folders) in orders {
      let files = try Self.sources(module)
      for file in files where !file.folder.isEmpty && !folders.contains(file.folder) {
        Issue.record("\(file.path): CONTRIBUTING.md does not say which folders come before '\(file.folder)'")
      }
      // The files beside the folders come last.
      let layers = (folders + [""]).map { folder in files.filter { $0.folder == folder } }
      for (rank, layer) in layers.enumerated() {
        let known = Set(layers[...rank].joined().flatMap(\.types.all))
        let later = Set(layers[(rank + 1)...].joined().flatMap(\.types.topLevel)).subtracting(known)
        for file in layer {
          let words = file.text.matches(of: /\.?\b[A-Z]\w*/).map { String($0.output) }
          let uses = later.intersection(words).sorted()
          #expect(uses.isEmpty, "\(file.path) uses types of later folders")
        }
      }
    }
  }

  /// The traps that must print their messages in release builds, as preconditions do not.
  private static let allowed = ["Sources/RecordEngine/RecordTypes/Field.swift": ["fatalError("]]

  @Test func nothingTraps() throws {
    let modules = try FileManager.default.contentsOfDirectory(
      atPath: Self.package.appendingPathComponent("Sources").path)
    for file in try modules.sorted().flatMap(Self.sources) {
      let traps = file.text.matches(of: /\btry!|\bas!|\bfatalError\(/).map { String($0.output) }
      #expect(traps == Self.allowed[file.path] ?? [], "\(file.path) must not stop the program")
    }
  }
}
