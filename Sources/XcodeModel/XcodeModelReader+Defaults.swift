import Foundation
import JSONTree
import RecordModel

extension XcodeModelReader {
  /// Returns the default value as a literal of a golden file. Returns nil if there is no default, and after reporting
  /// an invalid one.
  mutating func defaultValue(of element: XcodeModelElement, _ type: AttributeType, at path: [String])
    -> JSONValue?
  {
    if type == .date { return defaultDate(of: element, at: path) }
    // Xcode writes an empty text after a default was deleted.
    guard let written = text("defaultValueString", of: element) else { return nil }
    switch type {
    case .string, .uuid, .uri: return .string(written)
    case .boolean:
      switch written {
      case "YES", "1", "true": return .boolean(true)
      case "NO", "0", "false": return .boolean(false)
      default:
        report(
          "default-value", at: path, element, "the default '\(written)' is not a Boolean",
          advice: "write YES or NO")
        return nil
      }
    case .int16, .int32, .int64, .float, .double, .decimal:
      if let number = JSONNumber(digits: written) { return .number(number) }
      report("default-value", at: path, element, "the default '\(written)' is not a number")
      return nil
    case .binary, .transformable, .date:
      warn(
        .defaultValue, at: path, element,
        "the type \(type.rawValue) cannot have the default '\(written)'",
        advice: "set the value in the record class")
      return nil
    }
  }

  /// Returns the default of a date, which Xcode writes as seconds since 2001-01-01T00:00:00Z.
  private mutating func defaultDate(of element: XcodeModelElement, at path: [String]) -> JSONValue? {
    guard let written = text("defaultDateTimeInterval", of: element) else { return nil }
    guard let seconds = JSONNumber(digits: written)?.doubleValue
    else {
      report(
        "default-value", at: path, element, "the default '\(written)' is not a date in seconds since 2001")
      return nil
    }
    return .string(rfc3339Text(Date(timeIntervalSinceReferenceDate: seconds)))
  }
}
