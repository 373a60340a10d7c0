import RecordModel
import XcodeModel

/// Xcode models: the XML of a file `contents`.
struct XcodeModelTarget: FuzzTarget {
  func check(_ input: [UInt8]) {
    let xcode = XcodeDataModel(parsing: input, file: "contents")
    let lineCount = input.count { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") } + 1
    for problem in xcode.problems {
      expect(!problem.problem.message.isEmpty && problem.file == "contents", "a problem says nothing")
      expect(
        (1...lineCount).contains(problem.line ?? 1),
        "a problem is on line \(problem.line ?? 0) of \(lineCount)")
    }
    for (path, line) in xcode.lines {
      expect((1...lineCount).contains(line), "\(path) is on line \(line) of \(lineCount)")
    }
    let hasError = xcode.problems.contains { $0.problem.severity == .error }
    expect(hasError || !xcode.entities.isEmpty, "there is neither an entity nor an error")
    do throws(ModelError) {
      SchemaOracle.check(try ManagedObjectModel(entities: xcode.entities))
    } catch {
      expect(!error.problems.isEmpty, "the model is refused without a reason")
      for problem in error.problems { _ = xcode.line(of: problem.path) }
    }
  }
}
