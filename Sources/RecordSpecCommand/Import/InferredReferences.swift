import JSONTree
import RecordModel

/// The search for values that are keys of records of another entity: `author_id: 7`, if an author has the key 7.
struct InferredReferences {
  private let entities: [InferredEntity]
  /// The entities with a key of one value, by the words of their name.
  private var byName: [[String]: Int] = [:]
  private var longestName = 0
  /// The keys of the records of each entity in `byName`.
  private var identifiers: [Int: Set<ScalarString>] = [:]

  /// Finds the keys of all records.
  ///
  /// - Complexity: linear in the number of samples.
  init(_ inference: EntityInference, _ names: [EntityName], reachable: Set<Int>) {
    entities = inference.entities
    for index in entities.indices where reachable.contains(index) {
      guard let choice = entities[index].choice, choice.discriminator == nil,
        !IdentifierChoice.isWeak(choice.identifier)
      else { continue }
      let words = KeyWords.words(of: names[index].rawValue)
      byName[words] = byName[words] ?? index
      longestName = max(longestName, words.count)
      identifiers[index] = Set(
        entities[index].samples.compactMap { $0.object[choice.identifier]?.identifier }.map {
          ScalarString($0)
        })
    }
  }

  /// Returns the entity whose keys are the values of a key of another one, and the name of the relationship; nil if the
  /// key does not name an entity or if no value is the key of a known record. A key without `id` must have no other
  /// values: `owner: "the city"` is a text.
  func reference(_ key: String, named name: String, of owner: Int) -> (destination: Int, name: String)? {
    var words = KeyWords.words(of: name)
    var mark = ""
    if let last = words.last, Self.marks.contains(last) {
      mark = words.removeLast()
    } else if let first = words.first, Self.marks.contains(first) {
      mark = words.removeFirst()
    }
    let isExplicit = !mark.isEmpty
    guard let noun = words.last, entities[owner].choice?.identifier != key else { return nil }
    let singulars = words.dropLast() + [Nouns.singular(noun)]
    let lengths =
      isExplicit ? Array(stride(from: min(words.count, longestName), to: 0, by: -1)) : [words.count]
    guard let destination = lengths.lazy.compactMap({ byName[Array(singulars.suffix($0))] }).first,
      let known = identifiers[destination], let identifier = entities[destination].choice?.identifier,
      let kind = entities[destination].kinds[ScalarString(identifier)], isExplicit || kind == .string
    else { return nil }
    var isList: Bool?
    var hasKnown = false
    for sample in entities[owner].samples {
      guard let value = sample.object[key], value.kind != .null else { continue }
      guard isList ?? (value.kind == .array) == (value.kind == .array) else { return nil }
      isList = value.kind == .array
      for value in value.elementsOrSelf {
        guard value.kind == kind, let text = value.identifier else { return nil }
        let isKnown = known.contains(ScalarString(text))
        guard isKnown || isExplicit else { return nil }
        hasKnown = hasKnown || isKnown
      }
    }
    guard let isList, hasKnown, !isList || mark == "ids" || noun != Nouns.singular(noun) else { return nil }
    let base = words.dropLast() + [isList ? Nouns.plural(Nouns.singular(noun)) : noun]
    return (destination, KeyWords.propertyName(base.joined(separator: " ")))
  }

  /// The words that mark a key as that of another record: `author_id`, `idBoard`.
  private static let marks: Set<String> = ["id", "ids", "uuid"]
}
