/// The rules of the architecture: the modules that each module may import, and the order of its folders.
struct House {
  struct Room {
    /// The modules that any file may import.
    var imports: Set<String>
    /// The modules that only the files of one folder and its subfolders may import.
    var importsByFolder: [String: Set<String>] = [:]
    /// The folders and subfolders in order. A folder may depend on the folders before it. Files outside of folders come
    /// last. If nil, the folders have no order.
    var folders: [String]?

    func allows(_ module: String, in folder: String?) -> Bool {
      imports.contains(module)
        || importsByFolder.contains { owner, modules in
          modules.contains(module) && (folder == owner || folder?.hasPrefix(owner + "/") == true)
        }
    }
  }

  var rooms: [String: Room]
  /// The foreign members, each with a comment that names its package. Currently empty.
  var foreignMembers: Set<ForeignMember> = []

  static let recordSpec = House(rooms: [
    "JSONTree": Room(imports: ["OrderedCollections"]),
    "RecordModel": Room(
      imports: ["JSONTree", "Foundation"],
      folders: [
        "Names", "Values", "Mapping", "Predicate/RegularExpression", "Predicate", "Descriptions", "Schema",
        "Tweaks",
      ]),
    "XcodeModel": Room(imports: ["RecordModel", "JSONTree", "Foundation", "FoundationXML"]),
    "RecordEngine": Room(
      imports: [
        "JSONTree", "RecordModel", "HeapModule", "OrderedCollections", "Foundation", "Dispatch", "Logging",
      ],
      importsByFolder: ["SQLite": ["RecordEngineSQLite"]],
      folders: [
        "Values", "Diagnostics", "SQLite", "Store", "Store/Memory", "Store/Migration", "Store/SQLite",
        "Mapping", "Graph",
        "Context", "RecordTypes", "Tweaks", "Population", "Server", "Request", "Cache",
      ]),
    "RecordEngineHTTP": Room(
      imports: ["RecordEngine", "JSONTree", "Foundation", "FoundationNetworking"],
      importsByFolder: ["Curl": ["RecordEngineCurl"]]),
    "RecordSpec": Room(
      imports: ["JSONTree", "RecordModel", "XcodeModel", "HeapModule", "OrderedCollections", "Foundation"],
      importsByFolder: [
        "YAML": ["RecordSpecLibYAML"], "Run": ["RecordEngine"], "Explain": ["RecordEngine"],
        "Lint": ["RecordEngine"],
        "Serve": ["RecordEngine"], "Import": ["RecordEngine"],
      ],
      folders: [
        "Source", "YAML", "Settings", "Scenario", "Scenario/Format", "Scenario/Reading", "Snapshot", "Diff",
        "Run",
        "Explain", "Lint", "Golden", "Kept", "Report", "Review", "Tables", "Drawing", "Details", "Serve",
        "Writing",
        "Watch",
        "Reduce", "Import", "Generate", "Author/Rules", "Author",
      ]),
    "RecordSpecTesting": Room(imports: ["RecordSpec", "RecordModel", "Testing", "XCTest"]),
    "Benchmark": Room(
      imports: ["RecordEngine", "RecordModel", "JSONTree", "Foundation", "ArgumentParser"],
      importsByFolder: ["Contenders": ["RecordEngineSQLite", "GRDB"]],
      folders: ["Feed", "Contenders", "Measuring", "Report"]),
    "RecordSpecCommand": Room(
      imports: ["RecordSpec", "ArgumentParser", "FlyingFox", "FlyingSocks", "Foundation"]),
    "RecordSpecPlugin": Room(imports: ["PackagePlugin", "Foundation"]),
  ])

  /// Returns all violations, in the order of the files.
  func violations(in files: [SwiftFile]) -> [String] {
    importViolations(in: files) + orderViolations(in: files) + nameViolations(in: files)
      + trapViolations(in: files)
  }

  // MARK: Imports

  func importViolations(in files: [SwiftFile]) -> [String] {
    var violations: [String] = []
    for file in files {
      guard let room = rooms[file.module] else {
        violations.append(
          "\(file.path): the module \(file.module) has no rule; say in House what it may import")
        continue
      }
      for found in file.imports where !room.allows(found.module, in: file.folder) {
        let place = file.folder.map { "\(file.module)/\($0)" } ?? file.module
        violations.append("\(file.path):\(found.line): \(place) may not import \(found.module)")
      }
    }
    let readers = files.filter { $0.imports.contains { $0.module == "FoundationXML" } }.map(\.path)
    if readers.count > 1 {
      violations.append("FoundationXML has more than one reader: \(readers.joined(separator: ", "))")
    }
    return violations
  }

  // MARK: Order of folders

