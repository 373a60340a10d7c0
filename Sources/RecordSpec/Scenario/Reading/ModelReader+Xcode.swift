extension ModelReader {
  /// What an Xcode model says.
  func xcodeModel(at path: String, namedBy node: YAMLNode) -> Draft? {
    findings.report(
      .notSupportedYet, at: node.span, "Xcode models are not supported yet", advice: "write the model in YAML"
    )
    return nil
  }
}
