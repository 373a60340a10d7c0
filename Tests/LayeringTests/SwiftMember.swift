/// A property, function, case or initializer of a type, as a file declares it.
struct SwiftMember: Equatable {
  enum Kind { case property, function, enumCase, initializer }

  struct Parameter: Equatable {
    /// The label; nil for `_`.
    var label: String?
    /// A Boolean value that indicates whether a call may omit the parameter.
    var isOptional: Bool
  }

  var kind: Kind
  /// The name; `init` for initializers.
  var name: String
  /// The type that has the member.
  var owner: String
  /// A Boolean value that indicates whether an extension of the owner declares the member.
  var isInExtension: Bool
  /// A Boolean value that indicates whether other files may name it.
  var isVisible: Bool
  var parameters: [Parameter] = []

  /// Returns whether a call with these labels can be a call of this function or initializer. A nil label is an argument
  /// without label.
  func takes(_ call: SwiftCall) -> Bool {
    guard kind == .function || kind == .initializer else { return false }
    var position = 0
    for parameter in parameters {
      if position < call.labels.count, call.labels[position] == parameter.label {
        position += 1
        // More values of a variadic parameter.
        while parameter.isOptional, position < call.labels.count, call.labels[position] == nil,
          parameters.last == parameter
        {
          position += 1
        }
      } else if !parameter.isOptional, !call.hasTrailingClosure {
        return false
      }
    }
    return position == call.labels.count
  }
}

/// The arguments of a call.
struct SwiftCall: Equatable {
  var labels: [String?] = []
  var hasTrailingClosure = false
}

extension SwiftFile {
  /// Returns the ranges between the commas of the parentheses at `start`; nil if there are no parentheses.
  private func parts(from start: Int) -> (parts: [Range<Int>], end: Int)? {
    guard start < tokens.count, tokens[start].text == "(" else { return nil }
    var (depth, angles) = (0, 0)
    var parts: [Range<Int>] = []
    var first = start + 1
    for index in start..<tokens.count {
      switch tokens[index].text {
      case "(", "[", "{": depth += 1
      case ")", "]", "}":
        depth -= 1
        if depth == 0 {
          if first < index { parts.append(first..<index) }
          return (parts, index + 1)
        }
      // The arguments of a generic type directly follow its name.
      case "<" where tokens[index].isAdjacent: angles += 1
      case ">" where angles > 0 && tokens[index - 1].text != "-": angles -= 1
      case "," where depth == 1 && angles == 0:
        parts.append(first..<index)
        first = index + 1
      default: break
      }
    }
    return nil
  }

  /// Returns the call whose arguments start at `start`; nil if there is no call.
  func call(at start: Int) -> SwiftCall? {
    guard start < tokens.count, tokens[start].text == "(", tokens[start].isAdjacent,
      let (parts, end) = parts(from: start)
    else { return nil }
    let labels = parts.map { part in
      part.count > 1 && tokens[part.lowerBound].isName && tokens[part.lowerBound + 1].text == ":"
        ? tokens[part.lowerBound].text : nil
    }
    return SwiftCall(labels: labels, hasTrailingClosure: end < tokens.count && tokens[end].text == "{")
  }

  /// Returns the parameters of a function or initializer, starting after its name.
  func parameters(from start: Int) -> [SwiftMember.Parameter] {
    var index = start
    while index < tokens.count, tokens[index].text != "(", tokens[index].text != "{" { index += 1 }
    return (parts(from: index)?.parts ?? []).map { part in
      let label = tokens[part].first { $0.isName }?.text
      let isVariadic = zip(tokens[part], tokens[part].dropFirst()).contains {
        $0.text == "." && $1.text == "."
      }
      return SwiftMember.Parameter(
        label: label == "_" ? nil : label, isOptional: isVariadic || tokens[part].contains { $0.text == "=" })
    }
  }

  /// Returns the names that a `var`, `let` or `case` at `index` declares.
  func names(declaredAt index: Int) -> [String] {
    var names: [String] = []
    var next = index + 1
    while next < tokens.count, tokens[next].isName {
      names.append(tokens[next].text)
      next += 1
      if tokens[index].text == "case", let (_, end) = parts(from: next) { next = end }
      // Skip a raw value.
      if tokens[index].text == "case", next + 1 < tokens.count, tokens[next].text == "=" {
        next += 1
        while next < tokens.count, tokens[next].text != ",", tokens[next].line == tokens[next - 1].line {
          next += 1
        }
      }
      guard next < tokens.count, tokens[next].text == "," else { break }
      next += 1
    }
    return names
  }

  /// Returns the possible names of variables, parameters, labels and patterns in the file.
  func locals() -> Set<String> {
    let keywords: Set = ["let", "var", "for", "func", "case", "inout"]
    var names: Set<String> = []
    for (index, token) in tokens.enumerated() where token.isName {
      if index > 0, keywords.contains(tokens[index - 1].text) { names.insert(token.text) }
      guard index + 1 < tokens.count else { continue }
      if tokens[index + 1].text == ":" { names.insert(token.text) }
      // `{ first, second in`, `for (key, value) in`, `let (first, second) =`
      let rest = tokens[(index + 1)...].prefix(12)
        .drop { $0.isName && $0.text != "in" || [",", ")"].contains($0.text) }
      guard let end = rest.first else { continue }
      if end.text == "in" || end.text == "=" && tokens[rest.startIndex - 1].text == ")" {
        names.insert(token.text)
      }
    }
    return names
  }
}
