import JSONTree
import RecordModel

/// A recorder of facts that the phases of a population do not pass on. It exists only if the provenance of the records
/// was asked for; see ``PopulationOptions/recordsProvenance``.
///
/// ``provenance(of:_:)`` derives everything else from the result of the phases.
final class ProvenanceRecorder {
  /// The items of the response with their protos.
  private(set) var roots: [(node: JSONNode, proto: ProtoIndex)] = []
  /// The first appearance of each proto with several appearances.
  private var firsts: [ProtoIndex: Appearance] = [:]
  /// For each proto with several appearances, those after the first.
  private var others: [ProtoIndex: [Appearance]] = [:]
  /// The protos whose stored records are at least as new.
  private(set) var unmodified: Set<ProtoIndex> = []
  /// The protos whose children a marshaler has chosen.
  private(set) var chosenChildren: Set<ProtoIndex> = []
  /// The decisions of marshalers about attributes.
  private(set) var decisions: [ProtoIndex: [AttributeIndex: AttributeDecision]] = [:]
  /// The attributes that marshalers have set before and after the values of the response were set.
  private var setBefore: [RecordID: Set<PropertyName>] = [:]
  private var setAfter: [RecordID: Set<PropertyName>] = [:]
  /// The orphans to be deleted.
  private(set) var orphans: Set<RecordID> = []
  /// A Boolean value that indicates whether the values of the response have been set.
  var hasSetAttributes = false

  func noteRoot(_ item: Item, _ proto: ProtoIndex) { roots.append((item.node, proto)) }

  /// Removes the items of the response, before they are read again.
  func removeRoots() { roots = [] }

  /// Notes the appearances of a proto whose duplicates are settled.
  ///
  /// - Parameters:
  ///   - effective: the effective appearance so far: the first one, until they are settled for the first time.
  ///   - others: all appearances after the first.
  func noteDuplicates(_ effective: Appearance, _ others: [Appearance], of proto: ProtoIndex) {
    if firsts[proto] == nil { firsts[proto] = effective }
    self.others[proto] = others
  }

  func noteUnmodified(_ proto: ProtoIndex) { unmodified.insert(proto) }

  func noteChosenChild(_ proto: ProtoIndex) { chosenChildren.insert(proto) }

  func note(_ decision: AttributeDecision, about attribute: AttributeIndex, of proto: ProtoIndex) {
    decisions[proto, default: [:]][attribute] = decision
  }

  /// Notes the attributes that a marshaler has set directly.
  func noteSetByMarshaler(_ names: [PropertyName], of record: RecordID) {
    if hasSetAttributes {
      setAfter[record, default: []].formUnion(names)
    } else {
      setBefore[record, default: []].formUnion(names)
    }
  }

  func noteOrphans(_ records: [RecordID]) { orphans.formUnion(records) }

  // MARK: Reading

  /// Returns the appearances of a proto in the order of the response, without exact repetitions of the first.
  func appearances(of index: ProtoIndex, _ proto: ProtoRecord) -> [Appearance] {
    guard let first = firsts[index] else { return [proto.effective] }
    return ([first] + (others[index] ?? [])).sorted { $0.order < $1.order }
  }

  /// Returns a Boolean value that indicates whether an attribute has the value that a marshaler has set directly.
  ///
  /// - Parameter isSetByItem: a Boolean value that indicates whether the item has set the attribute in between.
  func isSetByMarshaler(_ name: PropertyName, of record: RecordID, isSetByItem: Bool) -> Bool {
    if setAfter[record]?.contains(name) ?? false { return true }
    return !isSetByItem && setBefore[record]?.contains(name) ?? false
  }
}
