// The example of the library's landing page. A test compares it with the page.

// Running begin
import Foundation
import RecordSpec

/// Runs the scenarios below a folder, and returns the errors in the form of a compiler.
func errors(in folder: URL) async throws -> [String] {
  var errors: [String] = []
  for scenario in try Scenarios(in: folder) {
    do {
      try await scenario.check()
    } catch {
      for annotation in error.annotations {
        errors.append(
          "\(annotation.filePath):\(annotation.line):\(annotation.column): error: \(annotation.message)")
      }
    }
  }
  return errors
}
// Running end
