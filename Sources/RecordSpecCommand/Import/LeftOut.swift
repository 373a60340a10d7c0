import RecordModel

/// The reasons why a recorded exchange is not imported. The order is that of the summary.
enum LeftOut: Int, CaseIterable, Sendable {
  case image, page, script, styleSheet, font, otherContent, preflight, redirect, aborted, notHTTP, address
  case withoutBody, undecodableBody, invalidJSON, invalidStatus

  /// Returns the number of exchanges in words: `3 images`.
  func text(_ count: Int) -> String {
    switch self {
    case .image: counted(count, "image")
    case .page: counted(count, "HTML page")
    case .script: counted(count, "script")
    case .styleSheet: counted(count, "style sheet")
    case .font: counted(count, "font")
    case .otherContent: counted(count, "other response") + " without JSON"
    case .preflight: counted(count, "CORS preflight")
    case .redirect: counted(count, "redirect") + " to what is left out"
    case .aborted: counted(count, "request") + " without response"
    case .notHTTP: counted(count, "request") + " that \(count == 1 ? "is" : "are") not HTTP"
    case .address: counted(count, "request") + " whose address a scenario cannot express"
    case .withoutBody: counted(count, "response") + " whose body the recording does not contain"
    case .undecodableBody: counted(count, "response") + " whose body cannot be decoded"
    case .invalidJSON: counted(count, "response") + " with invalid JSON"
    case .invalidStatus: counted(count, "response") + " with an invalid status"
    }
  }

  /// Returns the reason for a response that is not JSON.
  init(mediaType: String) {
    let type = mediaType.lowercased()
    if type.hasPrefix("image/") {
      self = .image
    } else if type.hasPrefix("text/html") || type.hasPrefix("application/xhtml") {
      self = .page
    } else if type.contains("javascript") || type.contains("ecmascript") {
      self = .script
    } else if type.hasPrefix("text/css") {
      self = .styleSheet
    } else if type.contains("font") {
      self = .font
    } else {
      self = .otherContent
    }
  }
}
