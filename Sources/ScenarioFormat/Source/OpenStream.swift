/// The paths of the streams that a process was started with.
package enum OpenStream {
  /// Returns the descriptor that a path such as `/dev/stderr` or `/dev/fd/3` names; nil for other paths.
  package static func descriptor(named path: String) -> Int32? {
    switch path {
    case "/dev/stdout": return 1
    case "/dev/stderr": return 2
    default: break
    }
    guard let folder = ["/dev/fd/", "/proc/self/fd/"].first(where: path.hasPrefix) else { return nil }
    let digits = path.dropFirst(folder.count)
    return digits.utf8.allSatisfy { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 } ? Int32(digits) : nil
  }
}
