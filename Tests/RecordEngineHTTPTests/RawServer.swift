import Foundation

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// A server on loopback that responds with given bytes, for responses that no real server sends.
///
/// Each connection has its own thread. Reads and writes time out after four minutes.
final class RawServer: Sendable {
  let port: Int
  private let listener: Int32
  private let accepts: Bool

  var url: URL { URL(string: "http://127.0.0.1:\(port)")! }

  /// - Parameters:
  ///   - backlog: The number of connections that can wait to be accepted.
  ///   - accepts: Pass `false` to leave all connections waiting.
  ///   - answer: A closure that handles one connection, which is closed when the closure returns.
  init(
    backlog: Int32 = 64, accepts: Bool = true, _ answer: @escaping @Sendable (RawConnection) -> Void
  ) throws {
    #if canImport(Glibc)
      let stream = Int32(SOCK_STREAM.rawValue)
    #else
      let stream = SOCK_STREAM
    #endif
    let listener = socket(AF_INET, stream, 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = inet_addr("127.0.0.1")
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isBound = withUnsafeMutablePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(listener, $0, length) == 0 && listen(listener, backlog) == 0
          && getsockname(listener, $0, &length) == 0
      }
    }
    guard listener >= 0, isBound else { throw POSIXError(.EADDRNOTAVAIL) }
    self.listener = listener
    port = Int(UInt16(bigEndian: address.sin_port))
    self.accepts = accepts
    guard accepts else { return }
    Thread.detachNewThread {
      // Ends when the listener is shut down.
      while true {
        let connection = accept(listener, nil, nil)
        guard connection >= 0 else { break }
        Thread.detachNewThread {
          answer(RawConnection(connection))
          shutdown(connection, Int32(SHUT_RDWR))
          close(connection)
        }
      }
      close(listener)
    }
  }

  deinit {
    shutdown(listener, Int32(SHUT_RDWR))
    if !accepts { close(listener) }
  }
}

/// A connection of a raw server.
final class RawConnection {
  private let connection: Int32

  init(_ connection: Int32) {
    self.connection = connection
    var limit = timeval()
    limit.tv_sec = 240
    let size = socklen_t(MemoryLayout<timeval>.size)
    setsockopt(connection, SOL_SOCKET, SO_RCVTIMEO, &limit, size)
    setsockopt(connection, SOL_SOCKET, SO_SNDTIMEO, &limit, size)
    #if canImport(Darwin)
      var on: Int32 = 1
      setsockopt(connection, SOL_SOCKET, SO_NOSIGPIPE, &on, socklen_t(MemoryLayout<Int32>.size))
    #endif
  }

  /// Reads the head of a request without the body. Returns nil if the client closes the connection or times out.
  func readHead() -> String? {
    var head: [UInt8] = []
    while head.count < 100_000 {
      guard let byte = read(1).first else { return nil }
      head.append(byte)
      if head.suffix(4) == Array("\r\n\r\n".utf8) { return String(decoding: head, as: UTF8.self) }
    }
    return nil
  }

  /// Reads at most `count` bytes. Returns no bytes if the client closes the connection or times out.
  func read(_ count: Int) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: count)
    let found = recv(connection, &bytes, count, 0)
    return Array(bytes.prefix(max(0, found)))
  }

  /// Returns a Boolean value that indicates whether all bytes were sent.
  @discardableResult
  func write(_ bytes: some Collection<UInt8>) -> Bool {
    var rest = Array(bytes)[...]
    while !rest.isEmpty {
      #if canImport(Darwin)
        let flags: Int32 = 0
      #else
        let flags = Int32(MSG_NOSIGNAL)
      #endif
      let sent = rest.withUnsafeBytes { send(connection, $0.baseAddress, $0.count, flags) }
      guard sent > 0 else { return false }
      rest = rest.dropFirst(sent)
    }
    return true
  }

  @discardableResult
  func write(_ text: String) -> Bool { write(Array(text.utf8)) }

  /// Waits until the client closes the connection. Returns false after four minutes.
  func waitForEnd() -> Bool {
    var byte: UInt8 = 0
    while true {
      let found = recv(connection, &byte, 1, 0)
      if found == 0 { return true }
      if found < 0 { return errno == ECONNRESET }
    }
  }
}
