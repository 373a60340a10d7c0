package import Foundation
import JSONTree
package import RecordModel

/// A file of tweaks, and what a model is with them; read again when it has changed. Rule: `tweaks.file`.
// Unchecked: `known` is read and written under `lock` alone.
package final class TweakFile: @unchecked Sendable {
  private let url: URL
  private let model: ManagedObjectModel
  private let lock = NSLock()
  private var known: Known

  private struct Known {
    /// Nil: there is no file.
    var bytes: Data?
    var schema: Result<Schema, TweakFileError>
  }

  package init(url: URL, model: ManagedObjectModel) {
    self.url = url
    self.model = model
    known = Known(bytes: nil, schema: .success(model.schema))
  }

  /// The schema as the file has it now; the model's own while there is no file. Linear in the file while it stays as it
  /// was, and in the model when it has changed.
  package func schema() throws(TweakFileError) -> Schema {
    let bytes = try Self.bytes(of: url)
    // `withLock` does not say what it throws.
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

  /// Writes a file with everything that can be tweaked, as it is now: what the file says already is kept.
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

  /// Nil if there is no file.
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
  /// The place of the value that a problem is about, or of its key; of the nearest one around it if it is not there.
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
