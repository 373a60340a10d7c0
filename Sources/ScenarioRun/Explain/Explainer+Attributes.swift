import JSONTree
import RecordEngine
package import RecordModel
import ScenarioComparison
import ScenarioFormat

/// The explanation of an attribute.
extension Explainer {
  /// Returns the facts that led to the value of an attribute.
  ///
  /// - Parameter states: the states of the record, the latest first. There is at least one.
  package func facts(on attribute: SchemaAttribute, in states: [State]) -> [Explanation.Fact] {
    let change = change(of: attribute.name, in: states)
    let value = states[0].record.properties[attribute.name]
    var facts: [Explanation.Fact]
    var last = states[change].step
    if value == nil {
      (facts, last) = factsOnMissing(attribute, in: states, change)
    } else {
      facts = factsOnValue(attribute, in: states, change)
    }
    for state in states.prefix(while: { $0.step > last }).reversed() {
      for mention in mentions(of: state.id, in: state.step) {
        facts += laterFacts(on: attribute, keeping: value, mention)
      }
    }
    return facts
  }

  // MARK: Values

  private func factsOnValue(
    _ attribute: SchemaAttribute, in states: [State], _ change: Int
  ) -> [Explanation.Fact] {
    let state = states[change]
    let setting = mentions(of: state.id, in: state.step).last { mention in
      mention.record?.attribute(attribute.name).map(\.effect.setsValue) ?? false
    }
    if let setting, let record = setting.record, let provenance = record.attribute(attribute.name) {
      return settingFacts(setting) + facts(on: provenance, attribute, of: record, in: setting)
    }
    let created = mentions(of: state.id, in: state.step).last { $0.record?.finding.isNew ?? false }
    // A changed entity can have further attributes.
    let isFirst = change == states.count - 1 || states[change + 1].record.entity != state.record.entity
    if isFirst, attribute.isDefault(state.record.properties[attribute.name]),
      let created = created ?? mentions(of: state.id, in: state.step).last(where: { $0.record != nil }),
      let record = created.record
    {
      return [
        Explanation.Fact(
          name: "set by", text: "\(text(of: created)): the default value of the attribute",
          rules: ["values.default"], step: created.step)
      ] + defaultFacts(record, attribute.name, in: created) + [recordFact(record, in: created)]
    }
    let other = factsOnOtherChange(of: attribute.name, state)
    guard isResponse(state.step), let earlier = earlierSetting(of: attribute.name, state),
      let record = earlier.record,
      let provenance = record.attribute(attribute.name)
    else { return other }
    // The record was deleted without a save, and the deletion was undone.
    return other.map { fact in
      var fact = fact
      fact.name = "restored"
      return fact
    } + settingFacts(earlier)
      + facts(on: provenance, attribute, of: record, in: earlier)
  }

  /// Returns the last response before a step that has set an attribute of a record.
  private func earlierSetting(of name: PropertyName, _ state: State) -> Mention? {
    (1..<max(1, state.step)).reversed().lazy.compactMap { step in
      self.mentions(of: state.id, in: step).last {
        $0.record?.attribute(name).map(\.effect.setsValue) ?? false
      }
    }.first
  }

  /// Returns the reason why a new record has the default value of an attribute.
  private func defaultFacts(
    _ record: RecordProvenance, _ name: PropertyName, in mention: Mention
  ) -> [Explanation.Fact] {
    guard let provenance = record.attribute(name), provenance.effect == .absent else { return [] }
    return triedFacts(provenance.paths, record, in: mention)
  }

  private func facts(
    on provenance: AttributeProvenance, _ attribute: SchemaAttribute, of record: RecordProvenance,
    in mention: Mention
  ) -> [Explanation.Fact] {
    var facts: [Explanation.Fact] = []
    if case .injected(attribute.name) = record.key {
      let item = record.items.first?.node
      facts.append(
        fact("value", at: item, in: mention, "the key from the key injection hook", ["identity.injected"]))
    } else if case .computed(attribute.name) = record.key {
      let item = record.items.first?.node
      facts.append(
        fact("value", at: item, in: mention, "the key from the representation", ["customize.representation"]))
    } else if let value = provenance.value, provenance.effect != .setByMarshaler {
      facts.append(valueFact(value, provenance.effect, in: mention))
      if let path = value.path {
        facts.append(
          pathFact(path, among: provenance.paths, of: attribute.name, declared: attribute.paths, in: mention))
      }
      facts.append(typeFact(attribute, value))
    } else {
      let (text, rules) = provenance.effect.explanation(of: attribute)
      facts.append(fact("value", at: record.effectiveItem, in: mention, text, rules))
    }
    return facts + mergedFacts(provenance, record, in: mention) + [recordFact(record, in: mention)]
  }

