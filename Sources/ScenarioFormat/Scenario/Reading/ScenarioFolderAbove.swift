import Foundation
import RecordModel

/// The folder of scenarios that a user in a subfolder of a project probably means.
package struct ScenarioFolderAbove {
  /// The folder that contains it, relative to the current folder: `../..`.
  private let parent: String
  private let name: String

  /// Searches the folders above the current one, up to the project's folder, for a folder with the name of one that does not
  /// exist. Returns nil if the folder exists, if there is none above, outside of projects, and for a path to another folder.
  package init?(of scenarios: String) {
    let isName = !scenarios.contains("/") && ![".", "..", ""].contains(scenarios)
    let here = FileAccess.resolved(".")
    // Outside of projects, a folder above may belong to anything, such as the home folder.
    guard isName, FileAccess.kind(of: scenarios) == .missing,
      let project = ReadableFolders.project(around: here)
    else { return nil }
    name = scenarios
    var folder = here
    var parents: [String] = []
    while folder != project {
      folder = FilePath.folder(of: folder)
      parents.append("..")
      if FileAccess.kind(of: FilePath.child(name, of: folder)) == .folder {
        parent = parents.joined(separator: "/")
        return
      }
    }
    return nil
  }

  package var advice: String {
    "run the command in '\(parent)', or add '--scenarios \(ShellText.quoted(FilePath.child(name, of: parent)))'"
  }
}

extension ScenarioFiles {
  /// Returns the advice for a folder of scenarios that does not exist.
  package static func advice(forMissing scenarios: String) -> String {
    if let location = ScenarioFolderAbove(of: scenarios) { return location.advice }
    let (parent, name) = (FilePath.folder(of: scenarios), FilePath.name(of: scenarios))
    let others = FileBytes.names(in: parent).filter {
      FileAccess.kind(of: FilePath.child($0, of: parent)) == .folder
    }
    if let near = nearestName(to: name, among: others.sorted()) {
      return "did you mean '--scenarios \(ShellText.quoted(FilePath.child(near, of: parent)))'?"
    }
    let other = "or name another folder with '--scenarios'"
    guard name == "Scenarios" else { return "create the folder and add a scenario, \(other)" }
    let project = parent.isEmpty ? "" : " " + ShellText.quoted(parent)
    return "lay out a project with 'recordspec init\(project)', \(other)"
  }

  /// Returns the advice for a folder without scenarios.
  package static func advice(forEmpty scenarios: String) -> String {
    let option = scenarios == "Scenarios" ? "" : " --scenarios \(ShellText.quoted(scenarios))"
    return "the name of a scenario ends in '.yaml'; 'recordspec new\(option) NAME' writes one"
  }
}
