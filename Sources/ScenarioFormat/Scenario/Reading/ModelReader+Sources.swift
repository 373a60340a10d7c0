import JSONTree
import RecordModel

/// The sources of a model: the scenario itself, a model file, an Xcode model, and Swift.
extension ModelReader {
  /// The advice for a scenario without a model.
  static let adviceForMissingModel =
    "write 'model: {entities: {…}}', or name a model file, as in 'model: app.model.yaml'"

  /// Reads the entities of a model without checking them against each other.
  package func draft(_ pair: YAMLPair) -> Draft? {
    if let model = swiftModels?.replacement { return draft(of: model, at: .span(pair.keySpan)) }
    if pair.value["registered"] != nil { return registeredModel(pair) }
    if pair.value.scalar != nil { return file(named: pair.value, what: "'model'") }
    guard pair.value["file"] != nil else { return inline(pair.value, named: pair) }
    guard let reader = MappingReader(pair, as: .modelOverlay, findings: findings),
      let file = reader["file"], var draft = self.file(named: file.value, what: "'file'")
    else { return nil }
    draft.validModel = nil
    readWhole(reader, into: &draft)
    readEntities(reader["entities"], into: &draft, mode: .overlay)
    draft.locations.add(.yaml(pair.value, name: pair))
    return draft
  }

  private func inline(_ node: YAMLNode, named pair: YAMLPair?) -> Draft? {
    if node["entities"] == nil, let entity = node.pairs?.first(where: { EntityReader.isEntity($0.value) }) {
      findings.report(
        .missingKey, at: entity.keySpan, "missing key 'entities' above the entity '\(entity.key)'",
        advice: "write 'entities:' in the line before, and indent the entities below it")
      return nil
    }
    if pair == nil, let wrapper = node.pairs?.first(where: { $0.key == "model" }), wrapper.value.pairs != nil
    {
      findings.report(
        .unknownKey, at: wrapper.keySpan, "unknown key 'model' in a model file",
        advice: "write the keys of the model at the top level, without 'model:'")
      return nil
    }
    guard
      let reader = MappingReader(
        node, named: pair, as: pair == nil ? .modelFile : .model,
        hints: ["timeZone": "write the zone after the format: 'dateFormat: yyyy-MM-dd HH:mm[Europe/Berlin]'"],
        otherNames: ["entity": ["entities"], "null": ["nulls"], "format": ["dateFormat"], "path": ["file"]],
        findings: findings)
    else { return nil }
    findings.checkSchemaVersion(reader["schemaVersion"])
    findings.readAllowedWarnings(reader["allows"])
    var draft = Draft()
    readWhole(reader, into: &draft)
    readEntities(reader.required("entities"), into: &draft, mode: .declaration)
    draft.locations.add(.yaml(node, name: pair))
    return draft
  }

  // MARK: Files

  /// The ends of the names of model files.
  package static let modelFileSuffixes = [".model.yaml", ".model.yml"]
  /// The ends of the names of Xcode models.
  static let xcodeSuffixes = [".xcdatamodeld", ".xcdatamodel"]

  private func file(named node: YAMLNode, what: String) -> Draft? {
    guard let name = findings.nonEmptyString(node, for: what), findings.isPath(name, at: .span(node.span))
    else { return nil }
    let path = FileAccess.path(of: name, namedIn: scenario.path)
    guard (Self.modelFileSuffixes + Self.xcodeSuffixes).contains(where: path.hasSuffix) else {
      findings.report(
        .unknownValue, at: node.span, "'\(name)' is not the name of a model file",
        expected: "a path that ends in '.model.yaml' or '.xcdatamodeld'")
      return nil
    }
    return modelFile(at: path, named: name, namedAt: .span(node.span))
  }

  /// Reads a model file or an Xcode model.
  ///
  /// - Parameters:
  ///   - name: the path in the scenario; nil if no scenario names the file.
  ///   - location: the location of the name, at which a file that cannot be read is reported.
  package func modelFile(
    at path: String, named name: String? = nil, namedAt location: AuthorDiagnostic.Location
  ) -> Draft? {
    if Self.xcodeSuffixes.contains(where: path.hasSuffix) { return xcodeModel(at: path, namedAt: location) }
    guard let file = findings.stampedFile(path, namedAt: location, within: scenario.folders) else {
      return nil
    }
    if let known = files.known(file) {
      findings.add(known.findings)
      return known.draft
    }
    let (draft, part) = findings.part { () -> Draft? in
      guard let bytes = findings.bytes(of: file, named: name, namedAt: location) else { return nil }
      return modelFile(SourceFile(path: path, bytes: bytes))
    }
    if let draft, let valid = ModelFile(file, draft, part) {
      files.keep(valid)
      return valid.draft
    }
    return draft
  }

  /// Reads the contents of a model file.
  package func modelFile(_ file: SourceFile) -> Draft? {
    let (root, diagnostics) = YAMLParser.parse(file)
    findings.add(diagnostics)
    guard let root else { return nil }
    findings.roots.append(root)
    return inline(root, named: nil)
  }

  // MARK: Swift

  /// Reads `{registered: App}`.
  private func registeredModel(_ pair: YAMLPair) -> Draft? {
    guard let reader = MappingReader(pair, as: .registeredModel, findings: findings),
      let registered = reader["registered"], let name = findings.string(registered)
    else { return nil }
    let span = registered.value.span
    guard let swiftModels else {
      findings.report(
        .unknownModel, at: span, "the model '\(name)' is Swift code, which 'recordspec' cannot run",
        advice:
          "run the scenario in the test target that registers '\(name)', or name a model file written with 'ManagedObjectModel.yaml()'"
      )
      return nil
    }
    guard let model = swiftModels.registered[name] else {
      findings.unknownName(
        .unknownModel, "unregistered model '\(name)'", name: name, at: span,
        among: swiftModels.registered.keys.sorted(), otherwise: "register it in the test target")
      return nil
    }
    return draft(of: model, at: .span(span))
  }

  /// Returns the draft of a model in Swift.
  ///
  /// - Parameter location: the location at which Swift code that the model names is reported.
  private func draft(of model: ManagedObjectModel, at location: AuthorDiagnostic.Location) -> Draft {
    var draft = Draft()
    draft.swiftModel = model
    draft.append(model.entities)
    for entity in model.entities { noteNames(of: entity, isCasual: false) { _ in location } }
    return draft
  }

  /// Notes the record types and transformers that an entity names.
  ///
  /// - Parameter location: a function that returns the location of a name by its path; nil if it has none.
  func noteNames(
    of entity: EntityDescription, isCasual: Bool, at location: (JSONPointer) -> AuthorDiagnostic.Location?
  ) {
    func note(_ kind: ForeignName.Kind, _ name: String?, _ path: [String]) {
      guard let name, let location = location(JSONPointer(tokens: ["entities", entity.name.rawValue] + path))
      else { return }
      findings.names.append(ForeignName(kind: kind, name: name, location: location, isCasual: isCasual))
    }
    note(.recordType, entity.className, [])
    for attribute in entity.attributes {
      note(.transformer, attribute.transformer, ["attributes", attribute.name.rawValue])
    }
  }
}