  private func valueFact(
    _ value: ValueProvenance, _ effect: AttributeProvenance.Effect, in mention: Mention
  ) -> Explanation.Fact {
    let raw = ValueText.clipped(value.node.value.compactText())
    var rules: [String] = []
    var text = raw
    switch value.origin {
    case .item: break
    case .gathered: text = "gathers \(raw)"
    case .scalarItem: (text, rules) = ("\(raw), the item itself", ["response.scalar-item"])
    case .collectionKey: (text, rules) = ("\(raw), the key of the item", ["mapping.keyed-collection"])
    case .prePopulation: (text, rules) = ("\(raw), from the pre-population hook", ["population.hook"])
    case .mergedDictionary:
      (text, rules) = ("\(raw), from the merged dictionary of the hook", ["merge.strategy"])
    case .marshaler: (text, rules) = ("\(raw), from the marshaler", ["customize.attribute"])
    }
    if effect == .setToDefault { (text, rules) = ("null, which sets the default value", ["mapping.null"]) }
    return fact("value", at: value.position, in: mention, text, rules)
  }

  /// Returns the fact about the path that found the value of a property.
  ///
  /// - Parameters:
  ///   - paths: the paths that the response was read with.
  ///   - declared: the paths of the model, which a tweak file can replace.
  func pathFact(
    _ path: MappingPath, among paths: [MappingPath], of name: PropertyName, declared: [MappingPath],
    in mention: Mention
  ) -> Explanation.Fact {
    var rules: [String] = []
    var text = path.description
    if path.singleKey == name.rawValue {
      rules.append("mapping.name")
    } else {
      rules.append(path.isSingleKey ? "mapping.alternate-name" : "mapping.key-path")
    }
    if paths.count > 1 {
      text += ", the first present one of \(list(paths))"
      rules.append("mapping.first-match")
    }
    if paths != declared, mention.response.population.map({ !$0.schema.tweaks.isEmpty }) ?? false {
      text += ", from the tweak file"
      rules.append("tweaks.property")
    }
    return Explanation.Fact(name: "path", text: text, rules: rules)
  }

  private func typeFact(_ attribute: SchemaAttribute, _ value: ValueProvenance) -> Explanation.Fact {
    let kind = value.node.kind
    var text = attribute.type.rawValue
    if let transformer = attribute.transformer {
      text += ", converted by the transformer '\(transformer)'"
    } else if attribute.type == .date, attribute.dateFormat != nil {
      text += ", read with a date format"
    } else if !attribute.usualKinds.isEmpty, !attribute.usualKinds.contains(kind), kind != .null {
      text += ", converted from a \(kind.rawValue)"
    }
    return Explanation.Fact(name: "type", text: text, rules: [attribute.conversionRule])
  }

  private func mergedFacts(
    _ provenance: AttributeProvenance, _ record: RecordProvenance, in mention: Mention
  ) -> [Explanation.Fact] {
    let lost = provenance.superseded.map { (value: $0.node, position: $0.position) }
    return mergedFacts(of: provenance.value?.node, lost: lost, record, in: mention)
  }

  /// Returns the facts about the items of a record, if there are several full ones, and the values that were not used.
  ///
  /// - Parameters:
  ///   - used: the value that was used; nil if the effective item has none.
  ///   - lost: the values of the other items, with their positions.
  func mergedFacts(
    of used: JSONNode?, lost: [(value: JSONNode, position: JSONNode?)], _ record: RecordProvenance,
    in mention: Mention
  ) -> [Explanation.Fact] {
    let full = record.items.filter { $0.role != .reference }
    guard full.count > 1 else { return [] }
    let pointers = full.prefix(Self.limit).map { pointerText(of: $0.node, in: mention) }.joined(
      separator: ", ")
    let more = full.count > Self.limit ? " and \(full.count - Self.limit) more" : ""
    let (text, rules): (String, [String]) =
      if full.contains(where: { $0.role == .mergedByHook }) {
        ("a hook merged them", ["merge.strategy"])
      } else if full.contains(where: { $0.role == .merged }) {
        ("the first value that is not null wins", ["merge.strategy"])
      } else if full.contains(where: { $0.role == .superseded }) {
        ("the item with the most properties wins", ["merge.first-wins"])
      } else {
        ("they are equal", ["merge.once"])
      }
    let usedValue = lost.isEmpty ? nil : used?.value
    return [Explanation.Fact(name: "merged", text: "\(pointers)\(more): \(text)", rules: rules)]
      + lost.prefix(Self.limit).map { value, position in
        let isEqual = usedValue.map { $0 == value.value } ?? false
        return fact(
          isEqual ? "also" : "lost", at: position, in: mention, ValueText.clipped(value.value.compactText()))
      }
  }

