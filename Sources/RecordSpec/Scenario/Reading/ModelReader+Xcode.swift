import JSONTree
import RecordModel
import XcodeModel

extension ModelReader {
  /// Reads an Xcode model. Errors in the model are located in its own file, and a missing model is reported at its
  /// name.
  func xcodeModel(at path: String, namedBy node: YAMLNode) -> Draft? {
    let files = [path] + XcodeDataModel.files(of: path)
    guard files.allSatisfy({ findings.isInside(scenario.folders, $0, namedBy: node) }) else { return nil }
    let xcode = XcodeDataModel(at: path)
    let file = SourceFile(path: xcode.file, bytes: xcode.bytes)
    for problem in xcode.problems { report(problem, in: file, namedBy: node) }
    if xcode.entities.isEmpty { return nil }

    var draft = Draft()
    draft.hasEntities = true
    let isClear = xcode.problems.allSatisfy { $0.problem.severity == .warning }
    for entity in xcode.entities {
      draft.append(entity)
      draft.outline.add(entity, isClear: isClear)
    }
    draft.locations.add(.xcode(file, xcode.lines))
    for entity in xcode.entities { noteNames(of: entity, in: draft.locations) }
    return draft
  }

  private func noteNames(of entity: EntityDescription, in locations: ModelSourceMap) {
    func note(_ kind: ForeignName.Kind, _ name: String?, _ path: String...) {
      guard let name, let location = locations.location(of: JSONPointer(tokens: ["entities"] + path)) else {
        return
      }
      findings.note(ForeignName(kind: kind, name: name, location: location, isCasual: true))
    }
    note(.recordType, entity.className, entity.name.rawValue)
    for attribute in entity.attributes {
      note(.transformer, attribute.transformer, entity.name.rawValue, "attributes", attribute.name.rawValue)
    }
  }

  private func report(_ found: XcodeDataModel.Problem, in file: SourceFile, namedBy node: YAMLNode) {
    let problem = found.problem
    let location = found.line.map { file.span(ofLine: $0) } ?? node.span
    let message = found.line == nil ? "'\(found.file)': \(problem.message)" : problem.message
    findings.add(
      AuthorDiagnostic(
        AuthorDiagnostic.Code(rawValue: problem.code), at: location, message,
        severity: problem.severity == .error ? .error : .warning, advice: problem.advice))
  }
}
