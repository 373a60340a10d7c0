/// Text in XML documents.
package enum XMLText {
  /// Returns the text for the content of an element or for an attribute in double quotes. Characters that XML 1.0 does not
  /// allow become U+FFFD.
  ///
  /// - Parameter isAttribute: a Boolean value that indicates whether line breaks and tabs are escaped, which parsers replace
  ///   by spaces in attributes.
  package static func escaped(_ text: String, isAttribute: Bool = false) -> String {
    var escaped = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": escaped += "&amp;"
      case "<": escaped += "&lt;"
      case ">": escaped += "&gt;"
      case "\"": escaped += "&quot;"
      case "\n" where isAttribute: escaped += "&#10;"
      case "\t" where isAttribute: escaped += "&#9;"
      case "\n", "\t": escaped.unicodeScalars.append(scalar)
      case "\r": escaped += "&#13;"
      case "\u{0}"..<"\u{20}", "\u{FFFE}", "\u{FFFF}": escaped += "\u{FFFD}"
      default: escaped.unicodeScalars.append(scalar)
      }
    }
    return escaped
  }
}
