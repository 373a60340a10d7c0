import JSONTree
package import RecordEngine
package import RecordModel
import ScenarioComparison
package import ScenarioFormat

/// The explanations of whole records.
extension Explainer: ExplanationSource {
  package func origin(of label: RecordLabel) -> Explanation.Fact? {
    if graphs[stepCount][label] == nil { return deletionFacts(of: label).first }
    return history(of: label, after: stepCount).last.map(originFact)
  }

  package func facts(on label: RecordLabel) -> [Explanation.Fact]? {
    guard let step = lastStep(of: label) else { return nil }
    let states = history(of: label, after: step)
    guard let last = states.last, schema.entity(states[0].record.entity) != nil else { return nil }
    var facts: [Explanation.Fact] = []
    if last.step == 0 || mentions(of: last.id, in: last.step).isEmpty { facts.append(originFact(of: last)) }
    for state in states.reversed() {
      for mention in mentions(of: state.id, in: state.step) { facts += mentionFacts(mention) }
    }
    return facts + deletionFacts(of: label)
  }

  package func property(_ name: PropertyName, of label: RecordLabel) -> Explanation? {
    property(name, of: label, after: nil)
  }

  /// Returns the explanation of a property of a record; nil if there is no such record or property.
  ///
  /// - Parameter step: the step after which the value is explained; nil for the last step that has the record.
  package func property(
    _ name: PropertyName, of label: RecordLabel, after step: Int?
  ) -> Explanation? {
    guard let step = step ?? lastStep(of: label) else { return nil }
    let states = history(of: label, after: step)
    guard let record = states.first?.record, let entity = schema.entity(record.entity) else { return nil }
    let facts: [Explanation.Fact]
    if let index = entity.attributeIndices[name] {
      facts = self.facts(on: entity.attributes[index], in: states)
    } else if let index = entity.relationshipIndices[name] {
      facts = self.facts(on: schema.relationships[index], in: states)
    } else {
      return nil
    }
    return Explanation(
      record: label, property: name, value: record.properties[name]?.goldenForm, facts: facts)
  }

  package func properties(of label: RecordLabel) -> [PropertyName] {
    lastStep(of: label).flatMap { graphs[$0][label] }.map { schema.propertyNames(of: $0.entity) } ?? []
  }

  // MARK: Facts

  /// Returns the fact about the record to which the items of a response belong.
  func recordFact(_ record: RecordProvenance, in mention: Mention) -> Explanation.Fact {
    var (text, rules) = findingText(record, in: mention)
    if !record.finding.isNew, let first = firstStep(of: record.record), first < mention.step {
      text += first == 0 ? ", from 'store' of the scenario" : ", created in step \(first)"
    }
    return fact("record", at: record.effectiveItem ?? record.items.first?.node, in: mention, text, rules)
  }

  /// Returns the fact about the origin of a record, in its first state.
  private func originFact(of state: State) -> Explanation.Fact {
    if let mention = mentions(of: state.id, in: state.step).first(where: { $0.record != nil }),
      let record = mention.record
    {
      var fact = recordFact(record, in: mention)
      fact.text = "\(text(of: mention)): \(fact.text)"
      return fact
    }
    var fact = Explanation.Fact(name: "record", text: "'store' of the scenario", step: state.step)
    if state.step == 0 {
      fact.position = seed(state.id).map { SourcePosition($0.span) }
    } else {
      let step = scenario.steps[state.step - 1]
      fact.text = "step \(state.step), \(step.kind.rawValue)"
      fact.position = SourcePosition(step.span)
    }
    return fact
  }

  /// Returns the fact that the items of a response have no value for an attribute of a sub-entity, because they are
  /// references or items of a parent entity.
  func parentItemFact(
    on attribute: SchemaAttribute, _ record: RecordProvenance, in mention: Mention
  ) -> Explanation.Fact {
    let isReference = record.items.allSatisfy { $0.role == .reference }
    let (text, rules) =
      isReference
      ? AttributeProvenance.Effect.notInReference.explanation(of: attribute)
      : ("the entity of the item has no '\(attribute.name)'", ["subentity.choose"])
    return fact(
      "then", at: record.effectiveItem, in: mention, "\(self.text(of: mention)): \(text)", rules)
  }

  /// Returns the fact that a cached response has answered a request for a record.
  func cachedFact(_ mention: Mention) -> Explanation.Fact {
    let source = filling(of: mention).map { "the cached response of step \($0)" } ?? "a cached response"
    let (text, rule): (String, String) =
      switch mention.response.served {
      case .revalidated: ("\(source), which the server confirmed, and which sets nothing", "cache.revalidate")
      case .stale: ("\(source), which is stale, and which sets nothing", "cache.stale-if-error")
      case .cache, .network: ("\(source), which sets nothing", "cache.hit")
      }
    return Explanation.Fact(
      name: "then", text: "\(self.text(of: mention)): \(text)", rules: [rule], step: mention.step)
  }

  private func mentionFacts(_ mention: Mention) -> [Explanation.Fact] {
    guard let record = mention.record else {
      var fact = cachedFact(mention)
      fact.name = "record"
      return [fact]
    }
    var origin = recordFact(record, in: mention)
    origin.text = "\(text(of: mention)): \(origin.text)"
    let shown = origin.pointer
    let others = record.items.filter { pointer(of: $0.node, in: mention) != shown }
    let facts = others.prefix(Self.limit).map { item in
      fact(
        "item", at: item.node, in: mention, text(of: item, among: record.items, in: mention), item.role.rules)
    }
    let rest = others.count - facts.count
    return [origin] + redirectFacts(mention) + facts
      + (rest > 0 ? [Explanation.Fact(name: "and", text: "\(rest) more items")] : [])
  }

