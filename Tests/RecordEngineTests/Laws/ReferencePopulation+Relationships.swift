import JSONTree
import RecordEngine
import RecordModel

/// The population of relationships. Rules: `population.relationships`, `relationships.*`.
extension ReferencePopulation {
  /// A record's statement about one of its relationships.
  struct Statement {
    var owner: Int
    var relationship: RelationshipDescription
    /// The members, or nil for a null that clears the relationship.
    var members: [Int]?
    /// The stored records of tombstones that the statement links to.
    var gone: [Int] = []
    /// The position in the response.
    var number: Int
    var isDeep: Bool
    /// A Boolean value that indicates whether the statement is a list that replaces all members.
    var replaces = false
  }

  mutating func setRelationships(_ reachable: [Int]) {
    let statements = statements(reachable)
    noteConflicts(statements)
    let toOnes = statements.filter { !$0.relationship.isToMany }
    let lists = statements.filter { $0.relationship.isToMany }
    for statement in toOnes where statement.members == nil && statement.gone.isEmpty {
      for member in graph.members(statement.owner, statement.relationship.name) {
        graph.unlink(statement.owner, statement.relationship, member)
      }
    }
    // Links to tombstones may protect their records, and give way to all other statements.
    for statement in statements {
      for member in statement.gone { graph.link(statement.owner, statement.relationship, member) }
    }
    let gone = Set(protos.filter(\.isGone).compactMap(\.record))
    var counted: [(owner: Int, relationship: RelationshipDescription, member: Int)] = []
    for list in lists where list.replaces {
      for member in graph.members(list.owner, list.relationship.name)
      where !(list.members ?? []).contains(member) && !gone.contains(member)
        && !names(member, list, statements)
      {
        if let inverse = model.inverse(list.relationship) {
          if inverse.isToMany, !inverse.isOptional || inverse.minCount > 0 {
            counted.append((list.owner, list.relationship, member))
            continue
          }
          if !inverse.isToMany, !inverse.isOptional, !hasNewOwner(member, list, statements) {
            outcome.codes.insert(.requiredOwner)
            continue
          }
        }
        graph.unlink(list.owner, list.relationship, member)
      }
    }
    for list in lists {
      for member in list.members ?? [] where !saysOtherwise(member, list, statements) {
        graph.link(list.owner, list.relationship, member)
      }
    }
    for statement in toOnes {
      for member in statement.members ?? [] { graph.link(statement.owner, statement.relationship, member) }
    }
    removeCounted(counted)
    for list in lists where list.relationship.isOrdered && list.replaces {
      let present = graph.members(list.owner, list.relationship.name)
      let named = (list.members ?? []).filter { present.contains($0) }
      graph.records[list.owner]?.links[list.relationship.name] =
        named + present.filter { !named.contains($0) }
    }
  }

  /// Removes members that lists omit, youngest owners first, as long as the other side keeps enough owners.
  mutating func removeCounted(_ leaving: [(owner: Int, relationship: RelationshipDescription, member: Int)]) {
    for (owner, relationship, member) in leaving.sorted(by: { $0.owner > $1.owner }) {
      guard let inverse = model.inverse(relationship), graph.members(member, inverse.name).contains(owner)
      else { continue }
      // All removals from a member are evaluated together, so that only the last few can be refused.
      let others = leaving.filter {
        $0.member == member && $0.relationship.name == relationship.name && $0.owner < owner
          && graph.members(member, inverse.name).contains($0.owner)
      }
      let least = max(inverse.minCount, inverse.isOptional ? 0 : 1)
      let rest = graph.members(member, inverse.name).count - 1 - others.count
      let needed = rest == 0 && inverse.isOptional ? 0 : max(0, least - rest)
      if needed > others.count, !graph.mayBeEmpty(member, isStored: true) {
        outcome.codes.insert(.requiredOwner)
      } else {
        graph.unlink(owner, relationship, member)
      }
    }
  }

  /// Returns a Boolean value that indicates whether the response gives a member another owner.
  /// Rule: `relationships.replace`.
  func hasNewOwner(_ member: Int, _ list: Statement, _ statements: [Statement]) -> Bool {
    statements.contains {
      guard let members = $0.members else { return false }
      return $0.owner == member && $0.relationship.name == list.relationship.inverse
        || $0.relationship.name == list.relationship.name && members.contains(member)
    }
  }

