import JSONTree
package import RecordModel

/// What record types, or a container's user, bring of their own for the population of a model's entities.
package struct Customisation: Sendable {
  /// By entity, inherited ones in place; empty if there is none.
  private var marshalers: [(any Marshaler)?] = []
  /// By entity: whether an item is one of it, where the record type says; empty if no type does.
  private var claims: [Claim?] = []

  typealias Claim = @Sendable (JSONNode) -> Bool?

  package init() {}

  /// - Parameter own: what is given for entities themselves; sub-entities have their nearest ancestor's.
  package init(_ schema: Schema, marshalers own: [EntityName: any Marshaler]) {
    guard !own.isEmpty else { return }
    marshalers = schema.entities.map { entity in
      var next: SchemaEntity? = entity
      while let current = next {
        if let marshaler = own[current.name] { return marshaler }
        next = current.parent.map { schema.entities[$0] }
      }
      return nil
    }
  }

  mutating func setClaim(_ claim: @escaping Claim, of entity: EntityIndex, _ schema: Schema) {
    if claims.isEmpty { claims = Array(repeating: nil, count: schema.entities.count) }
    claims[for: entity] = claim
  }

  /// Whether nobody has to be asked while records are populated.
  var hasNoMarshalers: Bool { marshalers.isEmpty }

  func marshaler(of entity: EntityIndex) -> (any Marshaler)? {
    marshalers.isEmpty ? nil : marshalers[for: entity]
  }

  func claim(of entity: EntityIndex) -> Claim? { claims.isEmpty ? nil : claims[for: entity] }
}
