/// Returns the first names, separated by commas, and the number of the others: `id, title and 3 more`.
package func shortenedList(_ names: [String], limit: Int = 10) -> String {
  let rest = names.count > limit ? " and \(names.count - limit) more" : ""
  return names.prefix(limit).joined(separator: ", ") + rest
}
