/// Members that a file uses and that only an extension in a later folder declares.
///
/// Tokens do not reveal types. A use counts as one of a later member only if the file can access no other member with
/// the same name and, for calls, the same labels. Uses whose names an earlier member has are therefore missed. A false
/// alarm is possible only if the standard library or Foundation has such a member. ``House/foreignMembers`` lists these.
extension House {
  /// A member with the name of a later member, where the member of another package is used.
  struct ForeignMember: Hashable {
    var module: String
    var name: String
  }

  /// The members of files, by name.
  private struct Members {
    private var byName: [String: [(member: SwiftMember, path: String)]] = [:]

    mutating func add(_ member: SwiftMember, _ path: String) {
      byName[member.name, default: []].append((member, path))
    }

    /// Returns the path of the file with the member that a name, possibly with a call, refers to.
    func used(_ name: String, _ call: SwiftCall?, where isMeant: (SwiftMember) -> Bool = { _ in true })
      -> String?
    {
      byName[name]?.first { candidate, _ in
        isMeant(candidate) && (call.map(candidate.takes) ?? (candidate.kind != .initializer))
      }?.path
    }

    /// Returns whether a name may refer to one of the members. A call may also call a property.
    func mayHave(_ name: String, _ call: SwiftCall?, where isMeant: (SwiftMember) -> Bool = { _ in true })
      -> Bool
    {
      byName[name]?.contains { candidate, _ in
        isMeant(candidate)
          && (call.map { candidate.takes($0) || candidate.kind == .property || candidate.kind == .enumCase }
            ?? true)
      } ?? false
    }
  }

  /// Returns the uses of members of later folders.
  ///
  /// - Parameters:
  ///   - ranked: the files of one module with the positions of their folders.
  ///   - others: the files of the modules that it imports.
  func memberViolations(in ranked: [(file: SwiftFile, rank: Int)], others: [SwiftFile]) -> [String] {
    var violations: [String] = []
    var unused = foreignMembers.filter { $0.module == ranked.first?.file.module }
    var imported = Members()
    for file in others {
      for member in file.members where member.isVisible { imported.add(member, file.path) }
    }
    for rank in Set(ranked.map(\.rank)).sorted() {
      let known = ranked.filter { $0.rank <= rank }.map(\.file)
      let later = ranked.filter { $0.rank > rank }.map(\.file)
      // Types of later folders are not available here, and neither are their members.
      let laterTypes = Set(later.flatMap { $0.declarations.map(\.name) })
        .subtracting(known.flatMap { $0.declarations.map(\.name) })
      var (earlier, candidates) = (imported, Members())
      for file in known { for member in file.members { earlier.add(member, file.path) } }
      for file in later {
        for member in file.members
        where member.isVisible && member.isInExtension && !laterTypes.contains(member.owner) {
          candidates.add(member, file.path)
        }
      }
      for (file, _) in ranked.filter({ $0.rank == rank }) {
        for use in uses(of: candidates, in: file, earlier) {
          let member = ForeignMember(module: file.module, name: use.name)
          if foreignMembers.contains(member) {
            unused.remove(member)
          } else {
            violations.append(use.violation)
          }
        }
      }
    }
    return violations
      + unused.map { "House lists the foreign member \($0.name) of \($0.module), which no file uses" }
      .sorted()
  }

  private func uses(
    of later: Members, in file: SwiftFile, _ earlier: Members
  ) -> [(name: String, violation: String)] {
    let locals = file.locals()
    var uses: [(name: String, violation: String)] = []
    for (index, token) in file.tokens.enumerated() where token.isName {
      let call = file.call(at: index + 1)
      var (name, path): (String, String?) = (token.text, nil)
      let isMember = index > 0 && file.tokens[index - 1].text == "."
      if isMember {
        // Skip the end of a range.
        guard index > 1, file.tokens[index - 2].text != ".", name != "init" else { continue }
        let owner = file.tokens[index - 2].text
        if later.used(name, call, where: { $0.owner == owner }) != nil,
          !earlier.mayHave(name, call, where: { $0.owner == owner })
        {
          path = later.used(name, call, where: { $0.owner == owner })
        } else if !earlier.mayHave(name, call) {
          path = later.used(name, call)
        }
      } else if let call, let initializer = later.used("init", call, where: { $0.owner == name }) {
        let isForeign = !earlier.mayHave("init", nil, where: { $0.owner == name })
        // Initializers in other packages are unknown. Those with labels are probably not the same.
        if !earlier.mayHave("init", call, where: { $0.owner == name }),
          !isForeign || call.labels.contains(where: { $0 != nil })
        {
          (path, name) = (initializer, "\(name).init")
        }
      } else if !locals.contains(name), !earlier.mayHave(name, nil) {
        // A member of the type itself, without a qualifier.
        path = later.used(name, call, where: { file.scopes.contains($0.owner) })
      }
      guard let path else { continue }
      let place = "\(file.path):\(token.line): \(file.folder ?? file.module)"
      uses.append((name, "\(place) uses \(name), which \(path) declares"))
    }
    return uses
  }
}
