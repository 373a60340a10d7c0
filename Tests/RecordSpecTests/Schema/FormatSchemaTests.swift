import JSONTree
import Testing

@testable import RecordSpec
@testable import RecordSpecCommand
@testable import ScenarioFormat

/// Tests for the JSON Schema by itself. `SchemaAgreementTests` compare its verdicts with those of the readers.
struct FormatSchemaTests {
  @Test(arguments: FormatSchema.File.allCases)
  func isTheSameInEachRun(file: FormatSchema.File) {
    let text = FormatSchema(of: file).text
    #expect(text == FormatSchema(of: file).text)
    #expect(text.contains("\n  \"$schema\": \"http://json-schema.org/draft-07/schema#\",\n"))
  }

  @Test(arguments: FormatSchema.File.allCases)
  func definitionsAreThoseThatAreReferredTo(file: FormatSchema.File) throws {
    guard case .object(let schema) = FormatSchema(of: file).value,
      case .object(let definitions)? = schema["definitions"]
    else {
      Issue.record("there are no definitions")
      return
    }
    var references: Set<String> = []
    func collect(_ value: JSONValue) {
      switch value {
      case .object(let members):
        if case .string(let reference)? = members["$ref"] { references.insert(reference) }
        members.values.forEach(collect)
      case .array(let elements): elements.forEach(collect)
      default: break
      }
    }
    collect(.object(schema))
    #expect(references == Set(definitions.keys.map { "#/definitions/\($0)" }))
  }

  /// Two mappings with one name would share a definition.
  @Test func namesOfMappingsAreUnique() {
    var keys: [String: [String]] = [:]
    func visit(_ mapping: FormatMapping) {
      let names = keys.updateValue(mapping.keyNames, forKey: mapping.name)
      #expect(names == nil || names == mapping.keyNames, "\(mapping.name)")
      if names == nil { mapping.keys.map(\.value).forEach(visit) }
    }
    func visit(_ value: FormatValue) {
      switch value {
      case .mapping(let mapping): visit(mapping)
      case .list(let value, _), .entries(let value, _): visit(value)
      case .either(let values): values.forEach(visit)
      case .chosen(let mappings, let otherwise):
        mappings.forEach(visit)
        otherwise.map(visit)
      default: break
      }
    }
    visit(.scenario)
    visit(.modelFile)
    #expect(keys.count > 50)
  }

  /// Without quotes, `null` is YAML's null in an editor, which does not find it among the properties.
  @Test func theKeyNullIsAllowedWithoutQuotes() throws {
    let schema = FormatSchema(of: .model).value
    for name in ["entity", "attribute", "relationship"] {
      let pattern = schema["definitions"]?[name]?["patternProperties"]
      #expect(pattern == ["^null$": [:]], "\(name)")
    }
  }

  @Test(.enabled(if: SchemaValidator.isAvailable, SchemaValidator.advice)) func settingsAreAcceptedOrRefused()
    throws
  {
    let adapters: JSONValue = ["app": ["command": ["swift", "run", "App"], "timeout": "5s"]]
    let errors = try SchemaValidator.errors(of: [
      (
        .settings,
        ["golden": "Golden", "timeout": "10s", "reports": ["junit": "a.xml"], "adapters": adapters]
      ),
      (.settings, ["goldn": "Golden"]), (.settings, ["jobs": 0]), (.settings, ["reports": ["jnit": "a.xml"]]),
      (.settings, ["adapters": ["app": [:]]]),
    ])
    #expect(errors.map { $0 == nil } == [true, false, false, false, false], "\(errors)")
  }
}
