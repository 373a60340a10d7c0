import Foundation

/// A listening socket on 127.0.0.1 for one connection.
final class ListeningSocket {
  let port: UInt16
  private let descriptor: Int32

  /// Starts to listen.
  ///
  /// - Parameter port: the port; 0 for any free port.
  init(port: UInt16 = 0) throws(SocketProblem) {
    let descriptor = socket(AF_INET, SocketKind.stream, 0)
    guard descriptor >= 0 else { throw SocketProblem(errno: errno) }
    self.descriptor = descriptor
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    var reuse: Int32 = 1
    setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &reuse, socklen_t(MemoryLayout<Int32>.size))
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isListening = withUnsafeMutablePointer(to: &address) { address in
      address.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        bind(descriptor, address, length) == 0 && listen(descriptor, 8) == 0
          && getsockname(descriptor, address, &length) == 0
      }
    }
    self.port = UInt16(bigEndian: address.sin_port)
    guard isListening else { throw SocketProblem(errno: errno) }
  }

  deinit { close(descriptor) }

  /// Waits for a connection. Returns nil if there is none within the time.
  func accept(within milliseconds: Int32) -> LineSocket? {
    var waiting = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    guard poll(&waiting, 1, milliseconds) > 0 else { return nil }
    let connection = Foundation.accept(descriptor, nil, nil)
    guard connection >= 0 else { return nil }
    return LineSocket(descriptor: connection)
  }
}

/// A connection that transfers lines. One line is sent, and one is received, at a time.
// Unchecked: one exchange takes place at a time.
final class LineSocket: @unchecked Sendable {
  private let descriptor: Int32
  /// The bytes after the last line that was returned.
  private var rest: [UInt8] = []

  /// The maximum number of bytes of a line.
  static let maximumLength = 64 << 20

  init(descriptor: Int32) {
    self.descriptor = descriptor
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    var isOn: Int32 = 1
    // Each line waits for its answer, so it must be sent at once.
    setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &isOn, socklen_t(MemoryLayout<Int32>.size))
    #if canImport(Darwin)
      setsockopt(descriptor, SOL_SOCKET, SO_NOSIGPIPE, &isOn, socklen_t(MemoryLayout<Int32>.size))
    #endif
  }

  deinit { close(descriptor) }

  /// Tells the other side that the connection ends.
  func shutDown() { _ = shutdown(descriptor, Int32(SHUT_RDWR)) }

  /// Sends a line. Fails if the other side has closed the connection.
  func send(_ line: [UInt8]) throws(SocketProblem) {
    var bytes = (line + [UInt8(ascii: "\n")])[...]
    while !bytes.isEmpty {
      let count = bytes.withUnsafeBytes {
        Foundation.send(descriptor, $0.baseAddress, $0.count, SocketKind.flagsOfSending)
      }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { throw SocketProblem(errno: errno) }
      bytes = bytes.dropFirst(count)
    }
  }

  /// Returns the next line without its line break.
  ///
  /// - Parameter deadline: the time at which the wait ends; nil for none.
  func line(until deadline: ContinuousClock.Instant?) throws(SocketProblem) -> [UInt8] {
    var searched = 0
    var buffer = [UInt8](repeating: 0, count: 64 * 1024)
    while true {
      if let end = rest[searched...].firstIndex(of: UInt8(ascii: "\n")) {
        defer { rest.removeSubrange(...end) }
        return Array(rest[..<end])
      }
      searched = rest.count
      guard rest.count <= Self.maximumLength else { throw .tooLong }
      try wait(until: deadline)
      let count = recv(descriptor, &buffer, buffer.count, 0)
      if count < 0, errno == EINTR || errno == EAGAIN { continue }
      guard count >= 0 else { throw SocketProblem(errno: errno) }
      guard count > 0 else { throw rest.isEmpty ? .closed : .incompleteLine }
      rest += buffer[..<count]
    }
  }

  /// Waits for bytes, or for the end of the connection.
  private func wait(until deadline: ContinuousClock.Instant?) throws(SocketProblem) {
    var waiting = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    while true {
      let left = deadline.map { $0 - ContinuousClock.now }
      if let left, left <= .zero { throw .timedOut }
      let milliseconds = left.map { Int32(clamping: Int($0 / .milliseconds(1)) + 1) } ?? -1
      let count = poll(&waiting, 1, milliseconds)
      if count > 0 { return }
      if count < 0, errno != EINTR { throw SocketProblem(errno: errno) }
    }
  }
}

/// A reason why a line was not transferred.
enum SocketProblem: Error, Equatable, CustomStringConvertible {
  /// The other side has closed the connection.
  case closed
  /// The other side has closed the connection in the middle of a line.
  case incompleteLine
  case timedOut
  case tooLong
  /// The system's message.
  case system(String)

  var description: String {
    switch self {
    case .closed: "the connection was closed"
    case .incompleteLine: "the connection was closed in the middle of a line"
    case .timedOut: "the time limit has passed"
    case .tooLong: "the line is too long"
    case .system(let message): message
    }
  }

  init(errno: Int32) {
    self = [EPIPE, ECONNRESET].contains(errno) ? .closed : .system(String(cString: strerror(errno)))
  }
}

/// The constants that differ between systems.
private enum SocketKind {
  #if canImport(Darwin)
    static let stream = SOCK_STREAM
    static let flagsOfSending: Int32 = 0
  #else
    static let stream = Int32(SOCK_STREAM.rawValue)
    static let flagsOfSending = Int32(MSG_NOSIGNAL)
  #endif
}
