import Testing

/// The checker, tested with small sources that break each rule.
@Suite struct HouseTests {
  private func violations(_ sources: KeyValuePairs<String, String>) -> [String] {
    House.recordSpec.violations(in: sources.map { SwiftFile(path: "Sources/" + $0.key, source: $0.value) })
  }

  // MARK: Imports

  @Test(arguments: [
    ("JSONTree/A.swift", "Foundation", "JSONTree"),
    ("JSONTree/A.swift", "RecordModel", "JSONTree"),
    ("RecordModel/A.swift", "OrderedCollections", "RecordModel"),
    ("RecordEngine/Store/SQLite/A.swift", "RecordEngineSQLite", "RecordEngine/Store/SQLite"),
    ("RecordModel/Values/A.swift", "RecordEngine", "RecordModel/Values"),
    ("XcodeModel/A.swift", "RecordSpecLibYAML", "XcodeModel"),
    ("RecordEngine/Store/A.swift", "RecordSpecLibYAML", "RecordEngine/Store"),
    ("RecordEngine/A.swift", "RecordSpec", "RecordEngine"),
    ("RecordEngine/A.swift", "XcodeModel", "RecordEngine"),
    ("RecordSpec/Scenario/A.swift", "RecordSpecLibYAML", "RecordSpec/Scenario"),
    ("RecordSpec/A.swift", "RecordSpecLibYAML", "RecordSpec"),
    ("RecordSpec/YAML/A.swift", "RecordEngine", "RecordSpec/YAML"),
    ("RecordSpec/Golden/A.swift", "RecordEngine", "RecordSpec/Golden"),
    ("RecordSpecCommand/A.swift", "RecordEngine", "RecordSpecCommand"),
    ("RecordSpecCommand/A.swift", "JSONTree", "RecordSpecCommand"),
  ])
  func forbiddenImports(path: String, module: String, place: String) {
    let sentence = "Sources/\(path):2: \(place) may not import \(module)"
    #expect(violations([path: "// text\nimport \(module)\n"]) == [sentence])
    #expect(violations([path: "\npublic import \(module)"]) == [sentence])
    #expect(violations([path: "\n@_exported public import struct \(module).Thing"]) == [sentence])
    #expect(violations([path: "#if canImport(\(module))\nimport \(module)\n#endif"]) == [sentence])
    #expect(violations([path: "// import \(module)\nlet text = \"import \(module)\""]) == [])
  }

  @Test(arguments: [
    ("JSONTree/A.swift", "OrderedCollections"), ("RecordModel/A.swift", "Foundation"),
    ("XcodeModel/A.swift", "FoundationXML"), ("RecordEngine/Store/A.swift", "Foundation"),
    ("RecordSpec/YAML/A.swift", "RecordSpecLibYAML"),
    ("RecordSpec/Run/A.swift", "RecordEngine"),
    ("RecordSpecCommand/A.swift", "ArgumentParser"),
  ])
  func allowedImports(path: String, module: String) {
    #expect(violations([path: "internal import \(module)"]) == [])
  }

  @Test func foldersShareTheImportsOfThoseAroundThem() {
    let room = House.Room(imports: ["Foundation"], importsByFolder: ["SQLite": ["RecordEngineSQLite"]])
    let folders = ["SQLite", "SQLite/Deeper", "SQLiteOther", "Store/SQLite"]
    #expect(folders.filter { room.allows("RecordEngineSQLite", in: $0) } == ["SQLite", "SQLite/Deeper"])
    #expect(room.allows("Foundation", in: "Store") && !room.allows("RecordEngineSQLite", in: nil))
  }

