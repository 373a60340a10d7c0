import Testing

/// Tests for the explanations of values that references and skipped items do not set.
struct ExplainedReferencesTests {
  private func explanation(of subject: String, in scenario: String) async throws -> String {
    let outcome = await (try CommandSuite(["a": scenario])).recordspec("explain", "a", subject)
    #expect(outcome.status == 0, "\(outcome.errors)")
    return outcome.output
  }

  /// A reference through a parent entity is not a cached response.
  @Test func aReferenceThroughAParentEntity() async throws {
    let scenario = """
      title: Cars
      model:
        entities:
          Vehicle: {primaryKey: id, attributes: {id: int64, name: string}}
          Car: {parent: Vehicle, usedWhen: wheels != nil, attributes: {wheels: int32}}
      responses:
        cars: {body: [{id: 9, wheels: 4}]}
        references: {body: [9, {id: 9}]}
        names: {body: [{id: 9, name: Beetle}]}
      steps:
        - {request: Vehicle, urn: cars}
        - {request: Vehicle, urn: references}
        - {request: Vehicle, urn: names}
      """
    #expect(
      try await explanation(of: "Car/9.wheels", in: scenario).hasSuffix(
        """
          then        Scenarios/a.yaml:8:23  /0  step 2, references: only a reference, which carries no values \
        (merge.across)
          then        Scenarios/a.yaml:9:18  /0  step 3, names: the entity of the item has no 'wheels' \
        (subentity.choose)

        """))
  }

  /// A value that was skipped is not missing.
  @Test(arguments: [
    (
      "Film/1.studio",
      "  value       Scenarios/a.yaml:8:23  /0/studio  {\"id\":7,\"city\":\"Oslo\"}, which was skipped (subentity.abstract)\n"
    ),
    (
      "Film/2.studio",
      "  value       Scenarios/a.yaml:9:23  /1/studio  true, which was skipped (response.invalid-item)\n"
    ),
    ("Film/3.studio", "  tried       Scenarios/a.yaml:10:7  /2  'studio' (mapping.missing)\n"),
  ])
  func aSkippedValue(subject: String, line: String) async throws {
    let output = try await explanation(
      of: subject,
      in: """
        title: Films
        model:
          entities:
            Film: {primaryKey: id, attributes: {id: int64, title: string}, relationships: {studio: {to: Studio}}}
            Studio: {abstract: true, primaryKey: id, attributes: {id: int64}}
        responses:
          films: {body: [
              {id: 1, studio: {id: 7, city: Oslo}},
              {id: 2, studio: true},
              {id: 3, title: a}]}
        steps: [{request: Film, urn: films}]
        """)
    #expect(output.contains(line), "\(output)")
  }

  /// A valid part of a key is not used if another part is missing or cannot be converted.
  @Test(arguments: [
    (
      "sku",
      """
        then        Scenarios/a.yaml:6:19  /sku  step 1, line: not used, because the item has no valid key and counts \
      as the requested record (request.detail)
        then        Scenarios/a.yaml:7:19  /sku  step 2, line: not used, because the item has no valid key and counts \
      as the requested record (request.detail)

      """
    ),
    (
      "position",
      """
        then        Scenarios/a.yaml:6:34  /position  step 1, line: cannot be converted to int32 (values.integer)
        then        Scenarios/a.yaml:7:13  the root  step 2, line: not in the item (mapping.missing)

      """
    ),
  ])
  func aDetailWithAPartOfItsKey(attribute: String, lines: String) async throws {
    let output = try await explanation(
      of: "Line/tea,1.\(attribute)",
      in: """
        title: Details
        model: {entities: {Line: {primaryKey: [sku, position], detailURN: line, attributes: {sku: string, position: int32}}}}
        store: {Line: [{sku: tea, position: 1}]}
        responses:
          line:
            - body: {sku: tea, position: [a]}
            - body: {sku: tea}
        steps: [{detail: "Line/tea,1"}, {detail: "Line/tea,1"}]
        """)
    #expect(output.hasSuffix(lines), "\(output)")
  }

  @Test func aDetailWhoseKeyCannotBeConverted() async throws {
    let output = try await explanation(
      of: "Post/1.id",
      in: """
        title: Details
        model: {entities: {Post: {primaryKey: id, detailURN: post, attributes: {id: int64, text: string}}}}
        store: {Post: [{id: 1, text: a}]}
        responses:
          post: [{body: {id: one, text: b}}, {body: {text: c}}]
        steps: [{detail: Post/1}, {detail: Post/1}]
        """)
    #expect(
      output.hasSuffix(
        """
          then        Scenarios/a.yaml:5:22  /id  step 1, post: cannot be converted to int64 (values.integer)
          then        Scenarios/a.yaml:5:45  the root  step 2, post: not in the item (mapping.missing)

        """), "\(output)")
  }
}