  // MARK: Missing values

  /// Returns the facts about an attribute without a value, and the step that they are about.
  private func factsOnMissing(
    _ attribute: SchemaAttribute, in states: [State], _ change: Int
  ) -> ([Explanation.Fact], Int) {
    if let mention = tellingMention(of: attribute.name, in: states, change),
      let record = mention.record, let provenance = record.attribute(attribute.name)
    {
      let name = provenance.effect.clearsValue ? "set by" : "mentioned"
      var facts = settingFacts(mention, name: name)
      if [.absent, .notInReference].contains(provenance.effect) {
        facts += triedFacts(provenance.paths, record, in: mention)
      } else {
        let (text, rules) = provenance.effect.explanation(of: attribute)
        let node = provenance.value?.position ?? record.effectiveItem
        facts.append(fact("value", at: node, in: mention, valueText(provenance, text), rules))
      }
      facts += mergedFacts(provenance, record, in: mention)
      return (facts + [recordFact(record, in: mention)], mention.step)
    }
    return (factsOnOtherChange(of: attribute.name, states[change]), states[change].step)
  }

  /// Returns the response that tells most about an attribute without a value, of those since it has none: the last one
  /// with a value that sets nothing, or else with a similar key, or else with a full item. If a response has removed the
  /// value, returns this one. Nil if no response mentions the record, or if the value was removed in another way.
  private func tellingMention(of name: PropertyName, in states: [State], _ change: Int) -> Mention? {
    var best: (mention: Mention, rank: Int)?
    for (index, state) in states.enumerated().prefix(change + 1) {
      let hadValue = index == change && change < states.count - 1
      for mention in mentions(of: state.id, in: state.step).reversed() {
        guard let record = mention.record, let provenance = record.attribute(name) else { continue }
        if hadValue {
          if provenance.effect.clearsValue { return mention }
        } else {
          let rank = rank(of: provenance, record, in: mention)
          if rank > best?.rank ?? -1 { best = (mention, rank) }
        }
      }
    }
    return best?.mention
  }

  /// Returns a number that is greater the more a response tells about an attribute without a value.
  private func rank(of provenance: AttributeProvenance, _ record: RecordProvenance, in mention: Mention)
    -> Int
  {
    switch provenance.effect {
    case .unmodified: return 0
    case .absent, .notInReference:
      let near = record.effectiveItem.map { nearFacts(provenance.paths, $0, record.entity, in: mention) }
      if let near, !near.isEmpty { return 2 }
      return provenance.effect == .absent ? 1 : 0
    default: return 3
    }
  }

  /// Returns the raw value before a sentence about it, unless the value is a null or there is none.
  private func valueText(_ provenance: AttributeProvenance, _ sentence: String) -> String {
    guard let node = provenance.value?.node, !node.isNull else { return sentence }
    return "\(ValueText.clipped(node.value.compactText())) \(sentence)"
  }

  // MARK: Other changes

  /// Returns the facts about a value that no response has set.
  func factsOnOtherChange(of name: PropertyName, _ state: State) -> [Explanation.Fact] {
    if state.step == 0 {
      var fact = Explanation.Fact(name: "set by", text: "'store' of the scenario", step: 0)
      if let seed = seed(state.id) {
        let property = seed.properties.first { $0.name == name }
        fact.position = SourcePosition(property?.span ?? seed.span)
        if property == nil {
          let isSet = state.record.properties[name] != nil
          fact.text = isSet ? "'store' does not set it" : "'store' sets no value"
        }
      }
      return [fact]
    }
    let step = scenario.steps[state.step - 1]
    let text = firstResponse(of: state.step).map { self.text(of: $0, in: state.step) }
    var fact = Explanation.Fact(
      name: "set by", text: text ?? "step \(state.step), \(step.kind.rawValue)", step: state.step)
    fact.position = SourcePosition(step.span)
    return [fact]
  }

