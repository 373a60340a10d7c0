package import Foundation

extension URL {
  /// The URL whose text is exactly this; nil if there is none, or the text is empty.
  ///
  /// Newer systems would percent-encode what a URL must not contain; that is another URL, and it would make
  /// the value depend on the system.
  package init?(exactly text: String) {
    guard !text.isEmpty, let url = URL(string: text), url.absoluteString == text else { return nil }
    self = url
  }
}

extension UUID {
  /// The UUID of the form `E621E1F8-C36C-495A-93FC-0C247A3E6E5F`, in any case.
  package init?(exactly text: String) {
    // Some systems take what begins with a UUID for one.
    guard text.utf8.count == 36, let uuid = UUID(uuidString: text) else { return nil }
    self = uuid
  }
}
