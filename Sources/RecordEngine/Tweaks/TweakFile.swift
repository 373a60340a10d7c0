package import Foundation
import JSONTree
package import RecordModel

/// A file of tweaks and the schema of a model with them. The file is applied again after it has changed.
/// Rule: `tweaks.file`.
// Unchecked: `known` is accessed only under `lock`.
package final class TweakFile: @unchecked Sendable {
  private let url: URL
  private let model: ManagedObjectModel
  private let lock = NSLock()
  private var known: Known

  private struct Known {
    /// The contents of the file, or nil if there is no file.
    var bytes: Data?
    var schema: Result<Schema, TweakFileError>
  }

  package init(url: URL, model: ManagedObjectModel) {
    self.url = url
    self.model = model
    known = Known(bytes: nil, schema: .success(model.schema))
  }

  /// Returns the schema with the current tweaks of the file, or the schema of the model if there is no file.
  ///
  /// - Complexity: O(*n*), where *n* is the size of the file. If the file has changed, the size of the model is added.
  package func schema() throws(TweakFileError) -> Schema {
    let bytes = try Self.bytes(of: url)
    // `withLock` does not support typed errors.
    lock.lock()
    defer { lock.unlock() }
    if known.bytes != bytes { known = Known(bytes: bytes, schema: schema(of: bytes)) }
    return try known.schema.get()
  }

  private func schema(of bytes: Data?) -> Result<Schema, TweakFileError> {
    guard let bytes else { return .success(model.schema) }
    do throws(TweakFileError) {
      var schema = try Self.tweaks(bytes, of: model, url).schema
      schema.tweaks = Array(bytes)
      return .success(schema)
    } catch {
      return .failure(error)
    }
  }

  /// Writes a file with the current values of everything that can be tweaked. The tweaks that the file already contains
  /// are kept.
  package static func write(_ model: ManagedObjectModel, to url: URL) throws(TweakFileError) {
    let bytes = try bytes(of: url)
    let tweaks = try bytes.map { bytes throws(TweakFileError) in try Self.tweaks(bytes, of: model, url).tweaks
    }
    let text = model.tweakableValues(keeping: tweaks ?? ModelTweaks()).canonicalText()
    do {
      try Data(text.utf8).write(to: url, options: .atomic)
    } catch {
      throw TweakFileError(url, "cannot be written: \(error.localizedDescription)")
    }
  }

  // MARK: Reading

  /// Returns the contents of the file, or nil if there is no file.
  private static func bytes(of url: URL) throws(TweakFileError) -> Data? {
    do {
      return try Data(contentsOf: url)
    } catch let error as CocoaError where error.code == .fileReadNoSuchFile {
      return nil
    } catch {
      throw TweakFileError(url, "cannot be read: \(error.localizedDescription)")
    }
  }

  private static func tweaks(
    _ bytes: Data, of model: ManagedObjectModel, _ url: URL
  ) throws(TweakFileError) -> (tweaks: ModelTweaks, schema: Schema) {
    let document: JSONDocument
    do {
      document = try JSONDocument(parsing: Array(bytes))
    } catch {
      throw TweakFileError(url, [TweakFileError.Problem(error.location, error.message)])
    }
    do {
      let tweaks = try ModelTweaks(document, of: model)
      return (tweaks, try model.schema(with: tweaks))
    } catch {
      throw TweakFileError(
        url,
        error.problems.map { problem in
          TweakFileError.Problem(
            document.location(of: problem),
            problem.message + (problem.advice.map { "; \($0)" } ?? ""))
        })
    }
  }
}

extension JSONDocument {
  /// Returns the location of the value or the key that a problem is about. If it is missing, returns the location of
  /// the nearest value that contains it.
  fileprivate func location(of problem: TweakProblem) -> JSONLocation {
    var (node, location) = (root, root.location)
    for token in problem.pointer.tokens {
      let last = Array(node.rawMembers).last { $0.key == token }
      guard let child = last?.value ?? node.value(at: JSONPointer(tokens: [token])) else { break }
      node = child
      location = problem.isAboutKey ? last?.key.location ?? child.location : child.location
    }
    return location
  }
}
