import JSONTree
import RecordEngine
package import RecordModel
import ScenarioComparison
import ScenarioFormat

/// The explanation of a relationship.
extension Explainer {
  /// Returns the facts that led to the content of a relationship.
  ///
  /// - Parameter states: the states of the record, the latest first. There is at least one.
  package func facts(on relationship: SchemaRelationship, in states: [State]) -> [Explanation.Fact] {
    let isEmpty = states[0].record.properties[relationship.name] == nil
    let change = change(of: relationship.name, in: states)
    // An empty relationship is explained by the last response that mentions the record.
    let candidates = isEmpty ? Array(states.indices.prefix(change + 1)) : [change]
    for index in candidates {
      let state = states[index]
      let stating = mentions(of: state.id, in: state.step).filter { $0.record != nil }
      let mention =
        stating.last { $0.record?.relationship(relationship.name) != nil } ?? (isEmpty ? stating.last : nil)
      guard let mention, let record = mention.record else { continue }
      let name = isEmpty && record.relationship(relationship.name) == nil ? "mentioned" : "set by"
      return settingFacts(mention, name: name)
        + facts(on: relationship, record, state, in: mention) + leftFacts(relationship, in: states, change)
        + [recordFact(record, in: mention)]
        + laterFacts(on: relationship, in: states, after: state.step)
    }
    let others = otherStatements(on: relationship, states[change])
    return (others.isEmpty ? factsOnOtherChange(of: relationship.name, states[change]) : others)
      + leftFacts(relationship, in: states, change)
  }

  /// Returns facts about the records that a relationship has lost by its last change.
  private func leftFacts(
    _ relationship: SchemaRelationship, in states: [State], _ change: Int
  ) -> [Explanation.Fact] {
    guard change < states.count - 1 else { return [] }
    let (state, earlier) = (states[change], states[change + 1])
    func ids(_ state: State) -> [RecordID] {
      let links = state.record.properties[relationship.name]?.links ?? []
      return links.compactMap { id(of: $0, after: state.step) }
    }
    let present = Set(ids(state))
    let left = ids(earlier).filter { !present.contains($0) }
    let inverse = relationship.inverse.map { schema.relationships[$0].name }
    return left.prefix(Self.limit).map { id in
      guard let label = label(of: id, after: state.step) else {
        let former = label(of: id, after: earlier.step)?.rawValue ?? "a record"
        return Explanation.Fact(name: "left", text: "\(former), which is deleted", step: state.step)
      }
      guard let inverse,
        let mention = mentions(of: id, in: state.step).last(where: { $0.record?.relationship(inverse) != nil }
        ),
        let provenance = mention.record?.relationship(inverse)
      else { return Explanation.Fact(name: "left", text: label.rawValue, step: state.step) }
      let text =
        provenance.isNull ? "'\(inverse)' of \(label) is null" : "'\(inverse)' of \(label) leads elsewhere"
      return fact(
        "left", at: provenance.position ?? mention.record?.effectiveItem, in: mention, text,
        ["relationships.inverse"])
    } + rest(left.count, "records")
  }

  private func facts(
    on relationship: SchemaRelationship, _ record: RecordProvenance, _ state: State, in mention: Mention
  ) -> [Explanation.Fact] {
    guard let provenance = record.relationship(relationship.name) else {
      return
        (skippedFact(relationship, record, in: mention).map { [$0] }
        ?? triedFacts(relationship.paths, record, in: mention))
        + mergedFacts(relationship.paths, nil, record, in: mention)
    }
    var facts: [Explanation.Fact] = []
    if provenance.isNull {
      facts.append(fact("value", at: provenance.position, in: mention, "null", ["mapping.null"]))
    }
    if let parent = provenance.parent {
      let label = labelText(of: parent, after: state.step)
      let isNamed = if case .parent(_, _, isNamed: true) = record.key { true } else { false }
      facts.append(
        fact(
          "parent", at: record.effectiveItem, in: mention,
          isNamed ? "the item names \(label)" : "the item is nested in that of \(label)",
          ["relationships.key-is-parent"]))
    }
    if provenance.links.isEmpty, provenance.parent == nil, let position = provenance.position,
      !provenance.isNull
    {
      facts.append(fact("value", at: position, in: mention, ValueText.clipped(position.value.compactText())))
    }
    let rule = relationship.isToMany ? "relationships.to-many" : "relationships.to-one"
    for link in provenance.links.prefix(Self.limit) {
      let isReference = link.position.map { $0.kind != .object } ?? false
      let text =
        link.record.map { "leads to \(labelText(of: $0, after: state.step))" } ?? "leads to no record"
      facts.append(
        fact(
          relationship.isToMany ? "member" : "link", at: link.position, in: mention, text,
          isReference ? ["relationships.key-reference"] : [rule]))
    }
    facts += rest(provenance.links.count, "members")
    if let path = provenance.path {
      var fact = pathFact(
        path, among: provenance.paths, of: relationship.name, declared: relationship.paths, in: mention)
      // The position of the array, which contains all members.
      if relationship.isToMany, let position = provenance.position {
        fact.pointer = pointer(of: position, in: mention)
        fact.position = self.position(of: position, at: fact.pointer, in: mention)
      }
      facts.append(fact)
    }
    facts += mergedFacts(provenance.paths, provenance.position, record, in: mention)
    for inverse in provenance.inverses.prefix(Self.limit) {
      let owner = labelText(of: inverse.owner, after: state.step)
      facts.append(
        fact(
          "inverse", at: inverse.position, in: mention, "'\(inverse.name)' of \(owner) leads here",
          ["relationships.inverse"]))
    }
    return facts + rest(provenance.inverses.count, "records")
  }

