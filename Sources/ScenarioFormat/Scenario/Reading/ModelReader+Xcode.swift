import JSONTree
import RecordModel
import XcodeModel

extension ModelReader {
  /// Reads an Xcode model. Errors in the model are located in its own file, and a missing model is reported at its
  /// name.
  func xcodeModel(at path: String, namedAt location: AuthorDiagnostic.Location) -> Draft? {
    findings.noteFile(path)
    let files = [path] + XcodeDataModel.files(of: path)
    for file in files.dropFirst() { findings.noteFile(file) }
    guard files.allSatisfy({ findings.isInside(scenario.folders, $0, namedAt: location) }) else { return nil }
    let xcode = XcodeDataModel(at: path)
    let file = SourceFile(path: xcode.file, bytes: xcode.bytes)
    noteSources(of: xcode, at: path)
    for problem in xcode.problems { report(problem, in: file, namedAt: location) }
    if xcode.entities.isEmpty { return nil }

    var draft = Draft()
    draft.append(xcode.entities, isClear: xcode.problems.allSatisfy { $0.problem.severity == .warning })
    draft.locations.add(.xcode(file, xcode.lines))
    for entity in xcode.entities {
      noteNames(of: entity, isCasual: true) { [locations = draft.locations] in locations.location(of: $0) }
    }
    return draft
  }

  /// Notes the file with the contents of a model, and the file that names the current version.
  private func noteSources(of xcode: XcodeDataModel, at path: String) {
    if !xcode.bytes.isEmpty { findings.sources.append(SourceBytes(path: xcode.file, bytes: xcode.bytes)) }
    for file in XcodeDataModel.files(of: path) where file.hasSuffix("/.xccurrentversion") {
      if let bytes = try? FileBytes.read(file) {
        findings.sources.append(SourceBytes(path: file, bytes: bytes))
      }
    }
  }

  private func report(
    _ found: XcodeDataModel.Problem, in file: SourceFile, namedAt location: AuthorDiagnostic.Location
  ) {
    var problem = found.problem
    if found.line == nil { problem.message = "'\(found.file)': \(problem.message)" }
    let line = found.line.map { AuthorDiagnostic.Location.span(file.span(ofLine: $0)) }
    findings.add(AuthorDiagnostic(of: problem, at: line ?? location))
  }
}
