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
    guard let written = element.attributes["defaultValueString"], type == .string || !written.isEmpty else {
      return nil
    }
    let literal = literal(written, type)
    guard let literal, (try? AttributeValue(literal: literal, type: type)) != nil else {
      warn(
        .defaultValue, at: path, element,
        "the default '\(written)' is ignored, because the type is \(type.rawValue)",
        advice: "delete it in Xcode, or change it")
      return nil
    }
    return literal
  }

  /// Returns a default as a literal of its type. Xcode keeps the default of a former type, which Core Data then converts.
  private func literal(_ written: String, _ type: AttributeType) -> JSONValue? {
    switch type {
    case .string, .uuid, .uri: .string(written)
    case .boolean:
      switch written.lowercased() {
      case "yes", "true": .boolean(true)
      case "no", "false": .boolean(false)
      default: JSONNumber(digits: written)?.doubleValue.map { .boolean($0 != 0) }
      }
    case .int16, .int32, .int64, .float, .double, .decimal:
      switch written.lowercased() {
      case "yes", "true": 1
      case "no", "false": 0
      default: JSONNumber(digits: written).map(JSONValue.number)
      }
    case .binary, .transformable, .date: nil
    }
  }

  /// Returns the default of a date, which Xcode writes as seconds since 2001-01-01T00:00:00Z.
  private mutating func defaultDate(of element: XcodeModelElement, at path: [String]) -> JSONValue? {
    guard let written = text("defaultDateTimeInterval", of: element) else { return nil }
    guard let seconds = JSONNumber(digits: written)?.doubleValue else {
      warn(
        .defaultValue, at: path, element,
        "the default '\(written)' is ignored, because it is not a date in seconds since 2001",
        advice: "delete it in Xcode, or change it")
      return nil
    }
    return .string(rfc3339Text(Date(timeIntervalSinceReferenceDate: seconds)))
  }
}
