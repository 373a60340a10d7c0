public import Foundation
import JSONTree

/// A server that answers with local JSON files, found by fragments of the address: an app without its server.
///
/// ```swift
/// let server = JSONServer(
///   folder: folder, files: ["users": "Users.json", "users/7/posts": "Posts.json", "feed?page=2": "Second.json"],
///   delay: .milliseconds(300))
/// ```
///
/// Of the fragments that an address has in it, the longest one counts; of two as long, the one that ends later in the
/// address. A fragment may name parameters behind `?`, all of which the request must have then, in its address or its data,
/// in any order. A file is read whenever it is asked for. The method of a request is not looked at.
///
/// Rules: `jsonserver.match`, `jsonserver.delay`, `jsonserver.malformed`.
public struct JSONServer: Server {
  public let paging: Paging?
  private let folder: URL
  private let delay: Duration
  private let clock: any Clock<Duration>
  private let fragments: [Fragment]

  /// - Parameters:
  ///   - folder: where the files are.
  ///   - files: paths below the folder, by fragment of the address.
  ///   - delay: how long an answer takes, failures included.
  ///   - clock: whose time that is.
  ///   - paging: how the files divide long answers into pages. Answers have no headers, so that there is nothing for
  ///     ``Paging/linkHeader(totalHeader:)`` to go by.
  public init(
    folder: URL, files: [String: String], delay: Duration = .zero,
    clock: any Clock<Duration> = ContinuousClock(),
    paging: Paging? = nil
  ) {
    self.folder = folder
    self.delay = delay
    self.clock = clock
    self.paging = paging
    fragments = files.sorted { $0.key < $1.key }.map(Fragment.init)
  }

  /// - Throws: ``JSONServerError`` if no fragment fits, or the file is missing or no JSON; `CancellationError` if the task is
  ///   cancelled during the delay.
  public func response(to request: ServerRequest) async throws -> ServerResponse {
    if delay > .zero { try await clock.sleep(for: delay) }
    guard let file = file(for: request) else {
      throw JSONServerError(
        .noFile, Self.address(of: request),
        fragments.isEmpty
          ? "there are no fragments"
          : "no fragment is in it; there are: \(fragments.map(\.text).joined(separator: ", "))")
    }
    return ServerResponse(.bytes(try bytes(of: file, for: request)))
  }

  public func description(of request: ServerRequest) async -> ServerRequest? { request.normalised }

  private func bytes(of file: String, for request: ServerRequest) throws -> [UInt8] {
    let url = folder.appendingPathComponent(file)
    let bytes: [UInt8]
    do {
      bytes = [UInt8](try Data(contentsOf: url))
    } catch {
      let isThere = FileManager.default.fileExists(atPath: url.path)
      throw JSONServerError(
        .unreadable, Self.address(of: request), file: url,
        isThere ? "cannot be read: \(error.localizedDescription)" : "is not there")
    }
    do {
      _ = try JSONDocument(parsing: bytes)
    } catch {
      throw JSONServerError(
        .malformed, Self.address(of: request), file: url, location: error.location, error.message)
    }
    return bytes
  }

  /// The address with all parameters, its own and those of the data.
  private static func address(of request: ServerRequest) -> String {
    guard !request.data.isEmpty else { return request.urn }
    var address = WebAddress(request.urn)
    address.parameters += request.data.sorted { $0.key < $1.key }
      .map { WebAddress.Parameter(name: $0.key, value: $0.value) }
    return address.text
  }

  /// The file that answers a request. Linear in the fragments.
  private func file(for request: ServerRequest) -> String? {
    let address = WebAddress(Self.address(of: request))
    let path = WebAddress.pathText(of: address)
    let parameters = Set(address.parameters.map { [ScalarString($0.name), ScalarString($0.value)] })
    let matches = fragments.compactMap { fragment in
      fragment.end(in: path, parameters).map { (fragment: fragment, end: $0) }
    }
    return matches.max {
      ($0.fragment.text.utf8.count, $0.end) < ($1.fragment.text.utf8.count, $1.end)
    }?.fragment.file
  }

  private struct Fragment: Sendable {
    let text: String
    let file: String
    private let path: String
    private let parameters: Set<[ScalarString]>

    init(text: String, file: String) {
      (self.text, self.file) = (text, file)
      let address = WebAddress(text)
      path = WebAddress.pathText(of: address)
      parameters = Set(address.parameters.map { [ScalarString($0.name), ScalarString($0.value)] })
    }

    /// Where the fragment ends in a path, at its last occurrence; nil if it does not fit.
    func end(in path: String, _ parameters: Set<[ScalarString]>) -> Int? {
      guard self.parameters.isSubset(of: parameters) else { return nil }
      guard !self.path.isEmpty else { return 0 }
      return path.range(of: self.path, options: [.backwards, .literal]).map {
        path.utf8.distance(from: path.startIndex, to: $0.upperBound)
      }
    }
  }
}

extension WebAddress {
  /// All of an address before its query.
  fileprivate static func pathText(of address: WebAddress) -> String {
    var address = address
    address.query = nil
    return address.text
  }
}
