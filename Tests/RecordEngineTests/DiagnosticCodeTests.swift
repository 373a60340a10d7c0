import Foundation
import RecordEngine
import Testing

struct DiagnosticCodeTests {
  /// Scenarios reject a code that is declared but not in the list.
  @Test func noDeclaredCodeIsLeftOutOfTheList() throws {
    let path =
      URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().path + "/Sources/RecordEngine/Diagnostics/DiagnosticCode.swift"
    let source = try String(contentsOfFile: path, encoding: .utf8)
    let declared = source.matches(of: #/= DiagnosticCode\(rawValue: "([a-z-]+)"\)/#).map { String($0.1) }
    #expect(declared.count > 20)
    #expect(DiagnosticCode.all.map(\.rawValue) == declared)
  }

  @Test func numbersAreThoseOfTheReferenceAndEachStandsForOneCode() {
    let numbers = DiagnosticCode.all.compactMap(\.referenceNumber)
    #expect(numbers == [1, 2, 3, 4, 6, 7, 700, 701, 999])
  }
}
