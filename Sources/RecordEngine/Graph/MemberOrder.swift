import OrderedCollections
import RecordModel

/// A change of the order of members.
struct MemberOrder: Sendable {
  /// The members in the order that was set explicitly; nil if none was set.
  var order: MemberList?
  /// Without an explicit order, the members that come last, in this order.
  var placed = MemberList()

  var isEmpty: Bool { order == nil && placed.isEmpty }

  mutating func placeLast(_ member: RecordID) {
    remove(member)
    if order == nil { placed.append(member) } else { order?.append(member) }
  }

  mutating func remove(_ member: RecordID) {
    order?.remove(member)
    placed.remove(member)
  }

  mutating func remove(_ members: OrderedSet<RecordID>) {
    func remaining(_ list: MemberList) -> MemberList {
      MemberList(list.lazy.filter { !members.contains($0) })
    }
    (order, placed) = (order.map(remaining), remaining(placed))
  }

  /// Adds a newer change.
  mutating func merge(_ later: MemberOrder) {
    if let order = later.order { self = MemberOrder(order: order) }
    for member in later.placed { placeLast(member) }
  }

  func replacing(_ successors: [RecordID: RecordID]) -> MemberOrder {
    func now(_ list: MemberList) -> MemberList { MemberList(list.lazy.map { successors[$0] ?? $0 }) }
    return MemberOrder(order: order.map(now), placed: now(placed))
  }
}