  private func text(of item: ItemProvenance, among items: [ItemProvenance], in mention: Mention) -> String {
    switch item.role {
    case .effective: return "populates the record"
    case .merged: return "fills in what other items lack"
    case .mergedByHook: return "merged with the others by a hook"
    case .superseded: return "sets nothing, because another item wins"
    case .reference: return "refers to the record"
    case .repeated:
      let value = item.node.value
      let first = items.prefix(Self.limit).first { $0.role != .repeated && $0.node.value == value }
      return
        "repeats \(first.map { "the item at \(pointerText(of: $0.node, in: mention))" } ?? "another item")"
    }
  }

  private func findingText(
    _ record: RecordProvenance, in mention: Mention
  ) -> (text: String, rules: [String]) {
    let (key, keyRules) = keyText(record, in: mention)
    switch record.finding {
    case .fetched: return ("found by \(key)", ["population.fetch"] + keyRules)
    case .created:
      return (key.isEmpty ? "created" : "created with \(key)", ["population.create"] + keyRules)
    case .stub:
      let unread =
        record.effectiveItem.flatMap { unreadKeys(of: $0, record.entity, in: mention)?.notIgnored } ?? []
      let reason = unread.isEmpty ? "" : ", because no property reads the other keys of the item"
      return (
        "created as a stub with \(key)\(reason)",
        ["population.create", "relationships.key-reference"] + keyRules
      )
    case .detail: return ("the record of the request", ["request.detail"])
    case .onlyChild: return ("the stored child of \(key)", keyRules)
    case .matchingChild:
      return (
        "the stored child of \(key) that has the values of the item", ["identity.relationship-key.to-many"]
      )
    case .chosenChild:
      return ("the stored child of \(key) that the marshaler chose", ["customize.relationship-key"])
    }
  }

  private func keyText(
    _ record: RecordProvenance, in mention: Mention
  ) -> (text: String, rules: [String]) {
    switch record.key {
    case .attributes(let names):
      return (
        "the key \(names.map(\.rawValue).joined(separator: ", "))",
        [names.count > 1 ? "identity.composite" : "identity.attribute-key"]
      )
    case .computed(let name): return ("the computed key \(name)", ["customize.representation"])
    case .injected(let name): return ("the injected key \(name)", ["identity.injected"])
    case .parent(let parent, let name, let isNamed):
      let label = parent.map { labelText(of: $0, after: mention.step) } ?? "a record that is deleted"
      let isChild = !record.finding.isNew
      let text = isChild ? label : "the parent \(label)"
      return (isNamed ? "\(text), which '\(name)' names" : text, ["identity.relationship-key"])
    case .none: return ("", [])
    }
  }

  /// Returns the facts about the deletion of a record; empty if it exists after the last step.
  private func deletionFacts(of label: RecordLabel) -> [Explanation.Fact] {
    guard let step = lastStep(of: label), step < stepCount, let id = id(of: label, after: step) else {
      return []
    }
    return deletionFacts(of: id, after: step)
  }

  /// Returns the facts about the deletion of a record; empty if it exists after a step, or has another label then.
  func deletionFacts(of label: RecordLabel, until end: Int) -> [Explanation.Fact] {
    guard let last = lastStep(of: label, until: end), last < end, let id = id(of: label, after: last),
      self.label(of: id, after: end) == nil
    else { return [] }
    return deletionFacts(of: id, after: last)
  }

  private func deletionFacts(of id: RecordID, after step: Int) -> [Explanation.Fact] {
    let next = step + 1
    guard let (response, deletion) = deletion(of: id, in: next) else {
      let action = scenario.steps[next - 1]
      var fact = Explanation.Fact(name: "deleted", text: "step \(next), \(action.kind.rawValue)", step: next)
      fact.position = SourcePosition(action.span)
      return [fact]
    }
    let mention = Mention(step: next, response: response, record: nil)
    let by = text(of: mention)
    switch deletion.cause {
    case .tombstone(let node):
      return [
        fact(
          "deleted", at: node, in: mention, "\(by): the item marks it as deleted", ["orphans.tombstone"])
      ]
    case .orphan:
      return [
        Explanation.Fact(
          name: "deleted", text: "\(by): the response does not mention it", rules: ["population.orphans"],
          step: next)
      ]
    case .cascade(let owner, let name):
      let owner = labelText(of: owner, after: step)
      return [
        Explanation.Fact(
          name: "deleted", text: "\(by): with \(owner), by the delete rule of '\(name)'",
          rules: ["save.delete-rules"], step: next)
      ]
    case .deleteRule:
      return [
        Explanation.Fact(
          name: "deleted", text: "\(by): by a delete rule", rules: ["save.delete-rules"], step: next)
      ]
    }
  }
}

extension RecordProvenance {
  package func attribute(_ name: PropertyName) -> AttributeProvenance? {
    attributes.first { $0.name == name }
  }

  package func relationship(_ name: PropertyName) -> RelationshipProvenance? {
    relationships.first { $0.name == name }
  }

  /// The item from which the values are read; nil if a hook has created it.
  var effectiveItem: JSONNode? {
    let item = items.first { $0.role == .effective } ?? items.first { $0.role != .superseded } ?? items.first
    return item?.node
  }
}

extension RecordProvenance.Finding {
  package var isNew: Bool { self == .created || self == .stub }
}

extension ItemProvenance.Role {
  fileprivate var rules: [String] {
    switch self {
    case .effective: ["population.effective"]
    case .merged, .mergedByHook: ["merge.strategy"]
    case .superseded: ["merge.first-wins"]
    case .reference: ["relationships.key-reference"]
    case .repeated: ["merge.once"]
    }
  }
}
