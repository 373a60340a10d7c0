import JSONTree
import RecordModel

/// A model, and responses to import one after another.
struct ReferenceCase {
  var model: RandomModel
  var responses: [(entity: EntityName, response: JSONValue)]
}

/// Reduces a failing case as long as it still fails: first responses, then items and members, then properties of the
/// model.
enum ReferenceShrinker {
  static func shrunk(
    _ failing: ReferenceCase, attempts: Int = 800, _ fails: (ReferenceCase) -> Bool
  ) -> ReferenceCase {
    var search = Search(current: failing, left: shrinksFailures ? attempts : 0)
    while let candidate = search.next() { search.take(candidate, fails: fails(candidate)) }
    return search.current
  }

  static func shrunk(
    _ failing: ReferenceCase, attempts: Int = 800, isolation: isolated (any Actor)? = #isolation,
    _ fails: (ReferenceCase) async -> Bool
  ) async -> ReferenceCase {
    var search = Search(current: failing, left: shrinksFailures ? attempts : 0)
    while let candidate = search.next() { search.take(candidate, fails: await fails(candidate)) }
    return search.current
  }

  /// A search in several passes, until a pass finds no reduction. After a removal, the next part has the position of
  /// the removed one.
  private struct Search {
    var current: ReferenceCase
    var left: Int
    private var position = 0
    private var didShrink = false

    init(current: ReferenceCase, left: Int) {
      self.current = current
      self.left = left
    }

    /// Returns the next case to try, or nil at the end of the search.
    mutating func next() -> ReferenceCase? {
      guard left > 0 else { return nil }
      left -= 1
      if let candidate = ReferenceShrinker.candidate(current, position) { return candidate }
      guard didShrink else { return nil }
      (position, didShrink) = (0, false)
      return ReferenceShrinker.candidate(current, position)
    }

    mutating func take(_ candidate: ReferenceCase, fails: Bool) {
      if fails {
        current = candidate
        didShrink = true
      } else {
        position += 1
      }
    }
  }

  /// Returns the case without the part at a position, or nil if there are no more parts.
  private static func candidate(_ value: ReferenceCase, _ position: Int) -> ReferenceCase? {
    var rest = position
    var candidate = value
    if rest < value.responses.count {
      candidate.responses.remove(at: rest)
      return candidate
    }
    rest -= value.responses.count
    for index in value.responses.indices {
      let size = size(value.responses[index].response)
      if rest < size {
        candidate.responses[index].response = without(rest, value.responses[index].response)
        return candidate
      }
      rest -= size
    }
    let asked = Set(value.responses.map(\.entity))
    let models = smaller(value.model).filter { asked.isSubset(of: $0.entities.map(\.name)) }
    guard rest < models.count else { return nil }
    candidate.model = models[rest]
    return candidate
  }

  /// Returns the number of elements and members at any depth.
  private static func size(_ value: JSONValue) -> Int {
    switch value {
    case .array(let elements): elements.reduce(0) { $0 + 1 + size($1) }
    case .object(let members): members.values.reduce(0) { $0 + 1 + size($1) }
    default: 0
    }
  }

  /// Returns the value without one element or member. Containers are counted before their contents.
  private static func without(_ position: Int, _ value: JSONValue) -> JSONValue {
    var rest = position
    switch value {
    case .array(var elements):
      for index in elements.indices {
        if rest == 0 {
          elements.remove(at: index)
          return .array(elements)
        }
        let size = size(elements[index])
        if rest <= size {
          elements[index] = without(rest - 1, elements[index])
          return .array(elements)
        }
        rest -= size + 1
      }
    case .object(var members):
      for (key, member) in members {
        if rest == 0 {
          members[key] = nil
          return .object(members)
        }
        let size = size(member)
        if rest <= size {
          members[key] = without(rest - 1, member)
          return .object(members)
        }
        rest -= size + 1
      }
    default: break
    }
    return value
  }

  /// Returns the valid models without one entity or one property.
  private static func smaller(_ model: RandomModel) -> [RandomModel] {
    var result: [RandomModel] = []
    for entity in model.entities.indices {
      var candidate = model
      candidate.entities.remove(at: entity)
      result.append(candidate)
      for index in model.entities[entity].attributes.indices {
        var candidate = model
        candidate.entities[entity].attributes.remove(at: index)
        result.append(candidate)
        candidate = model
        candidate.entities[entity].attributes[index].from = []
        candidate.entities[entity].attributes[index].defaultValue = nil
        candidate.entities[entity].attributes[index].isOptional = true
        candidate.entities[entity].attributes[index].null = nil
        if candidate.entities != model.entities { result.append(candidate) }
      }
      for relationship in model.entities[entity].relationships {
        var candidate = model
        for other in candidate.entities.indices {
          candidate.entities[other].relationships.removeAll {
            $0.name == relationship.name || $0.name == relationship.inverse
          }
        }
        result.append(candidate)
      }
      for index in model.entities[entity].relationships.indices {
        var candidate = model
        candidate.entities[entity].relationships[index].from = []
        candidate.entities[entity].relationships[index].isOrdered = false
        candidate.entities[entity].relationships[index].assignment = .union
        candidate.entities[entity].relationships[index].null = nil
        if candidate.entities != model.entities { result.append(candidate) }
      }
    }
    return result.filter { (try? $0.checked()) != nil }
  }
}
