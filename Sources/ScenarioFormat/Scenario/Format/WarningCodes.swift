import RecordModel
import XcodeModel

/// The codes of all warnings that `recordspec check` prints.
package enum WarningCodes {
  /// All codes, sorted.
  package static let all =
    (AuthorDiagnostic.Warning.allCases.map(\.rawValue) + ModelWarning.allCases.map(\.rawValue)
    + XcodeModelWarning.allCases.map(\.rawValue)).sorted()

  /// The codes that `allows` can name. Unread keys are listed in `ignores`, and an entry of `allows` without effect is
  /// removed.
  package static let allowed = all.filter {
    $0 != AuthorDiagnostic.Warning.unreadKey.rawValue && $0 != AuthorDiagnostic.Warning.unusedAllows.rawValue
  }
}
