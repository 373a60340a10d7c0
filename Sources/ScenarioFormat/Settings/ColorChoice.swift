/// The choice whether output has colors.
package enum ColorChoice: String, Sendable, CaseIterable {
  case auto, always, never
}
