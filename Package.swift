// swift-tools-version: 6.2

import PackageDescription

let package = Package(
  name: "RecordSpec",
  platforms: [.macOS(.v13), .iOS(.v16)],
  products: [
    .library(name: "RecordEngine", targets: ["RecordEngine"]),
    .library(name: "RecordEngineHTTP", targets: ["RecordEngineHTTP"]),
    .library(name: "RecordSpec", targets: ["RecordSpec"]),
    .library(name: "RecordSpecTesting", targets: ["RecordSpecTesting"]),
    .library(name: "RecordSpecAdapter", targets: ["RecordSpecAdapter"]),
    .executable(name: "recordspec", targets: ["RecordSpecCommand"]),
    .plugin(name: "RecordSpecPlugin", targets: ["RecordSpecPlugin", "RecordSpecWritePlugin"]),
  ],
  // The oldest versions with what is used here, by their changelogs, so that an app can keep the versions that it has. Only newer
  // ones are tested.
  dependencies: [
    // The command line: subcommands, options, help and completion scripts.
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.6.0"),
    // Ordered dictionaries and sets: JSON objects and ordered relationships keep their order.
    .package(url: "https://github.com/apple/swift-collections", from: "1.1.0"),
    // What the engine tells of its work, wherever the app logs; nothing unless it is asked to.
    .package(url: "https://github.com/apple/swift-log", from: "1.6.0"),
    // A real HTTP server on loopback, for 'recordspec serve' and the tests of RecordEngineHTTP.
    .package(url: "https://github.com/swhitty/FlyingFox", from: "0.27.1"),
  ],
  targets: [
    // System libraries. An app's packages share one space of target names, so these begin with ours.
    .systemLibrary(
      name: "RecordSpecLibYAML",
      pkgConfig: "yaml-0.1",
      providers: [.apt(["libyaml-dev"]), .brew(["libyaml"])]
    ),
    .systemLibrary(
      name: "RecordEngineSQLite",
      pkgConfig: "sqlite3",
      providers: [.apt(["libsqlite3-dev"]), .brew(["sqlite3"])]
    ),
    // HTTP on Linux, where a server can end the process of a URLSession (swift-corelibs-foundation, issue 5285).
    // FoundationNetworking loads the same library, so it is there without its development files.
    .target(
      name: "RecordEngineCurl",
      linkerSettings: [.linkedLibrary(":libcurl.so.4", .when(platforms: [.linux]))]),

    // The engine: response bytes in, records out
    .target(
      name: "JSONTree",
      dependencies: [.product(name: "OrderedCollections", package: "swift-collections")]
    ),
    .target(name: "RecordModel", dependencies: ["JSONTree"]),
    .target(name: "XcodeModel", dependencies: ["JSONTree", "RecordModel"]),
    .target(
      name: "RecordEngine",
      dependencies: [
        "RecordEngineSQLite", "JSONTree", "RecordModel",
        .product(name: "HeapModule", package: "swift-collections"),
        .product(name: "Logging", package: "swift-log"),
        .product(name: "OrderedCollections", package: "swift-collections"),
      ]
    ),
    // Its server over HTTP, apart so that only those who use it load the system's networking.
    .target(
      name: "RecordEngineHTTP",
      dependencies: [
        "JSONTree", "RecordEngine",
        .target(name: "RecordEngineCurl", condition: .when(platforms: [.linux])),
      ]
    ),

    // The harness: scenarios in, a report out. Each module may use those before it.
    .target(
      name: "ScenarioFormat",
      dependencies: ["RecordSpecLibYAML", "JSONTree", "RecordModel", "XcodeModel"]),
    .target(
      name: "ScenarioComparison",
      dependencies: [
        "ScenarioFormat", "JSONTree", "RecordModel",
        .product(name: "OrderedCollections", package: "swift-collections"),
      ]),
    .target(
      name: "ScenarioRun",
      dependencies: [
        "ScenarioFormat", "ScenarioComparison", "JSONTree", "RecordEngine", "RecordModel",
        .product(name: "HeapModule", package: "swift-collections"),
        .product(name: "OrderedCollections", package: "swift-collections"),
      ]),
    .target(
      name: "ScenarioReport",
      dependencies: [
        "ScenarioFormat", "ScenarioComparison", "ScenarioRun", "JSONTree", "RecordModel",
        .product(name: "OrderedCollections", package: "swift-collections"),
      ],
      // The page of the HTML report, compiled into the binary, so that it needs no other file.
      resources: [.embedInCode("Report/Page")]),
    .target(
      name: "RecordSpec",
      dependencies: [
        "ScenarioFormat", "ScenarioComparison", "ScenarioRun", "ScenarioReport", "RecordModel",
      ]),
    // Scenarios in tests, apart because only test targets can load the test frameworks.
    .target(
      name: "RecordSpecTesting",
      dependencies: [
        "RecordSpecAdapter", "RecordSpec", "ScenarioFormat", "ScenarioComparison", "ScenarioRun", "JSONTree",
        "RecordModel",
      ]),
    // What an app's adapter implements, on any platform: nothing but Foundation.
    .target(name: "RecordSpecAdapter"),
    // The connection to the adapter of an app in another process: its process, a socket, and HTTP servers.
    .target(
      name: "AdapterConnection",
      dependencies: [
        "ScenarioFormat", "ScenarioComparison", "ScenarioRun", "JSONTree", "RecordEngine", "RecordModel",
        .product(name: "FlyingFox", package: "FlyingFox"),
        .product(name: "FlyingSocks", package: "FlyingFox"),
      ]),
    .executableTarget(
      name: "RecordSpecCommand",
      dependencies: [
        "AdapterConnection", "ScenarioFormat", "ScenarioComparison", "ScenarioRun", "ScenarioReport",
        "RecordSpec", "JSONTree",
        "RecordEngine", "RecordModel", .product(name: "ArgumentParser", package: "swift-argument-parser"),
        .product(name: "OrderedCollections", package: "swift-collections"),
      ]
    ),
    // 'swift package recordspec' in a package that depends on this one. Two plugins, because the package manager asks for
    // the permission to write each time that it starts a plugin that declares it.
    .plugin(
      name: "RecordSpecPlugin",
      capability: .command(
        intent: .custom(verb: "recordspec", description: "Run scenarios, without writing in the package.")),
      dependencies: ["RecordSpecCommand"], path: "Sources/RecordSpecPlugin/Reading"),
    .plugin(
      name: "RecordSpecWritePlugin",
      capability: .command(
        intent: .custom(
          verb: "recordspec-write", description: "Run a command of recordspec that writes files."),
        permissions: [
          .writeToPackageDirectory(
            reason: "Commands such as 'bless' and 'import' write scenarios and golden files")
        ]),
      dependencies: ["RecordSpecCommand"], path: "Sources/RecordSpecPlugin/Writing"),

    // Tests
    // What several of them need.
    .target(name: "TestSupport", path: "Tests/TestSupport"),
    .testTarget(name: "JSONTreeTests", dependencies: ["TestSupport", "JSONTree"]),
    .testTarget(name: "RecordModelTests", dependencies: ["TestSupport", "RecordModel", "JSONTree"]),
    .testTarget(name: "XcodeModelTests", dependencies: ["XcodeModel", "RecordModel", "JSONTree"]),
    .testTarget(
      name: "RecordEngineTests",
      dependencies: [
        "CrashingSaver", "TestSupport", "RecordEngine", "RecordModel", "JSONTree",
        .product(name: "Logging", package: "swift-log"),
      ]),
    .testTarget(
      name: "RecordEngineHTTPTests",
      dependencies: [
        "TestSupport", "RecordEngineHTTP", "RecordEngine", "RecordModel", "JSONTree",
        .product(name: "FlyingFox", package: "FlyingFox"),
        .product(name: "FlyingSocks", package: "FlyingFox"),
      ]),
    // A process for RecordEngineTests to kill.
    .executableTarget(
      name: "CrashingSaver", dependencies: ["RecordEngineSQLite", "RecordEngine", "RecordModel", "JSONTree"],
      path: "Tests/CrashingSaver"),
    .testTarget(
      name: "RecordSpecTests",
      dependencies: [
        "TestSupport", "AdapterConnection", "ScenarioFormat", "ScenarioComparison", "ScenarioRun",
        "ScenarioReport", "RecordSpec", "RecordSpecCommand", "RecordEngine", "RecordEngineHTTP",
        "RecordModel",
        "XcodeModel", "JSONTree", .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ],
      exclude: ["Format"]
    ),
    // A test target as an app has one, with scenarios of its own.
    .testTarget(
      name: "ExampleAppTests", dependencies: ["RecordEngine", "RecordSpec", "RecordSpecTesting"],
      exclude: ["Conformance", "Library"], packageAccess: false),
    // Record types that 'recordspec generate' has written, in modules of their own because of their names.
    .target(
      name: "GeneratedLibrary", dependencies: ["RecordEngine"], path: "Tests/GeneratedRecords/Library"),
    .target(name: "GeneratedNames", dependencies: ["RecordEngine"], path: "Tests/GeneratedRecords/Names"),
    .testTarget(
      name: "GeneratedRecordsTests",
      dependencies: [
        "GeneratedLibrary", "GeneratedNames", "RecordSpec", "RecordSpecCommand", "RecordEngine",
        "RecordModel",
        "JSONTree",
      ],
      path: "Tests/GeneratedRecords/Tests"),
    .testTarget(name: "RecordSpecTestingTests", dependencies: ["RecordSpecTesting"]),
    .testTarget(name: "LayeringTests"),
    // The program that prints the public API for scripts/api.
    .executableTarget(name: "PublicAPI", path: "Tests/PublicAPI"),
    .testTarget(name: "PublicAPITests", dependencies: ["PublicAPI"]),
  ],
  swiftLanguageModes: [.v6]
)

