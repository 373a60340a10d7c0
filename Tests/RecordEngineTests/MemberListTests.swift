import Testing

@testable import RecordEngine

@Suite struct MemberListTests {
  private let ids = (0..<5).map { RecordID(tree: 0, serial: $0) }

  @Test func membersStandInTheOrderInWhichTheyCame() {
    var members = MemberList([ids[3], ids[1], ids[2]])
    members.append(ids[1])
    #expect(Array(members) == [ids[3], ids[1], ids[2]])
    let wasMember = members.remove(ids[1])
    let wasMemberAgain = members.remove(ids[1])
    #expect(wasMember && !wasMemberAgain && !members.contains(ids[1]))
    #expect(Array(members) == [ids[3], ids[2]])
    members.append(ids[1])
    members.moveLast(ids[3])
    members.moveLast(ids[4])
    #expect(Array(members) == [ids[2], ids[1], ids[3]] && !members.isEmpty)
  }
}
