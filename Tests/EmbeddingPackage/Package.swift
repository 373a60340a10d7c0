// swift-tools-version: 6.2
// A package outside of RecordSpec, as an app is one: it has what is public and nothing else. scripts/embed builds and
// runs it; the README shows its program.

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
