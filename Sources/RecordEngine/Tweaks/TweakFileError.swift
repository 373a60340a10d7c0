public import Foundation
import JSONTree

/// What is wrong with a file of tweaks. Rule: `tweaks.file`.
public struct TweakFileError: Error, Hashable, Sendable {
  /// The file.
  public let url: URL

  /// Everything that is wrong with it, in order, each in one line with its place:
  /// `tweaks.json:3:7: there is no entity 'Pst'; did you mean 'Post'?`
  public let messages: [String]
}

extension TweakFileError: CustomStringConvertible {
  /// All that is wrong, line by line.
  public var description: String { messages.joined(separator: "\n") }
}

extension TweakFileError {
  /// What is wrong at a place.
  struct Problem {
    var location: JSONLocation
    var message: String

    init(_ location: JSONLocation, _ message: String) {
      self.location = location
      self.message = message
    }
  }

  init(_ url: URL, _ problems: [Problem]) {
    self.init(
      url: url,
      messages: problems.map {
        "\(url.lastPathComponent):\($0.location.line):\($0.location.column): \($0.message)"
      })
  }

  /// What is wrong with the file as a whole.
  init(_ url: URL, _ message: String) {
    self.init(url: url, messages: ["\(url.lastPathComponent) \(message)"])
  }
}

extension RequestFailure {
  /// One diagnostic for each thing that is wrong with the tweaks.
  init(_ error: TweakFileError) {
    self.init(error.messages.map { Diagnostic(.invalidTweaks, message: $0) })
  }
}