  @Test func oneReaderOfXML() {
    #expect(
      violations([
        "XcodeModel/A.swift": "import FoundationXML", "XcodeModel/B.swift": "private import FoundationXML",
      ]) == ["FoundationXML has more than one reader: Sources/XcodeModel/A.swift, Sources/XcodeModel/B.swift"]
    )
  }

  @Test func newModulesAndFoldersNeedARule() {
    #expect(
      violations(["Extra/A.swift": ""])
        == ["Sources/Extra/A.swift: the module Extra has no rule; say in House what it may import"])
    #expect(
      violations(["RecordSpec/Extra/A.swift": ""])
        == [
          "Sources/RecordSpec/Extra/A.swift: the folder Extra has no place in the flow; give it one in House"
        ])
  }

  // MARK: Order

  @Test(arguments: [
    "struct", "final class", "indirect enum", "actor", "protocol", "public struct", "package enum",
  ])
  func laterTypesAreNotNamed(keyword: String) {
    let later = "\(keyword) Plan { }"
    #expect(
      violations([
        "RecordSpec/Run/Plan.swift": later, "RecordSpec/Source/A.swift": "\nvar plan: [Plan?] = []",
      ])
        == [
          "Sources/RecordSpec/Source/A.swift:2: Source names Plan, which Sources/RecordSpec/Run/Plan.swift declares"
        ])
    #expect(
      violations([
        "RecordSpec/Source/Plan.swift": later, "RecordSpec/Run/A.swift": "\nvar plan: [Plan?] = []",
      ]) == [])
  }

  @Test func everyPairOfFoldersIsHeld() throws {
    for module in ["RecordModel", "RecordEngine", "RecordSpec", "Benchmark"] {
      let folders = try #require(House.recordSpec.rooms[module]?.folders)
      for (first, second) in zip(folders, folders.dropFirst()) {
        let (early, late) = ("\(module)/\(first)/A.swift", "\(module)/\(second)/B.swift")
        #expect(violations([early: "let x = Thing()", late: "struct Thing {}"]).count == 1)
        #expect(violations([early: "struct Thing {}", late: "let x = Thing()"]) == [])
      }
      // Files at the top form the facade.
      let last = try #require(folders.last)
      #expect(
        violations([
          "\(module)/\(last)/A.swift": "let x = Facade()", "\(module)/Facade.swift": "struct Facade {}",
        ]).count == 1)
      #expect(
        violations(["\(module)/\(last)/A.swift": "struct Part {}", "\(module)/Facade.swift": "let x: Part"])
          == [])
    }
  }

  @Test func foldersInFoldersHaveAPlace() {
    let (store, sqlite) = ("RecordEngine/Store/Store.swift", "RecordEngine/Store/SQLite/SQLiteStore.swift")
    #expect(
      violations([store: "let x = SQLiteStore()", sqlite: "struct SQLiteStore {}"])
        == ["Sources/\(store):1: Store names SQLiteStore, which Sources/\(sqlite) declares"])
    #expect(violations([store: "protocol Store {}", sqlite: "struct SQLiteStore: Store {}"]) == [])
    #expect(
      violations(["RecordEngine/Store/Cloud/A.swift": ""]) == [
        "Sources/RecordEngine/Store/Cloud/A.swift: the folder Store/Cloud has no place in the flow; give it one in House"
      ])
  }

  // MARK: Members

  private static let (early, late) = ("RecordEngine/Request/A.swift", "RecordEngine/Cache/B.swift")

  /// Declarations in a later folder, and uses of them.
  @Test(arguments: [
    ("extension Request { var obstacle: Int? { nil } }", "let x = request.obstacle"),
    ("extension Request { var obstacle: Int? { nil } }", "let x = f(\\.obstacle)"),
    (
      "extension Request { var obstacle: Int? { nil } }",
      "extension Request { var isFree: Bool { obstacle == nil } }"
    ),
    ("extension Request { static let standard = Request() }", "let x: Request = .standard"),
    ("extension Request { static let standard = Request() }", "let x = Request.standard"),
    ("extension Request { func send(to server: Int, _ x: Int = 0) {} }", "let x = request?.send(to: 1)"),
    ("extension Request { func send(to server: Int, _ x: Int = 0) {} }", "let x = request.send(to: 1, f(2))"),
    ("extension Request { func send(then: () -> Void) {} }", "let x = request.send { }"),
    (
      "extension Request { func send<A>(_ a: A, all b: Int...) {} }",
      "func f() { request.send(1, all: 2, 3) }"
    ),
    ("extension Request { func send() {} }", "extension Request { func f() { send() } }"),
    ("extension Request { init(cached: Int) {} }", "let x = Request(cached: 1)"),
    ("extension String { init(cached: Int) {} }", "let x = String(cached: 1)"),
    ("extension String { var isCached: Bool { true } }", "let x = \"a\".isCached"),
    ("extension Request.Part { var size: Int { 0 } }", "let x = part.size"),
  ])
  func laterMembersAreNotUsed(declaration: String, use: String) {
    let request = "struct Request { struct Part {} ; init() {} }"
    let found = violations(["RecordEngine/Server/R.swift": request, Self.early: use, Self.late: declaration])
    #expect(found.count == 1, "\(found)")
    #expect(
      found.allSatisfy { $0.contains("Sources/\(Self.early):1: Request uses") && $0.contains(Self.late) })
    #expect(
      violations(["RecordEngine/Server/R.swift": request, Self.late: use, Self.early: declaration]) == [])
  }

  @Test(arguments: [
    // A known type has such a member.
    ("extension Request { var size: Int { 0 } }", "struct Other { var size = 0 }\nlet x = other.size"),
    (
      "extension Request { func send(_ x: Int) {} }",
      "struct Other { let send: (Int) -> Void }\nlet x = y.send(1)"
    ),
    (
      "extension Request { static let standard = 1 }",
      "enum Kind { case other, standard }\nlet x: Kind = .standard"
    ),
    (
      "extension Request { init(cached: Int) {} }",
      "extension Request { init(cached: Bool) {} }\nlet x = Request(cached: 1)"
    ),
    // The labels or initializers differ.
    ("extension Request { func send(to server: Int) {} }", "let x = request.send(1)"),
    ("extension Request { func first(of x: Int) {} }", "let x = list.first(where: { $0 })"),
    ("extension Request { init(cached: Int) {} }", "let x = Request(fresh: 1)"),
    ("extension String { init(_ x: Request) {} }", "let x = String(1)"),
    // These are not members, or not visible.
    ("extension Request { private var size: Int { 0 } }", "let x = request.size"),
    ("private extension Request { var size: Int { 0 } }", "let x = request.size"),
    ("extension Request { func f() { let size = 0 } }", "let x = request.size"),
    ("extension Request { var size: Int { 0 } }", "extension Request { func f(size: Int) -> Int { size } }"),
    ("extension Request { var size: Int { 0 } }", "extension Request { func f() { g { size, _ in size } } }"),
    ("extension Request { var size: Int { 0 } }", "let x = size"),
    ("extension Request { var size: Int { 0 } }", "let x = 0...size // request.size"),
    // The type is not available here.
    (
      "struct Later { var size = 0 }\nextension Later { var count: Int { 0 } }", "let x = list.count + y.size"
    ),
  ])
  func whatUsesNoLaterMember(declaration: String, use: String) {
    #expect(
      violations([
        "RecordEngine/Server/R.swift": "struct Request { init() {} }", Self.early: use,
        Self.late: declaration,
      ]) == [])
  }

  @Test func importedMembersAreKnown() {
    let sources: KeyValuePairs = [
      "JSONTree/A.swift": "public struct Node { public var size = 0 }", Self.early: "let x = node.size",
      Self.late: "extension String { var size: Int { 0 } }",
    ]
    #expect(violations(sources) == [])
  }

  @Test func foreignMembersAreListedWhileTheyAreUsed() {
    var house = House.recordSpec
    house.foreignMembers = [House.ForeignMember(module: "RecordEngine", name: "size")]
    func found(_ use: String) -> [String] {
      house.violations(in: [
        SwiftFile(path: "Sources/" + Self.early, source: use),
        SwiftFile(path: "Sources/" + Self.late, source: "extension String { var size: Int { 0 } }"),
      ])
    }
    #expect(found("let x = image.size") == [])
    #expect(found("let x = 1") == ["House lists the foreign member size of RecordEngine, which no file uses"])
  }

  @Test func membersAreFound() {
    let file = SwiftFile(
      path: "Sources/A/B.swift",
      source: """
        enum A: Int { case a, b = 2, c(Int, d: Int) ; static let x = 1 ; private(set) var y = 0 }
        extension A { init?(raw: Int) { self.init(z: raw) } ; private func f(_ a: Int, to b: [Int] = [1, 2], c: Int...) {} }
        extension A { func g() { func h() {} ; switch x { case .a: let i = 1 } } ; struct B { var j: Int { 0 } } }
        """)
    let found = file.members.map {
      "\($0.owner).\($0.name)\($0.isInExtension ? "+" : "")\($0.isVisible ? "" : "-")"
    }
    #expect(found == ["A.a", "A.b", "A.c", "A.x", "A.y", "A.init+", "A.f+-", "A.g+", "B.j"])
    #expect(
      file.members[6].parameters == [
        SwiftMember.Parameter(label: nil, isOptional: false),
        SwiftMember.Parameter(label: "to", isOptional: true),
        SwiftMember.Parameter(label: "c", isOptional: true),
      ])
  }

  @Test(arguments: [
    "func make() -> Plan", "let x = Plan.self", "extension Plan {}", "let x = \"\\(Plan.name)\"",
    "struct A: Plan {}",
    "let x: RecordSpec.Plan", "func f<T: Plan>(_ x: T)", "let x = #\"\\#(Plan())\"#",
    "typealias A = [String: Plan]",
  ])
  func waysToName(use: String) {
    #expect(
      violations(["RecordSpec/Run/Plan.swift": "struct Plan {}", "RecordSpec/Source/A.swift": use]).count == 1
    )
  }

  @Test(arguments: [
    "/// A Plan.", "/* Plan /* Plan */ Plan */", "let x = \"Plan\"", "let x = \"\\\"Plan\"",
    "let x = #\"\\(Plan)\"\"#",
    "let x = \"\"\"\n Plan \"Plan\"\n \"\"\"", "let x = Other.Plan.self", "let x = .Plan", "let Plans = 1",
    "struct Box<Plan> { let x: Plan }", "func f<A, Plan: Sendable>(_ x: Plan)",
    "protocol P { associatedtype Plan }",
    "private struct Plan {}\nlet x = Plan()", "enum Outer { struct Plan {}\nlet x: Plan }",
  ])
  func whatNamesNothing(use: String) {
    #expect(
      violations(["RecordSpec/Run/Plan.swift": "struct Plan {}", "RecordSpec/Source/A.swift": use]) == [])
  }

  @Test func typealiasesCount() {
    #expect(
      violations([
        "RecordSpec/Run/A.swift": "typealias Plan = Int", "RecordSpec/Source/B.swift": "let x: Plan",
      ]).count == 1)
  }

  @Test func privateTypesAreNobodyElses() {
    #expect(
      violations([
        "RecordSpec/Run/A.swift": "private struct Line {}\nfileprivate final class Row {}",
        "RecordSpec/Source/B.swift": "let x: Line\nlet y: Row",
      ]) == [])
  }

  @Test func nestedTypes() {
    let later = "extension Scenario { package struct Plan { enum Kind { case a } } }"
    func found(_ source: String) -> [String] {
      violations(["RecordSpec/Run/Plan.swift": later, "RecordSpec/Scenario/A.swift": source])
    }
    #expect(found("let x: Scenario.Plan").count == 1)
    #expect(found("struct Scenario { var plan: Plan }").count == 1)
    #expect(found("extension Scenario {}\nlet x: Plan.Kind").count == 2)
    #expect(found("let x = Other.Plan()\nenum Kind {}\nlet y: Kind") == [])
    #expect(found("struct Other { struct Plan {}\nvar plan: Plan }") == [])
  }

  @Test func wordsThatDeclareNothing() {
    let file = SwiftFile(
      path: "Sources/A/B.swift",
      source: """
        class Base { class func make() {} ; class var shared = 1 }
        func f(actor: Int, isolation: isolated (any Actor)?) { let x = Kind.struct ; x.enum }
        """)
    #expect(file.declarations.map(\.name) == ["Base"])
  }

  @Test func ownersAreFound() {
    let file = SwiftFile(
      path: "Sources/A/B.swift",
      source: """
        struct A { func f() { if x { } } ; enum B { struct C {} } ; typealias D = Int }
        extension X.Y where Z == A { struct E {} }
        struct F {}
        """)
    let found = file.declarations.map { "\($0.owner ?? "-").\($0.name)" }
    #expect(found == ["-.A", "A.B", "B.C", "A.D", "Y.E", "-.F"])
    #expect(file.scopes == ["A", "B", "C", "E", "F", "Y"])
  }

  // MARK: Names and traps

  @Test func typesNamedLikeAModule() {
    #expect(
      violations(["RecordSpec/A.swift": "enum RecordSpec {}"])
        == ["Sources/RecordSpec/A.swift: the type RecordSpec is named like a module"])
    #expect(violations(["JSONTree/A.swift": "struct Outer { struct RecordModel {} }"]).count == 1)
  }

  @Test func foldersThatDifferInCase() {
    #expect(
      House.caseViolations(in: ["Sources/YAML/Reading", "Sources/Yaml", "Tests/reading"])
        == [
          "the folders Reading and reading differ in case alone",
          "the folders YAML and Yaml differ in case alone",
        ])
    #expect(House.caseViolations(in: ["Sources/A/Values", "Sources/B/Values", "Tests"]) == [])
  }

  @Test(arguments: ["let x = try! f()", "let x = y as! Int", "fatalError(\"no\")"])
  func traps(source: String) {
    #expect(violations(["JSONTree/A.swift": source]).count == 1)
  }

  @Test(arguments: [
    "let x = try !f()", "let x = try? f()", "let x = y as? Int", "// try! as! fatalError()",
    "let x = \"fatalError()\"",
    "let x = y as Int?",
  ])
  func noTraps(source: String) {
    #expect(violations(["JSONTree/A.swift": source]) == [])
  }
}
