package import Foundation

/// Reads a date from RFC 3339 text, `2000-01-01T00:00:00.5+01:00`; nil for other text. Rule: `predicate.date`.
///
/// Other forms of ISO 8601 are not dates here: a day alone, or a time without zone, may be meant as text.
package func predicateDate(_ text: String) -> Date? {
  let bytes = Array(text.utf8)
  guard bytes.count >= 20, bytes[4] == UInt8(ascii: "-"), "Tt".utf8.contains(bytes[10]),
    bytes[16] == UInt8(ascii: ":"), !bytes.contains(UInt8(ascii: ",")),
    "Zz".utf8.contains(bytes[bytes.count - 1])
      || ("+-".utf8.contains(bytes[bytes.count - 6]) && bytes[bytes.count - 3] == UInt8(ascii: ":"))
  else { return nil }
  return DateFormat.iso8601.date(from: text)
}
