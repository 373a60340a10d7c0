extension ModelReader {
  func xcodeModel(at path: String, namedBy node: YAMLNode) -> Draft? { nil }
}
