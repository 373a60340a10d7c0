extension Duration {
  /// The duration in seconds.
  package var inSeconds: Double { self / .seconds(1) }

  /// The duration in seconds with three decimals, such as `0.042`, as reports for other programs state it.
  package var decimalText: String {
    let milliseconds = max(0, Int64((self / .milliseconds(1)).rounded()))
    let fraction = String(milliseconds % 1000)
    return "\(milliseconds / 1000).\(String(repeating: "0", count: 3 - fraction.count))\(fraction)"
  }

  /// The duration in seconds without superfluous decimals, such as `10` or `0.5`.
  package var shortText: String {
    var text = decimalText
    while text.hasSuffix("0") { text.removeLast() }
    return text.hasSuffix(".") ? String(text.dropLast()) : text
  }
}
