// swift-tools-version: 6.2
// A package outside of RecordSpec, like an app: it can use public declarations only. scripts/embed builds and runs it.
// The article RecordEngine shows its program, and the README shows a part of it.

import PackageDescription

let package = Package(
  name: "Blog",
  platforms: [.macOS(.v13)],
  dependencies: [
    .package(name: "RecordSpec", path: "../..")
  ],
  targets: [
    .executableTarget(
      name: "Blog",
      dependencies: [.product(name: "RecordEngine", package: "RecordSpec")],
      resources: [.copy("Responses")])
  ]
)
