/// An error that a server throws if the session has timed out: the user must sign in again, or a token must be renewed.
///
/// The handler that is registered with ``PersistentContainer/registerSessionTimeoutHandler(_:)`` can then repeat the
/// request. Otherwise, the error is passed to the caller. Rule: `request.session-timeout`.
public struct SessionTimeout: Error, Hashable, Sendable, CustomStringConvertible {
  /// The message of the server.
  public var message: String

  /// Creates an error.
  ///
  /// - Parameter message: the message of the server.
  public init(_ message: String = "the session has timed out") { self.message = message }

  public var description: String { message }
}

/// A function that renews a session, and returns whether to repeat the request. For example, it lets the user sign in
/// again.
///
/// The handler is called at most once for each request. A request that is repeated and times out again fails. If the
/// sessions of several requests have timed out, the handler is called for one request at a time. The other requests
/// wait for its result, and are repeated according to it. If the session of one of them times out again, because it
/// belongs to another server, the handler is called for that request too. The handler is not canceled when its request
/// is canceled.
///
/// Like a ``Server``, the handler performs its own requests of a container in its task or a child of it. In a
/// `Task.detached` or on a dispatch queue, such a request may wait for a request that waits for the handler.
public typealias SessionTimeoutHandler = @Sendable (ServerRequest, SessionTimeout) async -> Bool
