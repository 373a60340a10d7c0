package import JSONTree
package import RecordModel

extension ManagedObjectModel {
  /// Returns the values of everything that tweaks can change. By default these are the values of the model, so that the
  /// result changes nothing as a tweak. Values of `tweaks` replace those of the model.
  ///
  /// An entity without a parent contains all its values. A sub-entity contains only the values that it does not
  /// inherit.
  package func tweakableValues(keeping tweaks: ModelTweaks = ModelTweaks()) -> JSONValue {
    var members: JSONObject = [:]
    for entity in entities {
      let tweak = tweaks.entities.first { $0.name == entity.name }
      members[entity.name.rawValue] = entity.tweakableValues(keeping: tweak)
    }
    return .object(members)
  }
}

extension EntityDescription {
  fileprivate func tweakableValues(keeping tweak: EntityTweak?) -> JSONValue {
    var members: JSONObject = [:]
    let key = tweak?.primaryKey ?? primaryKey
    if parent == nil || !primaryKey.isEmpty || tweak?.primaryKey != nil {
      members["primaryKey"] = JSONValue(oneOrList: key.map(\.rawValue), none: .null)
    }
    if parent == nil || responseKeyPath != nil || tweak?.responseKeyPath != nil {
      switch tweak?.responseKeyPath {
      case .path(let path)?: members["responseKeyPath"] = .string(path.description)
      case .absent?: members["responseKeyPath"] = .null
      case nil: members["responseKeyPath"] = responseKeyPath.map { .string($0.description) } ?? .null
      }
    }
    var properties: JSONObject = [:]
    for attribute in attributes {
      properties[attribute.name.rawValue] = tweak.value(of: attribute.name, default: attribute.mappingPaths)
    }
    for relationship in relationships {
      properties[relationship.name.rawValue] = tweak.value(
        of: relationship.name, default: relationship.mappingPaths)
    }
    if !properties.isEmpty { members["properties"] = .object(properties) }
    return .object(members)
  }
}

extension EntityTweak? {
  fileprivate func value(of name: PropertyName, default paths: [MappingPath]) -> JSONValue {
    let tweak = self?.properties.last { $0.name == name }
    let texts = (tweak?.paths ?? paths).map(\.description)
    return [tweak?.isInstead ?? true ? "instead" : "before": JSONValue(oneOrList: texts, none: .array([]))]
  }
}

extension JSONValue {
  fileprivate init(oneOrList texts: [String], none: JSONValue) {
    switch texts.count {
    case 0: self = none
    case 1: self = .string(texts[0])
    default: self = .array(texts.map(JSONValue.string))
    }
  }
}
