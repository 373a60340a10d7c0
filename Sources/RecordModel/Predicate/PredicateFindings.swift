/// Collects the values that a key path leads to, in any order.
///
/// A path through to-manys or through nested lists leads to values inside lists. Predicates do not distinguish between
/// two and more lists around a value: `ANY` and `ALL` test every value, and a list within a list equals nothing. Lists
/// within a list are therefore merged into one, at any depth.
package struct PredicateFindings {
  private var single: PredicateValue?
  private var members: [PredicateValue] = []
  private var nestedMembers: [PredicateValue] = []
  private var hasNull = false
  private var hasNestedNull = false
  private var isList = false
  private var isNested = false

  package init() {}

  /// Adds a value.
  ///
  /// - Parameter depth: the number of lists around the value.
  package mutating func add(_ value: PredicateValue, depth: Int) {
    switch (depth, value) {
    case (0, _): single = value
    // A long path can lead to nil in any number of ways; one nil is enough.
    case (1, .null): hasNull = true
    case (1, _): members.append(value)
    case (_, .null): hasNestedNull = true
    default: nestedMembers.append(value)
    }
  }

  /// Adds a list, which may be empty.
  ///
  /// - Parameter depth: the number of lists around the list.
  package mutating func addList(depth: Int) {
    isList = true
    if depth > 0 { isNested = true }
  }

  package var value: PredicateValue {
    guard isList else { return single ?? .null }
    let members = members + (hasNull ? [.null] : [])
    guard isNested else { return .list(members) }
    return .list(members + [.list(nestedMembers + (hasNestedNull ? [.null] : []))])
  }
}
