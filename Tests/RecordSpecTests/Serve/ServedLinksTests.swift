import Testing

@testable import AdapterConnection

/// Tests for the links of responses, and of what an app sends.
struct ServedLinksTests {
  private let links = ServedLinks([
    ("https://api.test", "http://127.0.0.1:5001"), ("https://images.test", "http://127.0.0.1:50010"),
  ])

  @Test(arguments: [
    ("http://127.0.0.1:5001/posts?page=2", "https://api.test/posts?page=2"),
    (#"{"image": "http:\/\/127.0.0.1:50010\/1.png"}"#, #"{"image": "https:\/\/images.test\/1.png"}"#),
    ("/preview?url=http%3A%2F%2F127.0.0.1%3A5001%2Fposts", "/preview?url=https%3A%2F%2Fapi.test%2Fposts"),
    ("http://127.0.0.1:6000/", "http://127.0.0.1:6000/"),
  ])
  func whatAnAppSendsHasTheAddressesOfTheScenario(sent: String, restored: String) {
    #expect(links.restored(sent) == restored)
    #expect(links.restored(Array(sent.utf8)) == Array(restored.utf8))
  }

  @Test func bytesThatAreNoTextAreKept() {
    #expect(links.restored([0xFF, 0x31]) == [0xFF, 0x31])
  }
}
