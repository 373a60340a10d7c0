/// The context of the values of a document: the containers of each value, the request that led to the document, and the value that
/// the document replaces.
package final class JSONContext: Sendable {
  /// For each word of the tape that is a value, the index of its container; -1 for the root.
  fileprivate let containers: [Int32]
  /// For each of these words, its position in an array, or the index of its key in an object.
  fileprivate let places: [Int32]
  /// A description of the request; nil if there was none.
  fileprivate let request: JSONDocument?
  /// The value of another document in whose place the root stands; nil if there is none.
  fileprivate let origin: JSONNode?

  fileprivate init(_ tape: Tape, request: JSONDocument?) {
    var containers = [Int32](repeating: -1, count: tape.words.count)
    var places = [Int32](repeating: 0, count: tape.words.count)
    var open: [(index: Int, end: Int, position: Int32)] = []
    var index = 0
    while index < tape.words.count {
      while let last = open.last, last.end == index { open.removeLast() }
      if let last = open.indices.last {
        containers[index] = Int32(truncatingIfNeeded: open[last].index)
        if tape.words[open[last].index].kind == .object {
          // The word is a key, which is followed by its value.
          places[index + 1] = Int32(truncatingIfNeeded: index)
          index += 1
          containers[index] = Int32(truncatingIfNeeded: open[last].index)
        } else {
          places[index] = open[last].position
          open[last].position += 1
        }
      }
      if tape.words[index].isContainer {
        open.append((index, tape.index(after: index), 0))
        index += 2
      } else {
        index += 1
      }
    }
    (self.containers, self.places, self.request, origin) = (containers, places, request, nil)
  }

  fileprivate init(origin: JSONNode) {
    (containers, places, request, self.origin) = ([], [], nil, origin)
  }
}

extension JSONDocument {
  /// Returns the document with its context, so that its values know their containers.
  ///
  /// - Parameter request: a description of the request that led to the document.
  /// - Complexity: linear in the number of values.
  package func inContext(ofRequest request: JSONDocument?) -> JSONDocument {
    JSONDocument(bytes: bytes, tape: tape, context: JSONContext(tape, request: request))
  }

  /// Creates a document whose root has the context of another value, in whose place it stands.
  package convenience init(_ value: JSONValue, inPlaceOf origin: JSONNode) {
    let document = JSONDocument(value)
    self.init(
      bytes: document.bytes, tape: document.tape,
      context: origin.document.context == nil ? nil : JSONContext(origin: origin))
  }
}

/// The context of a value. Without the context of its document, a value has none.
extension JSONNode {
  /// The value of the response in whose place this one stands, which is usually the value itself.
  private var place: JSONNode {
    var node = self
    while node.index == 0, let origin = node.document.context?.origin { node = origin }
    return node
  }

  /// The array or object that contains the value.
  private var container: JSONNode? {
    guard let context = document.context, Int(index) < context.containers.count else { return nil }
    let container = context.containers[Int(index)]
    return container < 0 ? nil : JSONNode(document: document, index: container)
  }

  /// The nearest object that contains the value, at any depth.
  package var enclosingObject: JSONNode? {
    var node = place.container
    while let found = node, found.kind != .object { node = found.container }
    return node
  }

  /// The root of the response.
  package var outermost: JSONNode? {
    let document = place.document
    return document.context == nil ? nil : document.root
  }

  /// A description of the request that led to the response.
  package var request: JSONNode? { place.document.context?.request?.root }

  /// The key of the nearest object under which the value stands, at any depth.
  package var enclosingKey: String? {
    var node = place
    while let container = node.container {
      if container.kind == .object, let context = node.document.context {
        return node.document.string(of: node.document.tape.words[Int(context.places[Int(node.index)])])
      }
      node = container
    }
    return nil
  }

  /// The position of the value, or of an object around it, in the nearest array.
  package var enclosingPosition: Int? {
    var node = place
    while let container = node.container {
      if container.kind == .array, let context = node.document.context {
        return Int(context.places[Int(node.index)])
      }
      node = container
    }
    return nil
  }
}
