import JSONTree
import RecordModel

/// The reader of `options:`.
struct OptionsReader {
  let findings: Findings
  let records: RecordReader

  /// The advice for unknown keys that an author may expect.
  private static let hints = ["deleteOrphans": "write 'orphans: delete'"]
  /// The names of keys in other tools.
  private static let otherNames = [
    "keypath": ["responseKeyPath"],
    "keypathforresponseobject": ["responseKeyPath"], "header": ["headers"], "caching": ["cache"],
  ]

  /// Reads the options of a request.
  ///
  /// - Parameters:
  ///   - defaults: the options for keys that are not written.
  ///   - entity: the requested entity; nil if the options apply to several requests.
  func options(
    _ pair: YAMLPair?, over defaults: StepOptions = StepOptions(), of entity: EntityName? = nil
  ) -> StepOptions {
    var options = defaults
    guard let pair,
      let reader = MappingReader(
        pair, as: .options, hints: Self.hints, otherNames: Self.otherNames, findings: findings)
    else { return options }
    options.areStated = true
    if let path = findings.responsePath(reader["responseKeyPath"]) { options.responseKeyPath = path }
    if let merge = findings.choice(reader["merge"], MergeStrategy.self) { options.merge = merge }
    if let hook = findings.choice(reader["mergeHook"], DeclaredMerge.self) { options.mergeHook = hook }
    for pair in findings.mapping(reader["inject"]) ?? [] {
      guard let entity = records.entity(pair.key, at: pair.keySpan) else { continue }
      options.injections[entity] = injection(pair, of: entity)
    }
    for pair in findings.mapping(reader["prepopulate"]) ?? [] {
      let assignments = assignments(pair)
      guard let entity = records.entity(pair.key, at: pair.keySpan) else { continue }
      options.prepopulation[entity] = assignments
    }
    if reader["failOn"] != nil { options.failingCodes = names(reader["failOn"], .diagnostic) }
    if reader["ignore"] != nil { options.ignoredCodes = names(reader["ignore"], .ignoredDiagnostic) }
    if let persists = findings.boolean(reader["automaticallyPersistsRecords"]) {
      options.automaticallyPersistsRecords = persists
    }
    for (name, value) in findings.headers(reader["headers"]) {
      options.headers = options.headers.filter { !areOneHeader($0.key, name) }
      options.headers[name] = value
    }
    if let isDryRun = findings.boolean(reader["dryRun"]) { options.isDryRun = isDryRun }
    if let isCached = findings.boolean(reader["cache"]) { options.isCached = isCached }
    if let reportsDrift = findings.boolean(reader["drift"]) { options.reportsDrift = reportsDrift }
    if let domain = findings.string(reader["domain"]) { options.domain = domain }
    if let paging = PagingReader(findings: findings).paging(reader["paging"]) { options.paging = paging }
    if let count = findings.integer(reader["maxPages"], in: 1...Int.max) { options.maxPages = count }
    if let predicate = findings.predicate(reader["failWhen"]) { options.failWhen = predicate }
    if let path = findings.responsePath(reader["keyPathForMetaData"]) { options.metaDataKeyPath = path }
    if let path = findings.responsePath(reader["customResponse"]) { options.customResponse = path }
    if let timeout = findings.duration(reader["timeout"]) { options.timeout = timeout }
    if reader["hooks"] != nil { options.hooks = names(reader["hooks"], .hook) }
    if let orphans = orphans(reader["orphans"], over: entity) { options.orphans = orphans }
    return options
  }

  /// Reads names that must be verified later.
  private func names(_ pair: YAMLPair?, _ kind: ForeignName.Kind) -> [Located<String>] {
    let names = findings.strings(pair)
    for name in names { findings.note(kind, name.value, at: name.span) }
    return names
  }

  /// Reads the source of a key, or `{room: {value: C1}}` for parts of a key of several attributes.
  private func injection(_ pair: YAMLPair, of entity: EntityName) -> InjectedKey? {
    let key = records.outline?.primaryKey(of: entity) ?? []
    let pairs = pair.value.pairs ?? []
    if !pairs.isEmpty, pairs.allSatisfy({ $0.value.pairs != nil }) {
      let unknown = pairs.filter { pair in !key.isEmpty && !key.contains { $0.rawValue == pair.key } }
      for pair in unknown {
        findings.report(
          .unknownProperty, at: pair.keySpan, "'\(pair.key)' is not a part of the key of '\(entity)'",
          expected: Findings.oneOf(key.map(\.rawValue)))
      }
      return unknown.isEmpty ? .parts(assignments(pair)) : nil
    }
    if let part = pairs.first(where: { pair in key.contains { $0.rawValue == pair.key } }) {
      findings.report(
        .wrongKind, at: part.value.span, "the source of '\(part.key)' is not a mapping",
        advice:
          "write '\(part.key): {value: \(part.value.scalar?.text ?? "…")}', or read it from the request with 'from: @request.query.\(part.key)'"
      )
      return nil
    }
    guard let source = source(pair) else { return nil }
    guard key.count < 2 else {
      findings.report(
        .unknownValue, at: pair.value.span, "the key of '\(entity)' has several parts",
        expected: "the source of each part that items lack",
        advice: "write '\(entity): {\(key[0]): {…}}'")
      return nil
    }
    return .whole(source)
  }

  private func assignments(_ pair: YAMLPair) -> [ItemKeyAssignment] {
    (findings.mapping(pair) ?? []).compactMap { key in
      source(key).map { ItemKeyAssignment(key: key.key, source: $0) }
    }
  }

  /// Reads `{path: user.id}`, `{parentKey: true}` or `{value: 7}`.
  private func source(_ pair: YAMLPair) -> ItemKeyAssignment.Source? {
    guard let source = MappingReader(pair, as: .keySource, findings: findings)?.onlyPair() else { return nil }
    switch source.key {
    case "path": return findings.path(source).map { .path($0) }
    case "parentKey":
      guard let isParentKey = findings.boolean(source) else { return nil }
      if !isParentKey {
        findings.report(.unknownValue, at: source.value.span, "'parentKey' must be true", advice: "remove it")
        return nil
      }
      return .parentKey
    default: return findings.json(source.value).map { .literal($0) }
    }
  }
}
