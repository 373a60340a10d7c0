/// Returns a count with a noun, which is in the plural unless the count is 1: `1 record`, `2 records`.
///
/// - Parameter noun: a noun in the singular whose plural ends in `s`.
package func counted(_ count: Int, _ noun: String) -> String { "\(count) \(noun)\(count == 1 ? "" : "s")" }
