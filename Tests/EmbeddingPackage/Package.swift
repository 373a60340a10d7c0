// swift-tools-version: 6.2
// A package outside of RecordSpec, like an app: it can use public declarations only. scripts/embed builds and runs it.
// The article RecordEngine shows the program Blog, and the README shows a part of it. The article ComingFromOtherLibraries shows
// the programs Tracker and TrackerWithGRDB, and GettingStarted shows the files of PostList.

import PackageDescription

let package = Package(
  name: "Blog",
  platforms: [.macOS(.v13)],
  dependencies: [
    .package(name: "RecordSpec", path: "../.."),
    // What TrackerWithGRDB uses in place of RecordEngine.
    .package(url: "https://github.com/groue/GRDB.swift", exact: "7.10.0"),
  ],
  targets: [
    .executableTarget(
      name: "Blog",
      dependencies: [.product(name: "RecordEngine", package: "RecordSpec")],
      resources: [.copy("Responses")]),
    .target(
      name: "PostList",
      dependencies: [
        .product(name: "RecordEngine", package: "RecordSpec"),
        .product(name: "RecordEngineHTTP", package: "RecordSpec"),
      ]),
    .target(name: "TrackerResponses"),
    .executableTarget(
      name: "Tracker",
      dependencies: ["TrackerResponses", .product(name: "RecordEngine", package: "RecordSpec")]),
    .executableTarget(
      name: "TrackerWithGRDB",
      dependencies: ["TrackerResponses", .product(name: "GRDB", package: "GRDB.swift")]),
    .testTarget(
      name: "BlogTests",
      dependencies: [.product(name: "RecordSpecTesting", package: "RecordSpec")]),
  ]
)