  /// Returns what a later response did to an attribute, and near keys if the response has no value for it.
  ///
  /// - Parameter value: the value of the attribute, which the response did not change.
  private func laterFacts(
    on attribute: SchemaAttribute, keeping value: PropertySnapshot?, _ mention: Mention
  ) -> [Explanation.Fact] {
    guard let record = mention.record else { return [cachedFact(mention)] }
    guard let provenance = record.attribute(attribute.name) else {
      return [parentItemFact(on: attribute, record, in: mention)]
    }
    let node = provenance.value?.position ?? record.effectiveItem ?? record.items.first?.node
    var (text, rules) = provenance.effect.explanation(of: attribute)
    if [.set, .identified, .setToDefault].contains(provenance.effect) {
      let isSame =
        provenance.convertedValue(of: attribute).map { .attribute($0, attribute.type) == value } ?? true
      (text, rules) = isSame ? ("the same value", []) : ("the unsaved change stays", ["context.conflict"])
    }
    let later = fact("then", at: node, in: mention, "\(self.text(of: mention)): \(text)", rules)
    guard provenance.effect == .absent, let item = record.effectiveItem else { return [later] }
    return [later] + nearFacts(provenance.paths, item, record.entity, in: mention)
  }

  private func list(_ paths: [MappingPath]) -> String { paths.map(\.description).joined(separator: ", ") }

  func pointerText(of node: JSONNode, in mention: Mention) -> String {
    pointer(of: node, in: mention).place
  }
}

extension AttributeProvenance {
  /// Returns the value that was set; nil if a transformer determined it.
  fileprivate func convertedValue(of attribute: SchemaAttribute) -> AttributeValue? {
    guard effect == .set, attribute.transformer == nil, let node = value?.node else { return nil }
    return AttributeValue(converting: node, to: attribute.type, dateFormat: attribute.dateFormat)
  }
}

extension AttributeProvenance.Effect {
  /// A Boolean value that indicates whether the attribute has a value because of the response.
  var setsValue: Bool {
    switch self {
    case .identified, .set, .setToDefault, .setToDictionary, .setByMarshaler: true
    default: false
    }
  }

  /// A Boolean value that indicates whether the response may have removed the value of the attribute.
  var clearsValue: Bool { self == .cleared || self == .setByMarshaler }

  /// Returns a sentence about the effect, and its rules.
  package func explanation(of attribute: SchemaAttribute) -> (text: String, rules: [String]) {
    switch self {
    case .identified: ("part of the key of the record", ["identity.attribute-key"])
    case .set: ("set", [attribute.conversionRule])
    case .cleared: ("null clears the attribute", ["mapping.null"])
    case .setToDefault: ("null sets the default value", ["mapping.null"])
    case .keptOverNull: ("null changes nothing, because of 'null: keep'", ["mapping.null"])
    case .nullForRequired:
      ("null changes nothing, because the attribute is required and has no default value", ["mapping.null"])
    case .unconvertible: ("cannot be converted to \(attribute.type.rawValue)", [attribute.conversionRule])
    case .unusedKey:
      (
        "not used, because the item has no valid key and counts as the requested record", ["request.detail"]
      )
    case .absent: ("not in the item", ["mapping.missing"])
    case .notInReference: ("only a reference, which carries no values", ["merge.across"])
    case .unmodified: ("not newer than the stored record, so it changes nothing", ["merge.unmodified"])
    case .setToDictionary: ("the dictionary of the item", ["dynamic.store"])
    case .setByMarshaler: ("the marshaler set it", ["customize.attribute", "customize.around"])
    case .leftByMarshaler: ("the marshaler left it unchanged", ["customize.attribute"])
    case .refusedFromMarshaler:
      ("the marshaler returned a value that is not \(attribute.type.rawValue)", ["customize.attribute"])
    }
  }
}

extension SchemaAttribute {
  fileprivate func isDefault(_ property: PropertySnapshot?) -> Bool {
    if case .attribute(let value, _)? = property { value == defaultValue } else { false }
  }

  /// The rule for the conversion of values to the type of the attribute.
  var conversionRule: String {
    switch type {
    case .int16, .int32, .int64: "values.integer"
    case .date: kindsOfDates.contains(.number) ? "values.date.unix" : "values.date.format"
    case .float, .double, .decimal, .boolean, .string, .binary, .uuid, .uri, .transformable:
      "values.\(type.rawValue)"
    }
  }

  /// The kinds of values that need no conversion; empty if all kinds are usual.
  var usualKinds: [JSONKind] {
    switch type {
    case .int16, .int32, .int64, .float, .double, .decimal: [.number]
    case .boolean: [.boolean]
    case .date: kindsOfDates
    case .string, .binary, .uuid, .uri: [.string]
    case .transformable: []
    }
  }
}
