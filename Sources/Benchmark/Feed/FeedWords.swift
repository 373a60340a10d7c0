/// The words of the generated texts.
enum FeedWords {
  static let plain = """
    river harbour lantern meadow copper window market garden winter summer signal paper bridge engine letter mirror \
    basket candle planet feather island orchard pebble ribbon saddle timber valley willow anchor button canvas drawer \
    ember fabric glacier hammer indigo jacket kettle ladder magnet needle ocean pencil quartz rocket silver thunder \
    umbrella velvet walnut yellow zephyr amber blossom cobalt dune echo fjord grove hazel iris
    """.split(separator: " ").map(String.init)

  private static let common = """
    the a of and to in is it that for on with as was at by this from or had not but what all were when we there can an \
    your which their said if do will each about how up out them then she many some so these would other into has more \
    her two like him see time could no make than first been its who now people my made over did down only way find use
    """.split(separator: " ").map(String.init)

  /// Words with characters beyond ASCII, or that JSON escapes.
  private static let odd = [
    "café", "naïve", "smörgås", "東京", "🙂", "façade", "\"quoted\"", "line\nbreak", "tab\there",
  ]

  static func sentence(of count: Int, _ numbers: inout SeededNumbers) -> String {
    var text = numbers.pick(plain).capitalized
    for _ in 1..<count {
      text += " "
      text += numbers.once(in: 60) ? numbers.pick(odd) : numbers.pick(numbers.once(in: 3) ? plain : common)
    }
    return text + "."
  }
}

extension String {
  /// The text with an uppercase first letter.
  var capitalized: String { prefix(1).uppercased() + dropFirst() }
}
