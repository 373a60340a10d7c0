internal import Foundation

/// The parts of the compiler's symbol graph that a listing of the API needs.
///
/// The format is specified at <https://github.com/swiftlang/swift-docc-symbolkit/blob/main/openapi.yaml>.
struct SymbolGraph: Decodable {
  struct Symbol: Decodable {
    var kind: Kind
    var identifier: Identifier
    var pathComponents: [String]
    var declarationFragments: [Fragment]
    var accessLevel: String
    var swiftExtension: Constrained?
    var swiftGenerics: Constrained?
    var availability: [Availability]?
  }

  struct Kind: Decodable {
    var identifier: String
  }

  struct Identifier: Decodable, Hashable {
    var precise: String
  }

  struct Fragment: Decodable {
    var kind: String
    var spelling: String
  }

  struct Constrained: Decodable {
    var constraints: [Constraint]?
  }

  struct Constraint: Decodable, Hashable {
    var kind: String
    var lhs: String
    var rhs: String
  }

  struct Availability: Decodable {
    struct Version: Decodable {
      var major: Int
      var minor: Int?
    }

    var domain: String?
    var introduced: Version?
    var deprecated: Version?
    var obsoleted: Version?
    var isUnconditionallyDeprecated: Bool?
    var isUnconditionallyUnavailable: Bool?
  }

  struct Relationship: Decodable {
    var kind: String
    /// The precise identifier of the symbol that has the relationship.
    var source: String
    /// The precise identifier of the other symbol.
    var target: String
    /// The name of the other symbol with its module, if it belongs to another module.
    var targetFallback: String?
    var swiftConstraints: [Constraint]?
  }

  var symbols: [Symbol]
  var relationships: [Relationship]
}

extension SymbolGraph {
  /// An error that states why the symbol graphs of a folder cannot be read.
  struct ReadingError: Error {
    var message: String
  }

  /// Reads all symbol graphs of a folder.
  ///
  /// - Throws: ``ReadingError`` if the folder has no symbol graphs, or if one cannot be read.
  static func graphs(in folder: URL) throws(ReadingError) -> [SymbolGraph] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
    let files = names.filter { $0.hasSuffix(".symbols.json") }.sorted()
    guard !files.isEmpty else {
      throw ReadingError(message: "'\(folder.path)' has no symbol graphs")
    }
    var graphs: [SymbolGraph] = []
    for name in files {
      let file = folder.appendingPathComponent(name)
      do {
        graphs.append(try JSONDecoder().decode(SymbolGraph.self, from: Data(contentsOf: file)))
      } catch {
        throw ReadingError(message: "'\(file.path)' is not a symbol graph: \(error)")
      }
    }
    return graphs
  }
}
