package import Foundation

/// Returns the bytes of a base64 text (RFC 4648, section 4); nil if the text is not valid base64.
///
/// The text uses the standard alphabet and must have padding. With `allowingLineBreaks`, CR and LF are skipped, as in
/// MIME.
package func data(base64 text: some Sequence<UInt8>, allowingLineBreaks: Bool = false) -> Data? {
  var data = Data()
  var (bits, count, padding): (UInt32, Int, Int) = (0, 0, 0)
  for byte in text {
    if allowingLineBreaks, byte == UInt8(ascii: "\r") || byte == UInt8(ascii: "\n") { continue }
    if byte == UInt8(ascii: "=") {
      padding += 1
      continue
    }
    guard padding == 0, let value = base64Value(byte) else { return nil }
    bits = bits << 6 | value
    count += 1
    if count % 4 == 0 {
      data.append(contentsOf: [UInt8(truncatingIfNeeded: bits >> 16), UInt8(truncatingIfNeeded: bits >> 8)])
      data.append(UInt8(truncatingIfNeeded: bits))
      bits = 0
    }
  }
  // The remaining characters, if their number is not a multiple of four. Their unused bits must be zero.
  switch (count % 4, padding) {
  case (0, 0): break
  case (2, 2) where bits & 0xF == 0: data.append(UInt8(truncatingIfNeeded: bits >> 4))
  case (3, 1) where bits & 0x3 == 0:
    data.append(contentsOf: [UInt8(truncatingIfNeeded: bits >> 10), UInt8(truncatingIfNeeded: bits >> 2)])
  default: return nil
  }
  return data
}

private func base64Value(_ byte: UInt8) -> UInt32? {
  switch byte {
  case UInt8(ascii: "A")...UInt8(ascii: "Z"): UInt32(byte - UInt8(ascii: "A"))
  case UInt8(ascii: "a")...UInt8(ascii: "z"): UInt32(byte - UInt8(ascii: "a")) + 26
  case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(byte - UInt8(ascii: "0")) + 52
  case UInt8(ascii: "+"): 62
  case UInt8(ascii: "/"): 63
  default: nil
  }
}
