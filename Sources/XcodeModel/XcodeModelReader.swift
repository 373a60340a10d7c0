import JSONTree
import RecordModel

/// Converts the elements of an Xcode model to entities, and reports the problems of each element. `ManagedObjectModel`
/// validates them against each other.
struct XcodeModelReader {
  private(set) var entities: [EntityDescription] = []
  private(set) var problems: [(problem: ModelProblem, line: Int)] = []
  private(set) var lines: [JSONPointer: Int] = [:]
  private var constraints: [EntityName: XcodeModelElement] = [:]

  mutating func read(_ root: XcodeModelElement) {
    guard root.name == "model" else {
      report(
        "xcode-model", at: [], root, "expected the element 'model', found '\(root.name)'",
        advice: "name the folder of a Core Data model")
      return
    }
    var firstLines: [String: Int] = [:]
    for element in root.children {
      switch element.name {
      case "entity":
        guard let name = name(of: element, at: ["entities"]) else { continue }
        if let first = firstLines[name] {
          report(
            "duplicate-entity", at: ["entities", name], element,
            "duplicate entity '\(name)', first declared on line \(first)")
        } else {
          firstLines[name] = element.line
          readEntity(element, name)
        }
      // Fetch requests, configurations and the layout of the diagram do not affect records. A composite is reported at
      // the attribute that uses it.
      case "elements", "fetchRequest", "configuration", "composite": continue
      default: warnOfUnknown(element, at: [], in: "a model")
      }
    }
    readConstraints()
    if !root.children.contains(where: { $0.name == "entity" }) {
      report("no-entities", at: ["entities"], root, "the model has no entities")
    }
  }

  // MARK: Entities

  private mutating func readEntity(_ element: XcodeModelElement, _ name: String) {
    let path = ["entities", name]
    note(path, element)
    var entity = EntityDescription(EntityName(name))
    // Xcode writes the general class for entities without a class of their own.
    entity.className = text("representedClassName", of: element).flatMap {
      $0 == "NSManagedObject" ? nil : $0
    }
    entity.parent = text("parentEntity", of: element).map { EntityName($0) }
    entity.isAbstract = flag("isAbstract", of: element)
    entity.renamingIdentifier = text("elementID", of: element)
    if entity.parent != nil { note(path + ["parent"], element) }

    var firstLines: [String: Int] = [:]
    for child in element.children {
      switch child.name {
      case "attribute":
        guard let name = newProperty(child, &firstLines, in: name, at: path + ["attributes"]) else {
          continue
        }
        if let attribute = readAttribute(child, name, at: path + ["attributes", name]) {
          entity.attributes.append(attribute)
          if isPrimaryKey(child), entity.primaryKey.isEmpty { entity.primaryKey = [attribute.name] }
        }
      case "relationship":
        guard let name = newProperty(child, &firstLines, in: name, at: path + ["relationships"]) else {
          continue
        }
        if let relationship = readRelationship(child, name, at: path + ["relationships", name]) {
          entity.relationships.append(relationship)
        }
      case "fetchedProperty":
        let property = text("name", of: child) ?? ""
        warn(
          .leftOut, at: path, child, "the fetched property '\(property)' is ignored",
          advice: "responses do not contain fetched properties")
      case "userInfo": readPrimaryKey(of: &entity, in: child, at: path)
      case "uniquenessConstraints": constraints[entity.name] = child
      case "fetchIndex", "compoundIndexes": continue
      default: warnOfUnknown(child, at: path, in: "an entity")
      }
    }
    entities.append(entity)
  }

  /// Makes the attribute of a uniqueness constraint the primary key of its entity, unless the entity or an ancestor has another
  /// key.
  private mutating func readConstraints() {
    let declared = Dictionary(entities.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
    var keys = NearestValues<[PropertyName]>()
    for position in entities.indices {
      let name = entities[position].name
      guard let element = constraints[name] else { continue }
      let path = ["entities", name.rawValue]
      let key = keys.value(of: name, parent: { declared[$0]?.parent }, own: { declared[$0]?.ownKey })
      let all = element.children.map { $0.children.compactMap { text("value", of: $0) } }
      if key == nil, all.count == 1, all[0].count == 1 {
        note(path + ["primaryKey"], element)
        entities[position].primaryKey = [PropertyName(all[0][0])]
      } else if all.count > 1 || key?.map(\.rawValue) != all.first {
        warn(
          .notEnforced, at: path, element, "the uniqueness constraints of '\(name)' are not enforced",
          advice: key == nil
            ? "name the attribute that identifies a record in the user info of the entity, with the key \(Self.primaryKeyName)"
            : "records are identified by their primary key")
      }
    }
  }

  /// Returns the name of a property; nil after reporting that it is missing or a duplicate.
  private mutating func newProperty(
    _ element: XcodeModelElement, _ firstLines: inout [String: Int], in entity: String, at path: [String]
  ) -> String? {
    guard let name = name(of: element, at: path) else { return nil }
    if let first = firstLines[name] {
      report(
        "duplicate-property", at: path + [name], element,
        "duplicate property '\(name)' in '\(entity)', first declared on line \(first)")
      return nil
    }
    firstLines[name] = element.line
    note(path + [name], element)
    return name
  }

  // MARK: Helpers

  /// Returns the value of an XML attribute; nil if it is missing or empty.
  func text(_ name: String, of element: XcodeModelElement) -> String? {
    element.attributes[name].flatMap { $0.isEmpty ? nil : $0 }
  }

  func flag(_ name: String, of element: XcodeModelElement) -> Bool { element.attributes[name] == "YES" }

  private mutating func name(of element: XcodeModelElement, at path: [String]) -> String? {
    if let name = text("name", of: element) { return name }
    report("missing-name", at: path, element, "missing name of the \(element.name)")
    return nil
  }

  mutating func note(_ path: [String], _ element: XcodeModelElement) {
    lines[JSONPointer(tokens: path)] = element.line
  }

  mutating func report(
    _ code: String, at path: [String], _ element: XcodeModelElement, _ message: String, advice: String? = nil
  ) {
    add(.error, code, path, element, message, advice)
  }

  mutating func warn(
    _ warning: XcodeModelWarning, at path: [String], _ element: XcodeModelElement, _ message: String,
    advice: String? = nil
  ) {
    add(.warning, warning.rawValue, path, element, message, advice)
  }

  private mutating func add(
    _ severity: ModelProblem.Severity, _ code: String, _ path: [String], _ element: XcodeModelElement,
    _ message: String, _ advice: String?
  ) {
    let problem = ModelProblem(
      severity, code: code, path: JSONPointer(tokens: path), message: message, advice: advice)
    problems.append((problem, element.line))
  }

  mutating func warnOfUnknown(_ element: XcodeModelElement, at path: [String], in owner: String) {
    warn(
      .unknownElement, at: path, element,
      "unknown element '\(element.name)' of \(owner) is ignored")
  }
}

extension EntityDescription {
  /// The key that the entity declares itself; nil if it declares none.
  fileprivate var ownKey: [PropertyName]? { primaryKey.isEmpty ? nil : primaryKey }
}
