import RecordModel

/// The reader of one entity in a YAML model, or in the overlay of a model file.
struct EntityReader {
  enum Mode {
    /// An entity that is declared here.
    case declaration
    /// An entity that a model file declares and that is overlaid here. The overlay cannot add properties.
    case overlay
  }

  let findings: Findings
  let mode: Mode

  /// The names of keys in other tools.
  private static let otherNames = [
    "key": ["primaryKey"], "id": ["primaryKey"], "identifier": ["primaryKey"], "primary": ["primaryKey"],
    "keypath": ["responseKeyPath"], "path": ["responseKeyPath"], "root": ["responseKeyPath"],
    "properties": ["attributes", "relationships"], "fields": ["attributes"], "columns": ["attributes"],
    "extends": ["parent"], "inherits": ["parent"], "super": ["parent"], "isabstract": ["abstract"],
    "uniquenessconstraints": ["primaryKey"], "unique": ["primaryKey"], "rootkeypath": ["responseKeyPath"],
    "ignored": ["ignores"], "url": ["detailURN"], "urn": ["detailURN"], "nulls": ["null"],
  ]

  /// The advice for keys that authors may expect.
  private static let hints = [
    "required": "write 'optional: false' in each of these attributes: {type: string, optional: false}"
  ]

  /// Returns the unknown keys of an entity that look like entities, because they are indented too far.
  static func nestedEntities(in pair: YAMLPair) -> [String] {
    (pair.value.pairs ?? []).filter { pair in
      !FormatMapping.entity.keyNames.contains(pair.key) && isEntity(pair.value)
    }.map(\.key)
  }

  /// Returns a Boolean value that indicates whether a mapping looks like the declaration of an entity.
  static func isEntity(_ node: YAMLNode) -> Bool {
    ["primaryKey", "attributes", "relationships"].contains { node[$0] != nil }
  }

  /// Applies the mapping to the entity. Returns false if it reported an error.
  func read(_ pair: YAMLPair, into entity: inout EntityDescription, outline: ModelOutline) -> Bool {
    let errors = findings.errorCount
    var hints = Self.hints
    for name in Self.nestedEntities(in: pair) {
      hints[name] = "indent the entity '\(name)' like '\(pair.key)'"
    }
    guard
      let reader = MappingReader(
        pair, as: .entity, hints: hints, otherNames: Self.otherNames, findings: findings)
    else { return false }
    if mode == .overlay { refuse(FormatMapping.declarationKeys, in: reader) }

    if let pair = reader["class"], let name = findings.string(pair) {
      entity.className = name
      findings.note(.recordType, name, at: pair.value.span)
    }
    if let parent = findings.string(reader["parent"]) { entity.parent = EntityName(parent) }
    if let isAbstract = findings.boolean(reader["abstract"]) { entity.isAbstract = isAbstract }
    if let key = findings.propertyNames(reader["primaryKey"]) { entity.primaryKey = key }
    if let pattern = keyPattern(reader["keyPattern"]) { entity.keyPattern = pattern }
    if let path = findings.responsePath(reader["responseKeyPath"]) { entity.responseKeyPath = path }
    if let name = findings.string(reader["responseKeyedBy"]) { entity.responseKeyedBy = PropertyName(name) }
    if let lists = sideloaded(reader["sideloaded"]) { entity.sideloaded = lists }
    if let path = findings.path(reader["deletedKeyPath"]) { entity.deletedKeyPath = path }
    if let policy = findings.choice(reader["withoutKey"], KeylessItemPolicy.self) {
      entity.withoutKey = policy
    }
    if let names = findings.choice(reader["names"], NamingConvention.self) { entity.names = names }
    if let values = findings.jsonList(reader["nullValues"]) { entity.nullValues = values }
    if let format = findings.dateFormat(reader["dateFormat"]) { entity.dateFormat = format }
    if let null = findings.choice(reader["null"], NullPolicy.self) { entity.null = null }
    if let merge = findings.choice(reader["merge"], MergeStrategy.self) { entity.merge = merge }
    if let name = findings.string(reader["modificationAttribute"]) {
      entity.modificationAttribute = PropertyName(name)
    }
    if let name = findings.string(reader["dictionaryAttribute"]) {
      entity.dictionaryAttribute = PropertyName(name)
    }
    if let isCached = findings.boolean(reader["cache"]) { entity.isRecordLevelCachingEnabled = isCached }
    if let predicate = findings.predicate(reader["usedWhen"]) { entity.usedWhen = predicate }
    if let predicate = findings.predicate(reader["deletedWhen"]) { entity.deletedWhen = predicate }
    if let urn = detailURN(reader["detailURN"]) { entity.detailURN = urn }
    if let pair = reader["ignores"] { entity.ignores = findings.strings(pair).map(\.value) }
    if let name = findings.string(reader["renamingIdentifier"]) { entity.renamingIdentifier = name }
    let attributes = Self.indices(of: entity.attributes.map(\.name))
    for pair in findings.mapping(reader["attributes"]) ?? [] {
      readAttribute(pair, at: attributes[pair.key], into: &entity, outline: outline)
    }
    let relationships = Self.indices(of: entity.relationships.map(\.name))
    for pair in findings.mapping(reader["relationships"]) ?? [] {
      readRelationship(pair, at: relationships[pair.key], into: &entity, outline: outline)
    }
    return findings.errorCount == errors
  }

