// swift-tools-version: 6.2
// The recipe app in Swift, once with GRDB and once with RecordEngine, and the tests that run the scenarios
// with both. A package outside of RecordSpec, like an app: it can use public declarations only.

import PackageDescription

let package = Package(
  name: "Recipes",
  platforms: [.macOS(.v13)],
  dependencies: [
    .package(name: "RecordSpec", path: "../../.."),
    .package(url: "https://github.com/groue/GRDB.swift", exact: "7.10.0"),
  ],
  targets: [
    .target(name: "Recipes", dependencies: [.product(name: "GRDB", package: "GRDB.swift")]),
    .target(name: "EngineRecipes", dependencies: [.product(name: "RecordEngine", package: "RecordSpec")]),
    .testTarget(
      name: "RecipesTests",
      dependencies: [
        "Recipes", "EngineRecipes", .product(name: "RecordSpecTesting", package: "RecordSpec"),
      ]),
  ]
)