// The benchmark. Only scripts/bench sets the variable, so other builds do not fetch the libraries that it compares with.
if Context.environment["RECORDSPEC_BENCHMARK"] != nil {
  package.dependencies.append(
    // What many apps would write instead of using the engine; the benchmark measures both.
    .package(url: "https://github.com/groue/GRDB.swift", exact: "7.10.0"))
  package.targets.append(
    .executableTarget(
      name: "Benchmark",
      dependencies: [
        "RecordEngineSQLite", "JSONTree", "RecordEngine", "RecordModel",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
        .product(name: "GRDB", package: "GRDB.swift"),
      ],
      exclude: ["Peers/peers.py"]))
}

// All but the plugins, for which most modules are compiled once more. scripts/shared.sh sets the variable.
if Context.environment["RECORDSPEC_WITHOUT_PLUGINS"] != nil {
  package.products.removeAll { $0.name == "RecordSpecPlugin" }
  package.targets.removeAll { $0.type == .plugin }
}

// The tests of the laws alone, which scripts/laws builds in release: nothing else is compiled for them.
if Context.environment["RECORDSPEC_LAWS"] != nil {
  let needed = [
    "RecordEngineSQLite", "JSONTree", "RecordModel", "RecordEngine", "TestSupport", "CrashingSaver",
    "RecordEngineTests",
  ]
  package.products = []
  package.targets.removeAll { !needed.contains($0.name) }
  for target in package.targets where target.name == "RecordEngineTests" {
    target.path = "Tests/RecordEngineTests/Laws"
  }
}

