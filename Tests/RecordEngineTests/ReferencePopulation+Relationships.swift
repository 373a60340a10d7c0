import JSONTree
import RecordEngine
import RecordModel

/// Relationships are set. Rules: `population.relationships`, `relationships.*`.
extension ReferencePopulation {
  /// What one record says of one of its relationships.
  struct Statement {
    var owner: Int
    var relationship: RelationshipDescription
    /// Nil: a null that clears.
    var members: [Int]?
    /// Where in the response it stands.
    var number: Int
    var isDeep: Bool
  }

  mutating func setRelationships(_ reachable: [Int]) {
    let statements = statements(reachable)
    noteConflicts(statements)
    let toOnes = statements.filter { !$0.relationship.isToMany }
    let lists = statements.filter { $0.relationship.isToMany }
    for statement in toOnes where statement.members == nil {
      for member in graph.members(statement.owner, statement.relationship.name) {
        graph.unlink(statement.owner, statement.relationship, member)
      }
    }
    for list in lists where list.relationship.assignment == .replace {
      for member in graph.members(list.owner, list.relationship.name)
      where !(list.members ?? []).contains(member) && !names(member, list, statements) {
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
    for list in lists where list.relationship.isOrdered && list.relationship.assignment == .replace {
      let present = graph.members(list.owner, list.relationship.name)
      let named = (list.members ?? []).filter { present.contains($0) }
      graph.records[list.owner]?.links[list.relationship.name] =
        named + present.filter { !named.contains($0) }
    }
  }

  /// In the order of the response.
  mutating func statements(_ reachable: [Int]) -> [Statement] {
    var statements: [Statement] = []
    for proto in reachable.map({ protos[$0] }) {
      guard let owner = proto.record else { continue }
      for relationship in model.relationships(proto.entity) {
        var statement = Statement(
          owner: owner, relationship: relationship, members: nil, number: proto.effective[0].number,
          isDeep: proto.effective.count > 1)
        if relationship.name == model.keyRelationship(proto.entity)?.name {
          guard let parent = proto.parent else { continue }
          guard let member = linkable(parent, relationship) else {
            outcome.hasKeyless = true
            outcome.openQuestion =
              "what a child is whose parent, named by key alone, is no record that may be it"
            continue
          }
          statement.members = [member]
        } else if let children = children(proto, relationship) {
          if children.isNull {
            if model.null(relationship.null, proto.entity) == .keep { continue }
          } else {
            var members: [Int] = []
            for child in children.linked {
              guard let member = linkable(child, relationship), !members.contains(member) else { continue }
              members.append(member)
            }
            if !relationship.isToMany, members.isEmpty { continue }
            statement.members = members
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
    guard let member = protos[child].record, let record = graph.records[member] else {
      outcome.codes.insert(.noEntity)
      return nil
    }
    guard model.isKind(record.entity, of: relationship.destination) else {
      outcome.codes.insert(.entityMismatch)
      return nil
    }
    return member
  }

  /// Whether a member names the owner of a list itself. Rule: `relationships.replace`.
  func names(_ member: Int, _ list: Statement, _ statements: [Statement]) -> Bool {
    statements.contains {
      $0.owner == member && $0.relationship.name == list.relationship.inverse
        && ($0.members ?? []).contains(list.owner)
    }
  }

  /// Whether a member states another owner itself; a null is none. Rule: `relationships.conflict`.
  func saysOtherwise(_ member: Int, _ list: Statement, _ statements: [Statement]) -> Bool {
    statements.contains {
      $0.owner == member && $0.relationship.name == list.relationship.inverse && !$0.relationship.isToMany
        && $0.members != nil && !($0.members ?? []).contains(list.owner)
    }
  }

  /// Two claims of one record, which are reported, and orders that the rules leave open.
  mutating func noteConflicts(_ statements: [Statement]) {
    for statement in statements {
      guard let inverse = model.inverse(statement.relationship) else { continue }
      // Members arrive through lists of both sides; the rules do not say which arrive first.
      if inverse.isOrdered { outcome.unordered.insert(inverse.name) }
      guard !inverse.isToMany else { continue }
      let fromOtherSide = statements.filter { $0.relationship.name == inverse.name && $0.members != nil }
      for member in statement.members ?? [] {
        var others = statements.filter {
          $0.relationship.name == statement.relationship.name && $0.owner != statement.owner
            && ($0.members ?? []).contains(member)
        }
        if statement.relationship.isToMany {
          // What the member says itself decides, and is no conflict.
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
