import Foundation
import JSONTree
import RecordModel

/// The file `contents` of an Xcode data model.
struct XcodeModelFile {
  let path: String
  let bytes: [UInt8]

  /// Finds and reads the current version of a model.
  init(at path: String) throws(XcodeModelFileError) {
    let folder = path.count > 1 && path.hasSuffix("/") ? String(path.dropLast()) : path
    let version: String
    if folder.hasSuffix(".xcdatamodeld") {
      version = folder + "/" + (try Self.currentVersion(in: folder))
    } else if folder.hasSuffix(".xcdatamodel") {
      version = folder
    } else {
      let isCompiled = folder.hasSuffix(".momd") || folder.hasSuffix(".mom")
      throw XcodeModelFileError(
        folder, isCompiled ? "this is a compiled model" : "this is not an Xcode data model",
        advice: "name the .xcdatamodeld or .xcdatamodel folder of the app's sources")
    }
    self.path = version + "/contents"
    guard FileManager.default.fileExists(atPath: self.path) else {
      guard FileManager.default.fileExists(atPath: version) else {
        throw XcodeModelFileError(version, "the model does not exist")
      }
      throw XcodeModelFileError(
        version, "the model has no file 'contents'", advice: "open and save it once in a current Xcode")
    }
    do {
      bytes = Array(try Data(contentsOf: URL(fileURLWithPath: self.path)))
    } catch {
      throw XcodeModelFileError(self.path, "the file cannot be read")
    }
  }

  /// Returns the files and folders of a model that may be read to find `contents`, for any current version.
  static func files(of path: String) -> [String] {
    if path.hasSuffix(".xcdatamodel") { return [path + "/contents"] }
    let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
    return names.sorted().flatMap { name in
      if name == noteName { return [path + "/" + name] }
      return name.hasSuffix(".xcdatamodel") ? [path + "/" + name, path + "/" + name + "/contents"] : []
    }
  }

  // MARK: Versions

  /// Returns the folder of the version that Xcode has marked as current, or of the only version if no version is
  /// marked.
  private static func currentVersion(in folder: String) throws(XcodeModelFileError) -> String {
    let names: [String]
    do {
      names = try FileManager.default.contentsOfDirectory(atPath: folder)
    } catch {
      let exists = FileManager.default.fileExists(atPath: folder)
      throw XcodeModelFileError(folder, exists ? "the folder cannot be read" : "the model does not exist")
    }
    let versions = names.filter { $0.hasSuffix(".xcdatamodel") }.sorted()
    guard let first = versions.first else {
      throw XcodeModelFileError(folder, "the folder contains no .xcdatamodel")
    }
    let list = versions.map { "'\($0)'" }.joined(separator: ", ")
    if let current = try notedVersion(in: folder, names) {
      if versions.contains(current) { return current }
      let near = nearestName(to: current, among: versions).map { "did you mean '\($0)'?" }
      throw XcodeModelFileError(
        folder + "/" + noteName, "the current version '\(current)' does not exist",
        advice: near ?? "the versions are \(list)")
    }
    if versions.count > 1 {
      throw XcodeModelFileError(
        folder, "the model has no current version; the versions are \(list)",
        advice: "choose the current version in Xcode, or name one of them")
    }
    return first
  }

  private static let noteName = ".xccurrentversion"

  /// Returns the version that Xcode has marked as current; nil if no version is marked.
  private static func notedVersion(in folder: String, _ names: [String]) throws(XcodeModelFileError)
    -> String?
  {
    guard names.contains(noteName) else { return nil }
    let path = folder + "/" + noteName
    var list: Any?
    do {
      let data = try Data(contentsOf: URL(fileURLWithPath: path))
      list = try PropertyListSerialization.propertyList(from: data, format: nil)
    } catch {
      list = nil
    }
    guard let entries = list as? [String: Any] else {
      throw XcodeModelFileError(
        path, "the file is not a property list", advice: "choose the current version in Xcode")
    }
    guard let name = entries["_XCCurrentVersionName"] else { return nil }
    guard let name = name as? String else {
      throw XcodeModelFileError(
        path, "'_XCCurrentVersionName' is not a string", advice: "choose the current version in Xcode")
    }
    return name
  }
}

/// The reason why the file of a model cannot be read.
struct XcodeModelFileError: Error {
  let path: String
  let problem: ModelProblem

  init(_ path: String, _ message: String, advice: String? = nil) {
    self.path = path
    problem = ModelProblem(code: "xcode-model-file", path: JSONPointer(), message: message, advice: advice)
  }
}
