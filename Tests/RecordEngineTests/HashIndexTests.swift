import RecordModel
import Testing

@testable import RecordEngine

/// Tests for the hash table of positions. Its users hash and compare the elements.
struct HashIndexTests {
  /// Returns a hash. Some hashes collide in their upper half, and some completely.
  private static func hash(_ value: Int) -> UInt64 {
    switch value % 4 {
    case 0: 0xABCD << 32
    case 1: UInt64(value / 40) << 32
    default: HashIndex.hash(UInt64(value))
    }
  }

  @Test(arguments: 1...20 as ClosedRange<UInt64>)
  func asADictionarySays(seed: UInt64) {
    var numbers = RandomNumbers(seed: seed)
    var index = HashIndex()
    if numbers.chance(30) { index.reserveCapacity(numbers.number(0...500)) }
    var values: [Int] = []
    var expected: [Int: Int] = [:]
    func position(_ value: Int) -> Int? { index.position(hash: Self.hash(value)) { values[$0] == value } }
    for _ in 0..<1500 {
      let value = numbers.number(0...400)
      if let known = expected[value] {
        if numbers.chance(70) {
          index.remove(known, hash: Self.hash(value))
          expected[value] = nil
        }
      } else {
        index.insert(values.count, hash: Self.hash(value))
        expected[value] = values.count
        values.append(value)
      }
      #expect(position(value) == expected[value])
      #expect(index.count == expected.count)
      // Without an empty slot, a search for a missing element would not end.
      #expect(index.slotCount > index.count)
    }
    for value in 0...400 { #expect(position(value) == expected[value]) }
  }

  /// The table compares half of each hash. Among this many identities, several have equal halves.
  @Test func identitiesWithCollidingHashesStayDistinct() {
    var identities = ProtoIdentities()
    func identity(_ value: Int) -> ProtoIdentity { .key(scope: 0, .single(.integer(Int64(value)))) }
    let values = 0..<500_000
    let none = ProtoIndex(-1)
    #expect(values.allSatisfy { identities.proto(with: identity($0), orInsert: ProtoIndex($0)) == nil })
    #expect(values.allSatisfy { identities.proto(with: identity($0), orInsert: none) == ProtoIndex($0) })
    #expect(identities.proto(with: identity(-1), orInsert: none) == nil)
  }

  @Test func itGrowsByWhatIsThere() {
    var index = HashIndex()
    for position in 0..<10_000 { index.insert(position, hash: HashIndex.hash(UInt64(position))) }
    #expect(index.slotCount == 32_768)
    for position in 0..<10_000 {
      #expect(index.position(hash: HashIndex.hash(UInt64(position))) { $0 == position } == position)
    }
    for position in 1..<10_000 { index.remove(position, hash: HashIndex.hash(UInt64(position))) }
    #expect(index.count == 1)
    for position in 10_000..<40_000 {
      index.insert(position, hash: HashIndex.hash(UInt64(position)))
      index.remove(position, hash: HashIndex.hash(UInt64(position)))
    }
    #expect(index.slotCount <= 64)
    #expect(index.position(hash: HashIndex.hash(0)) { $0 == 0 } == 0)
  }

  @Test func reservedRoomIsEnough() {
    var index = HashIndex()
    index.reserveCapacity(1000)
    let slotCount = index.slotCount
    for position in 0..<1000 { index.insert(position, hash: HashIndex.hash(UInt64(position))) }
    #expect(index.slotCount == slotCount)
  }
}

/// Tests that compare the states of links with a dictionary.
struct LinkStatesTests {
  @Test(arguments: 1...20 as ClosedRange<UInt64>)
  func asADictionarySays(seed: UInt64) {
    func fields(_ state: LinkStates.State?) -> [Bool]? {
      state.map { [$0.isStored, $0.isThere, $0.isNoted] }
    }
    var numbers = RandomNumbers(seed: seed)
    func link() -> Link {
      Link(
        RelationshipIndex(numbers.number(0...3)), nil,
        owner: RecordID(tree: TreeIndex(numbers.number(0...1)), serial: Int64(numbers.number(1...8))),
        member: RecordID(tree: TreeIndex(numbers.number(0...1)), serial: Int64(numbers.number(1...8))))
    }
    var states = LinkStates()
    var expected: [Link: LinkStates.State] = [:]
    func state(_ link: Link) -> LinkStates.State? { states.position(of: link).map { states.states[$0] } }
    for _ in 0..<2000 {
      let link = link()
      #expect(fields(state(link)) == fields(expected[link]))
      guard numbers.chance(60) else { continue }
      let isThere = numbers.chance(50)
      if let position = states.position(of: link) {
        states.set(position, isThere: isThere)
        expected[link]?.isThere = isThere
        expected[link]?.isNoted = true
      } else {
        let new = LinkStates.State(
          isStored: numbers.chance(50), isThere: isThere, isNoted: numbers.chance(50))
        #expect(states.append(link, new) == expected.count)
        expected[link] = new
      }
      #expect(fields(state(link)) == fields(expected[link]))
    }
    for (link, known) in expected { #expect(fields(state(link)) == fields(known)) }
  }

  /// The relationship and the owner are hashed together, so that different links can have the same hash.
  @Test func linksWithEqualHashesStayDistinct() {
    let member = RecordID(tree: 0, serial: 1)
    let first = Link(1, nil, owner: RecordID(tree: 0, serial: 5), member: member)
    let second = Link(0, nil, owner: RecordID(tree: 0, serial: 1 << 32 | 5), member: member)
    #expect(LinkStates.hash(first) == LinkStates.hash(second))
    var states = LinkStates()
    #expect(states.append(first, LinkStates.State(isStored: false, isThere: true)) == 0)
    #expect(states.position(of: second) == nil)
    #expect(states.append(second, LinkStates.State(isStored: false, isThere: true)) == 1)
    #expect(states.position(of: first) == 0 && states.position(of: second) == 1)
  }
}
