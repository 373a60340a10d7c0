import Foundation
import JSONTree
import RecordEngine
import RecordModel
import TestSupport
import Testing

@testable import RecordSpec
@testable import ScenarioComparison
@testable import ScenarioFormat
@testable import ScenarioReport
@testable import ScenarioRun

/// Tests for models that are written as YAML.
@Suite struct ModelExportTests {
  @Test func everyKeyIsWrittenAsByHand() throws {
    let model = try ManagedObjectModel(
      entities: [
        EntityDescription(
          "Content", isAbstract: true, primaryKey: "id", "site",
          attributes: [AttributeDescription("id", .int64), AttributeDescription("site", .string)]),
        EntityDescription(
          "Post", className: "App.Post", parent: "Content", responseKeyPath: "data.posts",
          responseKeyedBy: "id", dateFormat: "yyyy-MM-dd", null: .clear, merge: .deep,
          modificationAttribute: "changed", dictionaryAttribute: "whole", usedWhen: #"kind == "post""#,
          deletedWhen: "gone == true", detailURN: "posts/{id}", isRecordLevelCachingEnabled: false,
          ignores: ["*_url", "meta.page", "no"], renamingIdentifier: "Article",
          attributes: [
            AttributeDescription(
              "text", .string, from: ["body", MappingPath(keys: ["text", "a.b"])], usesOwnName: false,
              default: "none", isOptional: false, null: .keep, renamingIdentifier: "words"),
            AttributeDescription("changed", .date, from: ["meta.changed"], format: "iso8601"),
            AttributeDescription(
              "extra", .transformable, default: ["a": [1, ["b": nil]]], transformer: "Upper"),
            AttributeDescription("whole", .transformable),
          ],
          relationships: [
            RelationshipDescription(
              "author", to: "Post", inverse: "works", isOptional: false, from: ["by", "writer"],
              usesOwnName: false, null: .keep, stubs: .never, renamingIdentifier: "by"),
            RelationshipDescription(
              "works", to: "Post", isToMany: true, inverse: "author", isOrdered: true, minCount: 1,
              maxCount: 9, deleteRule: .noAction, assignment: .replace, keyedBy: "text"),
          ]),
        EntityDescription("Tag", responseKeyPath: MappingPath(keys: []), isRecordLevelCachingEnabled: true),
        EntityDescription("Empty"),
      ], dateFormat: "iso8601", nulls: .keep)
    let yaml = try model.yaml()
    #expect(
      yaml == """
        dateFormat: iso8601
        nulls: keep
        entities:
          Content:
            abstract: true
            primaryKey: [id, site]
            attributes: {id: int64, site: string}
          Post:
            class: App.Post
            parent: Content
            responseKeyPath: data.posts
            responseKeyedBy: id
            dateFormat: yyyy-MM-dd
            null: clear
            merge: deep
            modificationAttribute: changed
            dictionaryAttribute: whole
            usedWhen: kind == "post"
            deletedWhen: gone == true
            detailURN: "posts/{id}"
            cache: false
            ignores: ["*_url", meta.page, "no"]
            renamingIdentifier: Article
            attributes:
              text:
                type: string
                from: [body, '[text, "a.b"]']
                usesOwnName: false
                default: none
                optional: false
                null: keep
                renamingIdentifier: words
              changed: {type: date, from: meta.changed, format: iso8601}
              extra:
                type: transformable
                default:
                  a:
                    - 1
                    - {b: null}
                transformer: Upper
              whole: transformable
            relationships:
              author:
                to: Post
                inverse: works
                optional: false
                from: [by, writer]
                usesOwnName: false
                null: keep
                stubs: never
                renamingIdentifier: by
              works:
                toMany: Post
                inverse: author
                ordered: true
                minCount: 1
                maxCount: 9
                deleteRule: noAction
                assignment: replace
                keyedBy: text
          Tag: {responseKeyPath: [], cache: true}
          Empty: {}

        """)
    try expectSame(model, as: yaml)
  }

  // MARK: Reading back

  @Test func randomModelsAreReadBack() throws {
    var valid = 0
    for seed in sampled(Array(UInt64(1)...400)) {
      guard let model = try? RandomModel(seed: seed).model() else { continue }
      valid += 1
      try expectSame(model, as: model.yaml(), "seed \(seed)")
    }
    #expect(valid > (isTestingAll ? 100 : 25))
  }

  /// The models of the engine's scenarios, with their customizations, are read back unless these contain code.
  @Test func modelsOfScenariosAreReadBack() throws {
    let root = URL(filePath: #filePath).appending(path: "../../../../Scenarios").standardized.path
    var count = 0
    for file in sampled(ScenarioFiles(below: root).files) {
      guard let scenario = Scenario.load(file).scenario else { continue }
      let isComputed = scenario.customizations.values.contains {
        $0.representation?.computesPrimaryKey == true
      }
      guard !isComputed else {
        #expect(throws: ModelError.self, "\(file.name)") { try scenario.model.yaml() }
        continue
      }
      count += 1
      try expectSame(scenario.model, as: scenario.model.yaml(), file.name)
    }
    #expect(count > (isTestingAll ? 500 : 125))
  }

  /// Expects that a text is read as an equal model, and is written again for it.
  private func expectSame(_ model: ManagedObjectModel, as yaml: String, _ name: String = "") throws {
    let folder = try TemporaryFolder()
    try folder.write(yaml, to: "a.model.yaml")
    let source = ModelSource(folder.path + "/a.model.yaml")
    let errors = source.diagnostics.filter { $0.severity == .error }
    let read = try #require(source.model, "\(name): \(DiagnosticRenderer().text(of: errors))\(yaml)")
    #expect(read.entities == model.entities, "\(name): \(yaml)")
    #expect(read.dateFormat == model.dateFormat && read.nulls == model.nulls, "\(name)")
    #expect(source.yaml == yaml && source.losses.isEmpty, "\(name)")
  }

  // MARK: Code

  private struct Prefixed: Representation {
    var computesPrimaryKey = false
    func additionalKeyPaths(for property: PropertyName, of entity: EntityName) -> [MappingPath] {
      [MappingPath(keys: ["a_\(property)"])]
    }
    func primaryKeyValue(in dictionary: JSONNode) -> JSONValue? { dictionary["key"]?.value }
  }

  private static func model(
    _ representation: (any Representation)? = nil
  ) throws -> ManagedObjectModel {
    try ManagedObjectModel(
      entities: [
        EntityDescription(
          "Place", primaryKey: "id",
          attributes: [
            AttributeDescription("id", .int64),
            AttributeDescription("tags", .transformable, transformer: "Upper"),
          ]),
        EntityDescription("Harbor", className: "App.Harbor", parent: "Place"),
      ], representations: representation.map { ["Place": $0] } ?? [:])
  }

  @Test func whatARepresentationDeclaresIsWritten() throws {
    let yaml = try Self.model(Prefixed()).yaml()
    #expect(yaml.contains("id: {type: int64, from: a_id}"))
  }

  @Test func aComputedKeyIsNamed() throws {
    let model = try Self.model(Prefixed(computesPrimaryKey: true))
    let error = #expect(throws: ModelError.self) { try model.yaml() }
    #expect(
      "\(try #require(error))"
        == "/entities/Place/primaryKey: the primary key of 'Place' is computed, which a model file cannot express"
    )
    #expect(try model.yaml(lossy: true) == Self.model(Prefixed()).yaml())
  }

  private class Place: RecordEngine.Record {
    override class var keyPathForResponseObject: MappingPath? { "data.places" }
  }
  private final class Harbor: Place {
    override class func represents(_ dictionary: JSONNode) -> Bool? { dictionary["harbor"] != nil }
    override class var marshaler: (any Marshaler)? { Plain() }
  }
  private struct Plain: Marshaler {}
  private struct Upper: RecordValueTransformer {
    func value(from json: JSONValue) -> JSONValue { json }
  }

  @Test func registeredCodeIsNamed() throws {
    let registrations = ScenarioRegistrations(
      recordTypes: [Place.self, Harbor.self], transformers: ["Upper": Upper(), "Other": Upper()])
    let error = #expect(throws: ModelError.self) { try Self.model().yaml(registering: registrations) }
    let end = ", which a model file cannot express"
    #expect(
      "\(try #require(error))" == """
        /entities/Place/attributes/tags/transformer: the values of 'tags' are transformed by the code of 'Upper'\(end)
        /entities/Harbor/usedWhen: 'Harbor' chooses its items in code\(end); declare 'usedWhen'
        /entities/Harbor: the records of 'Harbor' are populated by a marshaler\(end)
        """)
    let yaml = try Self.model().yaml(registering: registrations, lossy: true)
    #expect(yaml.contains("responseKeyPath: data.places"))
    #expect(yaml.contains("tags: {type: transformable, transformer: Upper}"))
    // A marshaler for an entity counts, too. Code for other entities does not.
    let marshalers = ScenarioRegistrations(marshalers: ["Place": Plain(), "Other": Plain()])
    #expect(throws: ModelError.self) { try Self.model().yaml(registering: marshalers) }
    let others = ScenarioRegistrations(marshalers: ["Other": Plain()])
    #expect(try Self.model().yaml(registering: others) == Self.model().yaml())
  }

  @Test func valuesThatTheFormatLacksAreNamed() throws {
    var value = JSONValue.null
    for _ in 0..<124 { value = [value] }
    func model(_ value: JSONValue, className: String?, count: Int) throws -> ManagedObjectModel {
      try ManagedObjectModel(entities: [
        EntityDescription(
          "Place", className: className,
          attributes: [AttributeDescription("deep", .transformable, default: value)],
          relationships: [
            RelationshipDescription("other", to: "Place", isToMany: true, inverse: "others", maxCount: count),
            RelationshipDescription("others", to: "Place", isToMany: true, inverse: "other"),
          ])
      ])
    }
    let error = #expect(throws: ModelError.self) {
      try model(value, className: " ", count: 1 << 40).yaml()
    }
    #expect(
      error?.problems.map(\.path.description) == [
        "/entities/Place/class", "/entities/Place/attributes/deep/default",
        "/entities/Place/relationships/other/maxCount",
      ])
    guard case .array(let inner) = value else { return }
    let allowed = try model(inner[0], className: nil, count: Int(Int32.max))
    try expectSame(allowed, as: allowed.yaml())
  }
}