  /// Reads the entities of lists by the paths of these: `{boxes: Box, included: [Guide, Stop]}`.
  private func sideloaded(_ pair: YAMLPair?) -> [SideloadedItems]? {
    guard let pair, let lists = findings.mapping(pair) else { return nil }
    return lists.compactMap { list in
      let entities =
        list.value.elements == nil
        ? [findings.string(list)].compactMap { $0 } : findings.strings(list).map(\.value)
      do throws(MappingPathSyntaxError) {
        return SideloadedItems(try MappingPath(list.key), entities: entities.map { EntityName($0) })
      } catch {
        findings.report(.pathSyntax, at: list.keySpan, error.message, advice: error.advice)
        return nil
      }
    }
  }

  /// Reads the text around a key. Reports a list, because several patterns are written in one text.
  private func keyPattern(_ pair: YAMLPair?) -> String? {
    guard let pair else { return nil }
    if let elements = pair.value.elements, !elements.isEmpty, elements.allSatisfy({ $0.scalar != nil }) {
      findings.wrongKind(
        pair.value, expected: "a pattern", for: "'keyPattern'",
        advice: "write '\(elements.compactMap { $0.scalar?.text }.joined(separator: " | "))'")
      return nil
    }
    return findings.string(pair)
  }

  /// Reads an address with attributes in braces. Reports an attribute that is written as in the routes of servers.
  private func detailURN(_ pair: YAMLPair?) -> String? {
    guard let pair, let text = findings.string(pair) else { return nil }
    guard let name = AddressReader.placeholder(in: text), name.first == ":" else { return text }
    let braces = text.replacing("/" + name, with: "/{\(name.dropFirst())}", maxReplacements: 1)
    findings.report(
      .addressSyntax, at: pair.value.span, "'\(name)' is not an attribute in braces",
      advice: "write '\(braces)'")
    return nil
  }

  private static func indices(of names: [PropertyName]) -> [String: Int] {
    Dictionary(names.enumerated().map { ($1.rawValue, $0) }, uniquingKeysWith: { first, _ in first })
  }

  /// Returns the names of the declared properties, valid or not; nil if the names are unclear.
  static func propertyNames(of pair: YAMLPair) -> [String]? {
    guard let pairs = pair.value.pairs, pairs.allSatisfy({ FormatMapping.entity.keyNames.contains($0.key) })
    else { return nil }
    if let parent = pair.value["parent"], parent.scalar == nil { return nil }
    var names: [String] = []
    for group in ["attributes", "relationships"].compactMap({ pair.value[$0] }) {
      guard let members = group.pairs else { return nil }
      names += members.map(\.key)
    }
    return names
  }

  /// Reports keys that only the model file can set.
  func refuse(_ keys: [String], in reader: MappingReader) {
    for key in keys {
      guard let pair = reader[key] else { continue }
      findings.report(
        .overlay, at: pair.keySpan, "'\(key)' cannot be changed here, because the model file declares it",
        advice: "change the model file, or remove the key")
    }
  }

  /// Reports a property in the overlay that the model file does not declare for the entity.
  func reportUndeclared(
    _ pair: YAMLPair, _ kind: String, of entity: EntityDescription, among names: [String],
    _ outline: ModelOutline
  ) {
    switch outline.property(PropertyName(pair.key), of: entity.name) {
    case .attribute where kind == "attribute", .relationship where kind == "relationship":
      findings.report(
        .overlay, at: pair.keySpan, "'\(pair.key)' is inherited by '\(entity.name)'",
        advice: "change it in the entity that declares it")
    default:
      findings.unknownName(
        .unknownProperty, "'\(entity.name)' has no \(kind) '\(pair.key)' in the model file", name: pair.key,
        at: pair.keySpan, among: names)
    }
  }
}
