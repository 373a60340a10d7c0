import Foundation

/// A text file that is read line by line, so that memory does not grow with its size.
package final class LineFile {
  /// A line of a file.
  package struct Line {
    /// The bytes without the line break.
    package var bytes: [UInt8]
    /// The position of the first byte in the file.
    package var offset: Int
  }

  private let path: String
  private let descriptor: Int32
  /// The bytes that were read and do not belong to a line yet.
  private var pending: [UInt8] = []
  /// The number of pending bytes that belong to lines that were returned.
  private var used = 0
  private var offset = 0
  private static let partSize = 1 << 18

  /// Opens a file.
  package init(_ path: String) throws(FileProblem) {
    self.path = path
    guard let descriptor = try FileBytes.openForReading(path) else {
      throw FileProblem(path: path, reason: "does not exist")
    }
    self.descriptor = descriptor
  }

  deinit { close(descriptor) }

  /// Returns the next line; nil at the end of the file. A last line without a line break is left out.
  package func next() throws(FileProblem) -> Line? {
    var searched = used
    while true {
      if let end = pending[searched...].firstIndex(of: UInt8(ascii: "\n")) {
        let line = Line(bytes: Array(pending[used..<end]), offset: offset)
        offset += end + 1 - used
        used = end + 1
        return line
      }
      pending.removeFirst(used)
      (searched, used) = (pending.count, 0)
      let part = try FileBytes.part(of: descriptor, atMost: Self.partSize, path)
      if part.isEmpty { return nil }
      pending += part
    }
  }
}
