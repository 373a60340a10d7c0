import JSONTree
import RecordModel

extension XcodeModelReader {
  // MARK: Attributes

  /// Reads an attribute. Returns nil after reporting that the attribute is left out.
  mutating func readAttribute(_ element: XcodeModelElement, _ name: String, at path: [String])
    -> AttributeDescription?
  {
    if flag("transient", of: element) {
      return leaveOut(
        element, "the transient attribute '\(name)'",
        "transient attributes are not stored; set the value in the record class", path)
    }
    if flag("derived", of: element) {
      return leaveOut(element, "the derived attribute '\(name)'", "derived values are not computed", path)
    }
    guard let type = attributeType(of: element, name, at: path) else { return nil }

    var attribute = AttributeDescription(PropertyName(name), type)
    attribute.isOptional = flag("optional", of: element)
    attribute.defaultValue = defaultValue(of: element, type, at: path)
    if type == .transformable { attribute.transformer = text("valueTransformerName", of: element) }
    attribute.from = alternateNames(of: element, at: path)
    attribute.renamingIdentifier = text("elementID", of: element)
    warnOfBounds(element, name, at: path)
    return attribute
  }

  private mutating func leaveOut(
    _ element: XcodeModelElement, _ what: String, _ advice: String, _ path: [String]
  ) -> AttributeDescription? {
    warn(.leftOut, at: path, element, "\(what) is ignored", advice: advice)
    return nil
  }

  private static let attributeTypes: [(name: String, type: AttributeType)] = [
    ("Integer 16", .int16), ("Integer 32", .int32), ("Integer 64", .int64), ("Float", .float),
    ("Double", .double),
    ("Decimal", .decimal), ("Boolean", .boolean), ("String", .string), ("Date", .date), ("Binary", .binary),
    ("UUID", .uuid), ("URI", .uri), ("Transformable", .transformable),
  ]

  private mutating func attributeType(of element: XcodeModelElement, _ name: String, at path: [String])
    -> AttributeType?
  {
    guard let written = text("attributeType", of: element) else {
      report("attribute-type", at: path, element, "'\(name)' has no type", advice: "choose one in Xcode")
      return nil
    }
    if let known = Self.attributeTypes.first(where: { $0.name == written }) { return known.type }
    if written == "Composite" {
      warn(
        .leftOut, at: path, element, "the composite attribute '\(name)' is ignored",
        advice: "replace it with one attribute for each part, or with a transformable attribute")
      return nil
    }
    let near = nearestName(to: written, among: Self.attributeTypes.map(\.name))
    report(
      "attribute-type", at: path, element, "unknown type '\(written)' for '\(name)'",
      advice: near.map { "did you mean '\($0)'?" } ?? "choose a type in Xcode")
    return nil
  }

  /// Warns of bounds, which Core Data validates on save and this engine does not. A value that passes here may fail
  /// there.
  private mutating func warnOfBounds(_ element: XcodeModelElement, _ name: String, at path: [String]) {
    let bounds = [
      "minValueString", "maxValueString", "minDateTimeInterval", "maxDateTimeInterval",
      "regularExpressionString",
    ]
    guard bounds.contains(where: { text($0, of: element) != nil }) else { return }
    warn(
      .notEnforced, at: path, element, "the validation of '\(name)' is not enforced",
      advice: "Core Data refuses values outside its limits")
  }

  // MARK: Relationships

  /// Reads a relationship. Returns nil after reporting that the relationship has no destination.
  mutating func readRelationship(_ element: XcodeModelElement, _ name: String, at path: [String])
    -> RelationshipDescription?
  {
    let count = (
      least: count("minCount", of: element, at: path), most: count("maxCount", of: element, at: path)
    )
    if flag("transient", of: element) {
      warn(
        .leftOut, at: path, element, "the transient relationship '\(name)' is stored",
        advice: "only attributes can be transient")
    }
    let from = alternateNames(of: element, at: path)
    let deleteRule = deleteRule(of: element, name, at: path)
    guard let destination = text("destinationEntity", of: element) else {
      report(
        "unknown-destination", at: path, element, "'\(name)' has no destination",
        advice: "choose an entity in Xcode")
      return nil
    }
    var relationship = RelationshipDescription(PropertyName(name), to: EntityName(destination))
    relationship.isToMany = flag("toMany", of: element)
    relationship.inverse = text("inverseName", of: element).map { PropertyName($0) }
    relationship.isOptional = flag("optional", of: element)
    relationship.deleteRule = deleteRule
    relationship.from = from
    relationship.renamingIdentifier = text("elementID", of: element)
    // Xcode writes 1 and 1 for every to-one. `optional` declares whether a to-one is required.
    if relationship.isToMany {
      relationship.isOrdered = flag("ordered", of: element)
      (relationship.minCount, relationship.maxCount) = count
    }
    return relationship
  }

  private mutating func count(_ attribute: String, of element: XcodeModelElement, at path: [String]) -> Int {
    guard let written = text(attribute, of: element) else { return 0 }
    if let count = Int(written), count >= 0 { return count }
    report("count", at: path, element, "'\(attribute)' must be an integer from 0, not '\(written)'")
    return 0
  }

  private static let deleteRules: [(name: String, rule: DeleteRule)] = [
    ("Nullify", .nullify), ("Cascade", .cascade), ("Deny", .deny), ("No Action", .noAction),
  ]

  private mutating func deleteRule(of element: XcodeModelElement, _ name: String, at path: [String])
    -> DeleteRule
  {
    guard let written = text("deletionRule", of: element) else { return .nullify }
    if let known = Self.deleteRules.first(where: { $0.name == written }) { return known.rule }
    let near = nearestName(to: written, among: Self.deleteRules.map(\.name))
    report(
      "delete-rule", at: path, element, "unknown delete rule '\(written)' for '\(name)'",
      advice: near.map { "did you mean '\($0)'?" } ?? "use Nullify, Cascade, Deny or No Action")
    return .nullify
  }
}
