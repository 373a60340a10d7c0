import Foundation

/// Writing text to an open file, pipe or stream.
package enum TextOutput {
  /// Writes a text. Returns the error number if that fails; nil if all of it was written.
  package static func write(_ text: String, to descriptor: Int32) -> Int32? {
    write(Array(text.utf8), to: descriptor)
  }

  /// Writes all bytes in the same way. The error number is also in `errno`.
  static func write(_ bytes: [UInt8], to descriptor: Int32) -> Int32? {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Foundation.write(descriptor, $0.baseAddress, $0.count) }
      if count >= 0 {
        rest = rest.dropFirst(count)
      } else if errno == EAGAIN {
        // Another process may share the stream and have made it nonblocking.
        var stream = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        poll(&stream, 1, -1)
      } else if errno != EINTR {
        return errno
      }
    }
    return nil
  }

  /// Returns the system's words for an error number.
  package static func reason(_ code: Int32) -> String { String(cString: strerror(code)) }
}
