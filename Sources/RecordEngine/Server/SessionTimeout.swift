/// What a server throws when the session has timed out: the user has to sign in again, or a token has to be renewed.
///
/// The handler that is registered with ``PersistentContainer/registerSessionTimeoutHandler(_:)`` may then have the request
/// made once more; otherwise this error reaches the caller. Rule: `request.session-timeout`.
public struct SessionTimeout: Error, Hashable, Sendable, CustomStringConvertible {
  /// What the server says about it.
  public var message: String

  public init(_ message: String = "the session has timed out") { self.message = message }

  public var description: String { message }
}

/// Answers whether the request is to be made once more: after signing in again, say.
///
/// It is asked once for each request at most: one that is made again and times out again fails. Of several requests whose
/// session has timed out, one asks at a time; the others wait for what it is answered, and are made once more with it. One
/// whose session has timed out even so, because it is that of another server, then asks for itself. The handler is not
/// cancelled with the request that it was asked for.
///
/// What it asks a container for itself it asks within its own task or a child of it, as a ``Server`` does: from a
/// `Task.detached` or a dispatch queue, it may wait for a request that waits for it.
public typealias SessionTimeoutHandler = @Sendable (ServerRequest, SessionTimeout) async -> Bool