// The engine and its tests alone, which scripts/test builds with a sanitizer.
if Context.environment["RECORDSPEC_ENGINE_TESTS"] != nil {
  let needed = [
    "RecordEngineSQLite", "RecordEngineCurl", "JSONTree", "RecordModel", "RecordEngine", "RecordEngineHTTP",
    "TestSupport",
    "CrashingSaver", "JSONTreeTests", "RecordModelTests", "RecordEngineTests", "RecordEngineHTTPTests",
  ]
  package.products = []
  package.targets.removeAll { !needed.contains($0.name) }
}

// The fuzzers, which scripts/fuzz builds: nothing else is compiled for them.
if Context.environment["RECORDSPEC_FUZZING"] != nil {
  let needed = [
    "RecordSpecLibYAML", "RecordEngineSQLite", "JSONTree", "RecordModel", "XcodeModel", "RecordEngine",
    "ScenarioFormat", "ScenarioComparison", "ScenarioRun", "ScenarioReport", "RecordSpec",
    "TestSupport",
  ]
  package.products = []
  package.targets.removeAll { !needed.contains($0.name) }
  package.targets.append(
    .executableTarget(
      name: "Fuzzing",
      dependencies: ["TestSupport", "JSONTree", "RecordModel", "XcodeModel", "RecordEngine", "RecordSpec"],
      path: "Tests/Fuzzing", exclude: ["Corpus", "README.md"]))
}

var settings: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
]
// .ci/run sets the variable.
if Context.environment["RECORDSPEC_WARNINGS_AS_ERRORS"] != nil {
  settings.append(.treatAllWarnings(as: .error))
}
for target in package.targets where ![.system, .plugin].contains(target.type) {
  target.swiftSettings = settings
}
