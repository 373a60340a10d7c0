import JSONTree
import RecordModel

/// The items of a response. Rules: `population.items`, `response.array`, `response.empty`, `response.invalid`,
/// `response.key-path`, `response.no-content`, `response.single`.
struct ResponseItems {
  let items: Items
  /// A Boolean value that indicates whether the response has a list of items, which may be empty.
  let hasList: Bool

  init(of document: JSONDocument?, _ report: PopulationReport) throws(RequestFailure) {
    let population = report.population
    let entity = population.schema.entities[population.entity]
    guard let document else {
      report.addEmptyResultSet("the response has an empty body")
      (items, hasList) = (.none, false)
      return
    }
    for duplicate in document.duplicateKeys {
      report.add(
        .duplicateKey, pointer: JSONPointer(tokens: duplicate.object.tokens + [duplicate.key]),
        "duplicate key in an object; the last one is used")
    }
    let path = population.options.responseKeyPath ?? entity.responseKeyPath
    let found = Self.find(in: document, at: path)
    guard let found, !found.isNull, population.options.expectsItems || !found.isEmptyObject else {
      report.addEmptyResultSet(
        at: found?.standingNode, Self.explanation(of: found, in: document.root, at: path))
      (items, hasList) = (.none, false)
      return
    }
    if case .node(let node) = found, ![.object, .array].contains(node.kind),
      population.scalarProblem(node, of: population.entity) != nil
    {
      throw report.failure(
        .invalidResponseFormat, at: node,
        "expected records of '\(entity.name)', found a \(node.kind.rawValue)")
    }
    items = Items(in: found, keyedBy: entity.responseKeyedBy)
    // An empty list that a path has gathered may also be missing in the response. A single object does not indicate
    // whether the server has other items.
    hasList = found.standingNode.map { $0.kind == .array || entity.responseKeyedBy != nil } ?? !items.isEmpty
    if items.isEmpty, !hasList || !population.options.continuesRun {
      report.addEmptyResultSet(at: found.standingNode, "the response has no items")
    }
  }

  /// Returns the reason why a response has no items.
  private static func explanation(of found: PathFinding?, in root: JSONNode, at path: MappingPath?) -> String
  {
    guard let path, root.kind == .object else { return "the response has no items" }
    guard found == nil else { return "the value at the response key path '\(path)' has no items" }
    let shown = 6
    let keys = root.members.prefix(shown).map { "'\($0.key)'" }.joined(separator: ", ")
    let found =
      switch root.count {
      case 0: "it is an empty object"
      case 1: "its only key is \(keys)"
      case ...shown: "its keys are \(keys)"
      default: "its keys are \(keys), …"
      }
    return "the response has nothing at the response key path '\(path)'; \(found)"
  }

  /// Returns the value of a response that contains its items.
  static func find(in document: JSONDocument, at path: MappingPath?) -> PathFinding? {
    guard document.root.kind == .object, let path else { return .node(document.root) }
    return path.find(in: document.root)
  }

  /// Returns the keys of deleted records that a response of an entity lists; nil for no list. Rule: `orphans.deleted-keys`.
  static func deletedKeys(of entity: SchemaEntity, in document: JSONDocument) -> Items? {
    guard let path = entity.deletedKeyPath, document.root.kind == .object,
      let keys = path.find(in: document.root), !keys.isNull
    else { return nil }
    return Items(in: keys, keyedBy: nil)
  }

  /// Returns the number of items of a response, including invalid ones.
  static func count(in document: JSONDocument, at path: MappingPath?, keyedBy attribute: AttributeIndex?)
    -> Int
  {
    guard let found = find(in: document, at: path), !found.isNull else { return 0 }
    return Items(in: found, keyedBy: attribute).reduce(0) { count, _ in count + 1 }
  }
}

extension PathFinding {
  /// A Boolean value that indicates whether the finding is `{}`, which servers send in place of an empty body.
  fileprivate var isEmptyObject: Bool {
    standingNode.map { $0.kind == .object && $0.count == 0 } ?? false
  }
}

extension PopulationReport {
  /// Reports that a response has no items, unless none are expected, or the response lists the keys of deleted records.
  fileprivate func addEmptyResultSet(at node: JSONNode? = nil, _ message: String) {
    guard population.options.expectsItems else { return }
    let entity = population.schema.entities[population.entity]
    if let deleted = ResponseItems.deletedKeys(of: entity, in: document), !deleted.isEmpty { return }
    add(.emptyResultSet, entity: population.entity, at: node, message)
  }
}
