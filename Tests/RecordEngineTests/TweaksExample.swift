import Foundation
import RecordEngine

// The example program of the article on tweaks. A test compares it with the article.

// Tweaks begin
func tweakableContainer(
  _ model: ManagedObjectModel, server: any Server, file: URL
) throws -> PersistentContainer {
  let container = try PersistentContainer(model: model, configuration: .init(server: server, tweaks: file))
  // Writes everything that can be tweaked, with the values of the model, for you to edit.
  try container.writeTweaks(to: file)
  return container
}
// Tweaks end
