public import Foundation
import JSONTree

/// A server that responds with local JSON files, which replace a real server. Fragments of addresses determine the
/// file.
///
/// ```swift
/// let server = JSONServer(
///   folder: folder, files: ["users": "Users.json", "users/7/posts": "Posts.json", "feed?page=2": "Second.json"],
///   delay: .milliseconds(300))
/// ```
///
/// The longest fragment that the address contains determines the file. If two fragments have the same length, the one
/// that ends later in the address is used. A fragment can name parameters after `?`. The request must then have all of
/// these parameters, in its address or in its query, in any order. The file is read for each request. The method and the
/// body of the request are ignored.
///
/// Rules: `jsonserver.match`, `jsonserver.delay`, `jsonserver.malformed`.
public struct JSONServer: Server {
  /// The paging of the files, or nil if they are not divided into pages.
  public let paging: Paging?
  private let folder: URL
  private let delay: Duration
  private let clock: any Clock<Duration>
  private let fragments: [Fragment]

  /// Creates a server.
  ///
  /// - Parameters:
  ///   - folder: the URL of the folder with the files.
  ///   - files: the paths of the files in the folder, by fragment of the address.
  ///   - delay: the time that each response takes, or each failure.
  ///   - clock: the clock that measures the delay.
  ///   - paging: the paging that the files use. The responses have no headers, so that
  ///     ``Paging/linkHeader(totalHeader:)`` cannot find the next page.
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

  /// Returns the contents of the file for the request.
  ///
  /// - Throws: ``JSONServerError`` if no fragment matches, or if the file is missing, cannot be read or is not JSON.
  ///   `CancellationError` if the task is canceled during the delay.
  public func response(to request: ServerRequest) async throws -> ServerResponse {
    if delay > .zero { try await clock.sleep(for: delay) }
    guard let file = file(for: request) else {
      throw JSONServerError(
        .noFile, Self.address(of: request),
        fragments.isEmpty
          ? "no fragments are registered"
          : "it contains none of the registered fragments: \(fragments.map(\.text).joined(separator: ", "))")
    }
    return ServerResponse(.bytes(try bytes(of: file, for: request)))
  }

  public func description(of request: ServerRequest) async -> ServerRequest? { request.normalized }

  private func bytes(of file: String, for request: ServerRequest) throws -> [UInt8] {
    let url = folder.appendingPathComponent(file)
    let bytes: [UInt8]
    do {
      bytes = [UInt8](try Data(contentsOf: url))
    } catch {
      let exists = FileManager.default.fileExists(atPath: url.path)
      throw JSONServerError(
        .unreadable, Self.address(of: request), file: url,
        exists ? "cannot be read: \(error.localizedDescription)" : "does not exist")
    }
    do {
      _ = try JSONDocument(parsing: bytes)
    } catch {
      throw JSONServerError(
        .malformed, Self.address(of: request), file: url, location: error.location, error.message)
    }
    return bytes
  }

  /// Returns the address of a request with all its parameters, including those of the query.
  private static func address(of request: ServerRequest) -> String {
    request.query.isEmpty ? request.urn : request.normalized.urn
  }

  /// Returns the file for a request, in time that is linear in the number of fragments.
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

    /// Returns the position in a path at which the last occurrence of the fragment ends, or nil if the fragment does
    /// not match.
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
  /// Returns the part of an address before its query.
  fileprivate static func pathText(of address: WebAddress) -> String {
    var address = address
    address.query = nil
    return address.text
  }
}
