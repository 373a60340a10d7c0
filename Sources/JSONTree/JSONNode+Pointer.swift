extension JSONNode {
  /// The path of the value in its document. Found by walking from the root, so use it for messages and not on hot
  /// paths.
  public var pointer: JSONPointer {
    var tokens: [String] = []
    let tape = document.tape
    var container = 0
    while container < Int(index) {
      let isObject = tape.words[container].kind == .object
      var child = container + 2
      var position = 0
      // Find the child that is the value or contains it.
      while true {
        let valueIndex = isObject ? child + 1 : child
        let next = tape.index(after: valueIndex)
        guard next <= Int(index) else {
          tokens.append(isObject ? document.string(of: tape.words[child]) : String(position))
          container = valueIndex
          break
        }
        child = next
        position += 1
      }
    }
    return JSONPointer(tokens: tokens)
  }

  /// Returns the value at a path relative to this value; nil if it is missing. The elements of an array are numbered
  /// from 0, without leading zeros. The token `-` refers to no element.
  public func value(at pointer: JSONPointer) -> JSONNode? {
    var node = self
    for token in pointer.tokens {
      let child = node.word.kind == .array ? JSONPointer.position(token).flatMap { node[$0] } : node[token]
      guard let child else { return nil }
      node = child
    }
    return node
  }
}
