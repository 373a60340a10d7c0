extension JSONNode {
  /// Where the value stands in its document. Found by walking there from the root: for messages, not for hot paths.
  public var pointer: JSONPointer {
    var tokens: [String] = []
    let tape = document.tape
    var container = 0
    while container < Int(index) {
      let isObject = tape.words[container].kind == .object
      var child = container + 2
      var position = 0
      // The child that is the value, or holds it.
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

  /// The value that the pointer names, from here; nil if there is none. An array's elements are numbered from 0,
  /// without leading zeros; `-` names none.
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
