import RecordModel
import Testing

struct NearestNameTests {
  @Test(
    arguments: [
      ("reponses", "responses"), ("ot", "to"), ("TO", "to"), ("usr", "user"),
      ("identety.attribute-key", "identity.attribute-key"),
      // Another name, not a mistyped one.
      ("x", nil), ("identity.nothing-alike", nil), ("everything", nil), ("us", nil),
    ] as [(String, String?)])
  func onlyWhatIsMistypedIsSuggested(name: String, nearest: String?) {
    let names = ["responses", "to", "user", "identity.attribute-key", "identity.scope", "y"]
    #expect(nearestName(to: name, among: names) == nearest)
  }
}
