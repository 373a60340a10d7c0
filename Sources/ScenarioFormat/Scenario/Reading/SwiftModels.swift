package import RecordModel

/// The models in Swift that scenarios of a test target can use.
package struct SwiftModels: Sendable {
  /// The models by the names in `model: {registered: …}`.
  package var registered: [String: ManagedObjectModel]
  /// The model that replaces the models of the scenarios; nil if each scenario uses its own.
  package var replacement: ManagedObjectModel?

  package init(registered: [String: ManagedObjectModel] = [:], replacement: ManagedObjectModel? = nil) {
    self.registered = registered
    self.replacement = replacement
  }
}