  /// Returns the fact that an item has a value for a relationship, and that the value was skipped; nil if it has none.
  private func skippedFact(
    _ relationship: SchemaRelationship, _ record: RecordProvenance, in mention: Mention
  ) -> Explanation.Fact? {
    guard let item = record.effectiveItem, item.kind == .object,
      let value = relationship.paths.lazy.compactMap({ $0.find(in: item) }).first
    else { return nil }
    let node = if case .node(let node) = value { node } else { item }
    let mayBeAbstract = schema.kinds(of: relationship.destination).contains {
      schema.entities[$0].isAbstract
    }
    let rules: [String] =
      if ![.array, .object].contains(node.kind) {
        ["response.invalid-item"]
      } else if node.kind == .object, mayBeAbstract,
        // A marshaler may have skipped the value.
        scenario.customizations.isEmpty
      {
        ["subentity.abstract"]
      } else {
        []
      }
    return fact(
      "value", at: node, in: mention,
      "\(ValueText.clipped(value.node.value.compactText())), which was skipped", rules)
  }

  /// Returns the facts about the items of a record, if there are several full ones, and the references of those that
  /// were not used.
  private func mergedFacts(
    _ paths: [MappingPath], _ used: JSONNode?, _ record: RecordProvenance, in mention: Mention
  ) -> [Explanation.Fact] {
    mergedFacts(of: used, lost: record.supersededValues(at: paths), record, in: mention)
  }

  private func rest(_ count: Int, _ word: String) -> [Explanation.Fact] {
    count > Self.limit ? [Explanation.Fact(name: "and", text: "\(count - Self.limit) more \(word)")] : []
  }

  /// Returns facts about responses that do not mention a record, but whose records lead to it or have left it.
  private func otherStatements(on relationship: SchemaRelationship, _ state: State) -> [Explanation.Fact] {
    guard state.step > 0, let inverse = relationship.inverse else { return [] }
    let name = schema.relationships[inverse].name
    for member in (state.record.properties[relationship.name]?.links ?? []).prefix(Self.limit) {
      guard let id = id(of: member, after: state.step),
        let mention = mentions(of: id, in: state.step).last(where: { $0.record?.relationship(name) != nil }),
        let provenance = mention.record?.relationship(name)
      else { continue }
      let node = provenance.links.first { $0.record == state.id }?.position ?? provenance.position
      return settingFacts(mention) + [
        fact(
          "inverse", at: node, in: mention, "'\(name)' of \(member) leads here", ["relationships.inverse"])
      ]
    }
    return []
  }

  private func laterFacts(
    on relationship: SchemaRelationship, in states: [State], after step: Int
  ) -> [Explanation.Fact] {
    states.prefix { $0.step > step }.reversed().flatMap { state in
      mentions(of: state.id, in: state.step).compactMap { mention in
        guard let record = mention.record else { return cachedFact(mention) }
        guard let provenance = record.relationship(relationship.name) else { return nil }
        return fact(
          "then", at: provenance.position ?? record.effectiveItem, in: mention,
          "\(text(of: mention)): the same content")
      }
    }
  }

  func labelText(of id: RecordID, after step: Int) -> String {
    label(of: id, after: step)?.rawValue ?? "a record that is deleted"
  }
}

extension RecordProvenance {
  /// Returns the values of the items that were not used, with their positions. The number is limited.
  func supersededValues(at paths: [MappingPath]) -> [(value: JSONNode, position: JSONNode?)] {
    let values = items.lazy.filter { $0.role == .superseded }.compactMap {
      item -> (value: JSONNode, position: JSONNode?)? in
      switch paths.lazy.compactMap({ $0.find(in: item.node) }).first {
      case .node(let node): (node, node)
      case .some(let gathered): (gathered.node, item.node)
      case nil: nil
      }
    }
    return Array(values.prefix(Explainer.limit))
  }
}
