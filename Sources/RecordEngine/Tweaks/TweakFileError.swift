public import Foundation
import JSONTree

/// An error that lists everything that is wrong with a file of tweaks. Rule: `tweaks.file`.
public struct TweakFileError: Error, Hashable, Sendable {
  /// The URL of the file.
  public let url: URL

  /// The problems of the file in order, each in one line with its location:
  /// `tweaks.json:3:7: unknown entity 'Pst'; did you mean 'Post'?`
  public let messages: [String]
}

extension TweakFileError: CustomStringConvertible {
  /// The messages, one in each line.
  public var description: String { messages.joined(separator: "\n") }
}

extension TweakFileError {
  /// A problem at a location of the file.
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

  /// Creates the error for a problem of the file as a whole.
  init(_ url: URL, _ message: String) {
    self.init(url: url, messages: ["\(url.lastPathComponent) \(message)"])
  }
}

extension RequestFailure {
  /// Creates a failure with one diagnostic for each problem of the tweaks.
  init(_ error: TweakFileError) {
    self.init(error.messages.map { Diagnostic(.invalidTweaks, message: $0) })
  }
}