  func orderViolations(in files: [SwiftFile]) -> [String] {
    rooms.sorted { $0.key < $1.key }.flatMap { module, room -> [String] in
      guard let folders = room.folders else { return [] }
      let imports = room.imports.union(room.importsByFolder.values.flatMap(\.self))
      let others = files.filter { imports.contains($0.module) }
      let files = files.filter { $0.module == module }
      var violations: [String] = []
      var ranked: [(file: SwiftFile, rank: Int)] = []
      for file in files {
        if let rank = file.folder.map({ folders.firstIndex(of: $0) }) ?? folders.count {
          ranked.append((file, rank))
        } else {
          violations.append(
            "\(file.path): the folder \(file.folder ?? "") has no place in the flow; give it one in House")
        }
      }
      violations += memberViolations(in: ranked, others: others)
      for (file, rank) in ranked {
        let later = Declared(in: ranked.filter { $0.rank > rank }.map(\.file))
        let known = Set(ranked.filter { $0.rank <= rank }.flatMap { $0.file.declarations.map(\.name) })
        violations += uses(of: later, in: file, known: known.union(file.placeholders))
      }
      return violations
    }
  }

  /// The types that some files declare and that other files may name.
  private struct Declared {
    var top: [String: String] = [:]
    /// The nested types, by owner and name.
    var nested: [String: [String: String]] = [:]

    init(in files: [SwiftFile]) {
      for file in files {
        for declaration in file.declarations where declaration.isVisible {
          if let owner = declaration.owner {
            nested[owner, default: [:]][declaration.name] = file.path
          } else {
            top[declaration.name] = file.path
          }
        }
      }
    }
  }

  /// Returns the positions where `file` names a type of later folders.
  ///
  /// A type at the top level is named without a qualifier, unless an earlier file declares a type of the same name. A
  /// nested type is named after its owner (`Scenario.Plan`), or without a qualifier in a file that declares or extends
  /// its owner.
  private func uses(of later: Declared, in file: SwiftFile, known: Set<String>) -> [String] {
    let inherited = file.scopes.reduce(into: [:]) { names, scope in
      names.merge(later.nested[scope] ?? [:]) { first, _ in first }
    }
    var violations: [String] = []
    for (index, token) in file.tokens.enumerated() where token.isName {
      let qualifier = index >= 2 && file.tokens[index - 1].text == "." ? file.tokens[index - 2].text : nil
      let place: String?
      if let qualifier, qualifier != file.module {
        place = later.nested[qualifier]?[token.text]
      } else if index >= 1, qualifier == nil, file.tokens[index - 1].text == "." {
        place = nil  // `.name`, an enum's case or a static member
      } else {
        place = known.contains(token.text) ? nil : later.top[token.text] ?? inherited[token.text]
      }
      guard let place else { continue }
      violations.append(
        "\(file.path):\(token.line): \(file.folder ?? file.module) names \(token.text), which \(place) declares"
      )
    }
    return violations
  }

  /// The table of the order in CONTRIBUTING.md, with one line for each module that has folders.
  var orderTable: String {
    let lines = rooms.sorted { $0.key < $1.key }.compactMap { module, room in
      room.folders.map { "| `\(module)` | \($0.map { "`\($0)`" }.joined(separator: " → ")) |" }
    }
    return (["| module | folders, the lowest first |", "|---|---|"] + lines).joined(separator: "\n")
  }

  // MARK: Names

  func nameViolations(in files: [SwiftFile]) -> [String] {
    files.flatMap { file in
      file.declarations.filter { rooms[$0.name] != nil }.map {
        "\(file.path): the type \($0.name) is named like a module"
      }
    }
  }

  /// Returns violations for folders whose names differ only in case. They are one folder on some disks and two on
  /// others.
  static func caseViolations(in folders: [String]) -> [String] {
    let names = Set(folders.flatMap { $0.split(separator: "/").map(String.init) })
    return Dictionary(grouping: names) { $0.lowercased() }.values.filter { $0.count > 1 }
      .map { "the folders \($0.sorted().joined(separator: " and ")) differ in case alone" }.sorted()
  }

  // MARK: Traps

  /// The traps that must print their message in release builds as well, which `preconditionFailure` does not.
  private static let allowedTraps = ["Sources/RecordEngine/RecordTypes/Field.swift": "fatalError("]

  func trapViolations(in files: [SwiftFile]) -> [String] {
    files.flatMap { file in
      file.tokens.indices.compactMap { index in
        let token = file.tokens[index]
        let next = index + 1 < file.tokens.count ? file.tokens[index + 1] : nil
        let trap: String? =
          switch token.text {
          case "try", "as": next?.text == "!" && next?.isAdjacent == true ? token.text + "!" : nil
          case "fatalError": next?.text == "(" ? "fatalError(" : nil
          default: nil
          }
        if let trap, Self.allowedTraps[file.path] == trap { return nil }
        return trap.map { "\(file.path):\(token.line): \($0) is not for code that input can reach" }
      }
    }
  }
}
