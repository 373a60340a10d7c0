/// The codes of the warnings about an Xcode model.
package enum XcodeModelWarning: String, CaseIterable, Sendable {
  /// A default value that does not match the type of its attribute.
  case defaultValue = "default-value"
  /// A part of the model that the engine does not have.
  case leftOut = "left-out"
  /// A constraint that the engine does not enforce.
  case notEnforced = "not-enforced"
  /// An unknown XML element.
  case unknownElement = "unknown-element"
  /// An unknown key of user info, or one that belongs elsewhere.
  case userInfo = "user-info"
}
