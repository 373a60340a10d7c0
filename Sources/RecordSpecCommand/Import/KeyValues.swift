import JSONTree

/// The kinds of the values of a key in the samples of an entity.
struct KeyValues {
  private(set) var hasList = false
  private var hasOne = false
  private var hasReference = false
  private var hasOther = false
  private var listHasReference = false
  private var listHasOther = false

  mutating func add(_ value: JSONValue) {
    switch value {
    case .null: break
    case .object: hasOne = true
    case .array(let elements):
      hasList = true
      for element in elements where element.kind != .object {
        if element.identifier != nil { listHasReference = true } else { listHasOther = true }
      }
    case .boolean, .number, .string:
      hasOne = true
      if value.identifier != nil { hasReference = true } else { hasOther = true }
    }
  }

  /// Returns the reason why the values are neither records nor references to them; nil if they are.
  ///
  /// - Parameter areIdentified: a Boolean value that indicates whether a key identifies the records.
  func reasonAgainstRecords(areIdentified: Bool) -> String? {
    if listHasOther || listHasReference && !areIdentified { return "a list of objects and other values" }
    if hasOther || hasReference && !areIdentified { return "sometimes an object and sometimes another value" }
    return hasList && hasOne ? "sometimes an object and sometimes a list" : nil
  }
}
