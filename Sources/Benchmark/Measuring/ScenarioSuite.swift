import Foundation

/// A generated suite of small scenarios, with golden files and with the same cases for pytest.
struct ScenarioSuite {
  enum Model: String, CaseIterable {
    /// Each scenario has its own model.
    case own
    /// All scenarios name the same model file.
    case shared
  }

  let folder: String
  let count: Int

  init(_ count: Int, _ model: Model, in parent: TemporaryFolder, _ program: RecordSpecProgram) throws {
    self.count = count
    folder = try parent.newFile("suite-\(model.rawValue)-\(count)")
    // A hundred scenarios in a folder, as people divide them.
    for start in stride(from: 0, to: count, by: 100) {
      let folder = "\(folder)/Scenarios/\(1000 + start / 100)"
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
      for number in start..<min(start + 100, count) {
        try Self.write(Self.scenario(number, model), to: "\(folder)/\(100_000 + number).yaml")
      }
    }
    if model == .shared {
      try Self.write(Self.entities(indentation: ""), to: "\(folder)/Scenarios/app.model.yaml")
    }
    try Self.write(Self.pytest, to: "\(folder)/test_scenarios.py")
    _ = try program.run(["bless"], in: folder, isCI: false)
  }

  private static func write(_ text: String, to path: String) throws {
    try Data(text.utf8).write(to: URL(fileURLWithPath: path))
  }

  private static func entities(indentation: String) -> String {
    """
    entities:
      Post:
        primaryKey: id
        attributes: {id: int64, text: string}
        relationships: {author: {to: User, inverse: posts}}
      User:
        primaryKey: id
        attributes: {id: int64, name: string}
        relationships: {posts: {toMany: Post, inverse: author}}

    """.split(separator: "\n").map { "\(indentation)\($0)\n" }.joined()
  }

  /// The scenario of the README, with other keys.
  private static func scenario(_ number: Int, _ model: Model) -> String {
    let model =
      switch model {
      case .own: "model:\n\(entities(indentation: "  "))"
      case .shared: "model: ../app.model.yaml\n"
      }
    let (first, second, user) = (number * 10 + 1, number * 10 + 2, number * 10 + 7)
    return """
      title: Two posts by one author share one User (\(number))

      \(model)
      responses:
        posts:
          body:
            - {id: \(first), text: Hello, author: {id: \(user), name: Ada}}
            - {id: \(second), text: Again, author: {id: \(user), name: Ada}}

      steps:
        - {request: Post, urn: posts}

      expect:
        graph:
          User:
            only: [{id: \(user), name: Ada, posts: [Post/\(first), Post/\(second)]}]

      """
  }

  /// A program that a team may write in Python instead: a case for each file, and a dictionary of records that is
  /// compared with the golden file.
  private static let pytest = """
    import json, pathlib
    import pytest, yaml

    Loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    folder = pathlib.Path(__file__).parent
    files = sorted((folder / "Scenarios").rglob("*.yaml"))


    def graph(scenario):
        entities, records = scenario["model"]["entities"], {}

        def add(entity, item):
            model = entities[entity]
            label = f"{entity}/{item[model['primaryKey']]}"
            record = records.setdefault(entity, {}).setdefault(label, {})
            for name in model["attributes"]:
                if item.get(name) is not None:
                    record[name] = item[name]
            for name, relationship in model["relationships"].items():
                if "to" in relationship and name in item:
                    other = record[name] = add(relationship["to"], item[name])
                    back = records[relationship["to"]][other].setdefault(relationship["inverse"], [])
                    if label not in back:
                        back.append(label)
            return label

        for step in scenario["steps"]:
            for item in scenario["responses"][step["urn"]]["body"]:
                add(step["request"], item)
        return records


    @pytest.mark.parametrize("path", files, ids=lambda path: path.stem)
    def test_scenario(path):
        scenario = yaml.load(path.read_bytes(), Loader)
        golden = folder / "Golden" / path.relative_to(folder / "Scenarios").with_suffix(".json")
        found = graph(scenario)
        assert found == json.loads(golden.read_bytes())["graph"]
        expected = scenario["expect"]["graph"]["User"]["only"]
        assert list(found["User"].values()) == expected

    """
}
