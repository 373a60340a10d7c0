import Foundation
import JSONTree
import RecordModel

extension XcodeModelReader {
  /// The default as a literal of a golden file; nil if there is none, or it is wrong, which has been
  /// reported.
  mutating func defaultValue(of element: XcodeModelElement, _ type: AttributeType, at path: [String])
    -> JSONValue?
  {
    if type == .date { return defaultDate(of: element, at: path) }
    // An empty text is no default: Xcode leaves it behind when one is deleted.
    guard let written = text("defaultValueString", of: element) else { return nil }
    switch type {
    case .string, .uuid, .uri: return .string(written)
    case .boolean:
      switch written {
      case "YES", "1", "true": return .boolean(true)
      case "NO", "0", "false": return .boolean(false)
      default:
        report(
          "default-value", at: path, element, "the default '\(written)' is no boolean",
          advice: "write YES or NO")
        return nil
      }
    case .int16, .int32, .int64, .float, .double, .decimal:
      if let number = JSONNumber(digits: written) { return .number(number) }
      report("default-value", at: path, element, "the default '\(written)' is no number")
      return nil
    case .binary, .transformable, .date:
      warn(
        "default-value", at: path, element,
        "the default '\(written)' has no meaning for \(type.rawValue)",
        advice: "give the value in the record class")
      return nil
    }
  }

  /// Xcode writes the seconds since 2001-01-01T00:00:00Z.
  private mutating func defaultDate(of element: XcodeModelElement, at path: [String]) -> JSONValue? {
    guard let written = text("defaultDateTimeInterval", of: element) else { return nil }
    guard let seconds = JSONNumber(digits: written)?.doubleValue
    else {
      report("default-value", at: path, element, "the default '\(written)' is no date, in seconds since 2001")
      return nil
    }
    return .string(rfc3339Text(Date(timeIntervalSinceReferenceDate: seconds)))
  }
}
