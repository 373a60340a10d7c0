package import JSONTree
import RecordModel

/// The source locations of the parts of a model, so that an error of the model points at the line that causes it.
package struct ModelSourceMap {
  /// The layers, from the model file to its overlays.
  package private(set) var layers: [Layer] = []
  private let index = YAMLPairIndex()

  package init(_ layers: [Layer] = []) { self.layers = layers }

  package enum Layer: Sendable {
    /// The mapping that has `entities:`, and the key that names it if there is one.
    case yaml(YAMLNode, name: YAMLPair?)
    /// The file of an Xcode model, and the lines of its elements by path.
    case xcode(SourceFile, [JSONPointer: Int])
    /// The customizations from `customize:`, whose keys differ from those of the model.
    case customization(YAMLPair)
  }

  package mutating func add(_ layer: Layer) { layers.append(layer) }

  /// Returns the location of the deepest part along a path. Of equally deep parts, the last layer takes precedence.
  package func location(of path: JSONPointer) -> AuthorDiagnostic.Location? {
    var best: (location: AuthorDiagnostic.Location, depth: Int)?
    for layer in layers {
      let found = layer.location(of: path, index)
      if found.depth >= best?.depth ?? 0 { best = found }
    }
    return best?.location
  }
}

extension ModelOutline {
  /// Returns the location of the declaration of an entity; nil if it has none, as in a model in Swift.
  func span(of entity: EntityName) -> SourceSpan? {
    if case .span(let span)? = locations.location(of: JSONPointer(tokens: ["entities", entity.rawValue])) {
      span
    } else {
      nil
    }
  }
}

extension ModelSourceMap.Layer {
  fileprivate func location(
    of path: JSONPointer, _ index: YAMLPairIndex
  ) -> (location: AuthorDiagnostic.Location, depth: Int) {
    switch self {
    case .yaml(let root, let name): Self.location(of: path, in: root, named: name, index)
    case .xcode(let file, let lines): Self.location(of: path, in: file, lines)
    case .customization(let pair): Self.location(of: path, customizedBy: pair, index)
    }
  }

  /// Returns the location of a path such as `/entities/Post/attributes/text/from`, which is written as
  /// `Post: {keyPaths: {text: …}}`. Finds the whole path or nothing.
  private static func location(
    of path: JSONPointer, customizedBy pair: YAMLPair, _ index: YAMLPairIndex
  ) -> (location: AuthorDiagnostic.Location, depth: Int) {
    var tokens = Array(path.tokens.dropFirst())
    if tokens.count >= 4, ["attributes", "relationships"].contains(tokens[1]), tokens[3] == "from" {
      tokens[1] = "keyPaths"
      tokens.remove(at: 3)
    }
    var found = location(of: JSONPointer(tokens: tokens), in: pair.value, named: pair, index)
    if found.depth == 1, tokens.count == 2, tokens[1] == "primaryKey" {
      // The key may be computed from paths.
      tokens[1] = "keyFrom"
      found = location(of: JSONPointer(tokens: tokens), in: pair.value, named: pair, index)
    }
    return found.depth == tokens.count ? (found.location, path.tokens.count) : (found.location, -1)
  }

  /// Returns the location of a scalar value itself, and of any other value by its key.
  private static func location(
    of path: JSONPointer, in root: YAMLNode, named name: YAMLPair?, _ index: YAMLPairIndex
  ) -> (location: AuthorDiagnostic.Location, depth: Int) {
    var node = root
    var location = name.map { AuthorDiagnostic.Location.span($0.keySpan) } ?? .file(root.file.path)
    var depth = 0
    for token in path.tokens {
      if let pair = index.pair(token, in: node) {
        location = .span(pair.value.scalar == nil || pair.value.isNull ? pair.keySpan : pair.value.span)
        node = pair.value
      } else if let elements = node.elements, let position = Int(token), elements.indices.contains(position) {
        location = .span(elements[position].span)
        node = elements[position]
      } else {
        break
      }
      depth += 1
    }
    return (location, depth)
  }

  private static func location(
    of path: JSONPointer, in file: SourceFile, _ lines: [JSONPointer: Int]
  ) -> (location: AuthorDiagnostic.Location, depth: Int) {
    for depth in stride(from: path.tokens.count, through: 1, by: -1) {
      if let line = lines[JSONPointer(tokens: Array(path.tokens.prefix(depth)))] {
        return (.span(file.span(ofLine: line)), depth)
      }
    }
    return (.file(file.path), 0)
  }
}
