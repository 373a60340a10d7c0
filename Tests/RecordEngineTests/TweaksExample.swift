import Foundation
import RecordEngine

// The program of the article on tweaks.

// Tweaks begin
func tweakableContainer(
  _ model: ManagedObjectModel, server: any Server, file: URL
) throws -> PersistentContainer {
  let container = PersistentContainer(model: model, server: server, tweaks: file)
  // A file with everything that can be said, as the model says it, to be edited by hand.
  try container.writeTweaks(to: file)
  return container
}
// Tweaks end
