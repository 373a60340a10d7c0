package import Foundation

extension URL {
  /// Creates the URL whose text is exactly the given text; nil if there is no such URL or if the text is empty.
  ///
  /// Newer systems percent-encode characters that are not allowed in a URL. That would be another URL, and the value
  /// would depend on the system.
  package init?(exactly text: String) {
    guard !text.isEmpty, let url = URL(string: text), url.absoluteString == text else { return nil }
    self = url
  }
}

extension UUID {
  /// Creates a UUID from text of the form `E621E1F8-C36C-495A-93FC-0C247A3E6E5F`, in any case; nil for other text.
  package init?(exactly text: String) {
    // Some systems accept any text that begins with a UUID.
    guard text.utf8.count == 36, let uuid = UUID(uuidString: text) else { return nil }
    self = uuid
  }
}
