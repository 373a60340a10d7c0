public import Foundation

#if canImport(FoundationNetworking)
  public import FoundationNetworking
#endif

/// The server, the folder and the clock that a scenario gives to the adapter of an app.
public struct AdapterContext: Sendable {
  /// A function that sends a request and returns the response, for apps that receive their transport as a closure.
  public typealias Send = @Sendable (URLRequest) async throws -> (Data, HTTPURLResponse)

  /// The name of the scenario, such as `feed/second-refresh`.
  public let scenario: String
  /// The base URL of the scenario's server. It ends with a slash.
  public let baseURL: URL
  /// A folder for the files of the store. It is empty at first, keeps its files in `reopen` steps, and is removed after the
  /// scenario.
  public let folder: URL
  /// The time of the scenario's clock.
  public let now: Date
  /// A session whose requests the scenario answers, to all servers. Nothing goes over the network.
  public let session: URLSession
  /// Sends a request to the scenario's server, without a session. Redirects are followed.
  public let send: Send

  /// Creates a context.
  public init(
    scenario: String, baseURL: URL, folder: URL, now: Date, session: URLSession, send: @escaping Send
  ) {
    self.scenario = scenario
    self.baseURL = baseURL
    self.folder = folder
    self.now = now
    self.session = session
    self.send = send
  }
}