  /// Returns the statements in the order of the response.
  mutating func statements(_ reachable: [Int]) -> [Statement] {
    var statements: [Statement] = []
    for proto in reachable.map({ protos[$0] }) where !proto.isGone {
      guard let owner = proto.record else { continue }
      for relationship in model.relationships(proto.entity) {
        var statement = Statement(
          owner: owner, relationship: relationship, members: nil, number: proto.effective[0].number,
          isDeep: proto.effective.count > 1)
        if relationship.name == model.keyRelationship(proto.entity)?.name, let parent = proto.parent {
          guard let member = linkable(parent, relationship) else {
            // A child whose parent has another entity is created again by each response.
            outcome.hasKeyless = true
            continue
          }
          statement.members = [member]
        } else if let children = children(proto, relationship) {
          if children.isNull {
            if model.null(relationship.null, proto.entity) == .keep { continue }
          } else {
            var members: [Int] = []
            for child in children.linked {
              if let record = protos[child].isGone ? goneRecord(child, relationship, proto.entity) : nil {
                statement.gone.append(record)
              }
              guard let member = linkable(child, relationship), !members.contains(member) else { continue }
              members.append(member)
            }
            if relationship.isToMany || !members.isEmpty {
              statement.members = members
            } else if !protos[children.linked[0]].isGone {
              continue
            }
            statement.replaces = relationship.assignment == .replace && !children.isPartial
          }
        } else {
          continue
        }
        statements.append(statement)
      }
    }
    return statements.sorted { $0.number < $1.number }
  }

  mutating func linkable(_ child: Int, _ relationship: RelationshipDescription) -> Int? {
    if protos[child].isGone { return nil }
    guard let member = protos[child].record, let record = graph.records[member] else {
      outcome.codes.insert(relationship.stubs == .never ? .missingReference : .noEntity)
      return nil
    }
    guard model.isKind(record.entity, of: relationship.destination) else {
      outcome.codes.insert(.entityMismatch)
      return nil
    }
    return member
  }

  /// Returns the record of a tombstone, unless it is the parent that is the key.
  func goneRecord(_ child: Int, _ relationship: RelationshipDescription, _ owner: EntityName) -> Int? {
    guard relationship.name != model.keyRelationship(owner)?.name, let number = protos[child].record,
      let record = graph.records[number], model.isKind(record.entity, of: relationship.destination)
    else { return nil }
    return number
  }

  /// Returns a Boolean value that indicates whether a member itself names the owner of a list.
  /// Rule: `relationships.replace`.
  func names(_ member: Int, _ list: Statement, _ statements: [Statement]) -> Bool {
    statements.contains {
      $0.owner == member && $0.relationship.name == list.relationship.inverse
        && ($0.members ?? []).contains(list.owner)
    }
  }

  /// Returns a Boolean value that indicates whether a member itself names another owner. A null does not count.
  /// Rule: `relationships.conflict`.
  func saysOtherwise(_ member: Int, _ list: Statement, _ statements: [Statement]) -> Bool {
    statements.contains {
      $0.owner == member && $0.relationship.name == list.relationship.inverse && !$0.relationship.isToMany
        && $0.members != nil && !($0.members ?? []).contains(list.owner)
    }
  }

  /// Records conflicting claims of one member, and relationships whose order the rules do not define.
  mutating func noteConflicts(_ statements: [Statement]) {
    for statement in statements {
      guard let inverse = model.inverse(statement.relationship) else { continue }
      // Lists on both sides can add members. The rules do not define which are added first.
      if inverse.isOrdered { outcome.unordered.insert(inverse.name) }
      guard !inverse.isToMany else { continue }
      let fromOtherSide = statements.filter { $0.relationship.name == inverse.name && $0.members != nil }
      for member in statement.members ?? [] {
        var others = statements.filter {
          $0.relationship.name == statement.relationship.name && $0.owner != statement.owner
            && ($0.members ?? []).contains(member)
        }
        if statement.relationship.isToMany {
          // The member's own statement takes precedence, without a conflict.
          if fromOtherSide.contains(where: { $0.owner == member }) { continue }
        } else {
          others += fromOtherSide.filter {
            let namesOwner = ($0.members ?? []).contains(statement.owner)
            return $0.owner == member ? !namesOwner : namesOwner
          }
        }
        guard !others.isEmpty else { continue }
        outcome.codes.insert(.inconsistentLinks)
        outcome.unordered.insert(statement.relationship.name)
        if statement.isDeep || others.contains(where: \.isDeep) {
          outcome.openQuestion = "where in the response a merged statement stands"
        }
      }
    }
  }
}
