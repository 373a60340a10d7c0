import JSONTree
package import RecordModel

/// The marshalers and claims that customize the population of the entities of a model.
package struct Customization: Sendable {
  /// For each entity, its own or inherited marshaler; empty if there are no marshalers.
  private var marshalers: [(any Marshaler)?] = []
  /// For each entity, the claim of its record type; empty if there are no claims.
  private var claims: [Claim?] = []

  typealias Claim = @Sendable (JSONNode) -> Bool?

  package init() {}

  /// Creates a customization.
  ///
  /// - Parameter own: the marshalers of entities. A sub-entity without a marshaler uses the one of its nearest
  ///   ancestor.
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

  /// A Boolean value that indicates whether no entity has a marshaler or a claim.
  var isEmpty: Bool { marshalers.isEmpty && claims.isEmpty }

  /// A Boolean value that indicates whether no entity has a marshaler.
  var hasNoMarshalers: Bool { marshalers.isEmpty }

  func marshaler(of entity: EntityIndex) -> (any Marshaler)? {
    marshalers.isEmpty ? nil : marshalers[for: entity]
  }

  func claim(of entity: EntityIndex) -> Claim? { claims.isEmpty ? nil : claims[for: entity] }
}
