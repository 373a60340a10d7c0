public import JSONTree
public import RecordModel

/// The contents of an Xcode data model. Its entities are not validated against each other yet, so that further
/// declarations can be applied first.
///
/// ```swift
/// let xcode = XcodeDataModel(at: "App.xcdatamodeld")
/// if xcode.problems.allSatisfy({ $0.problem.severity == .warning }) {
///   let model = try ManagedObjectModel(entities: xcode.entities)
/// }
/// ```
///
/// The key of an entity is its user info `MMRecordEntityPrimaryAttributeKey`. The alternate name of a property is its
/// user info `MMRecordAttributeAlternateNameKey`. Rules: `model.inheritance`, `mapping.alternate-name`,
/// `identity.inherited`.
///
/// With MMRecord, a JSON null leaves a property unchanged. Here it clears the property, unless `nulls: keep` is
/// declared for the model. Rule: `mapping.null`.
public struct XcodeDataModel: Sendable {
  /// The entities, in the order of the file. Empty if the file cannot be read.
  public private(set) var entities: [EntityDescription] = []

  /// The errors and warnings about each part of the model, in the order of the file.
  public private(set) var problems: [Problem] = []

  /// The path of the file `contents` of the current version; if it cannot be found, the path at which the search ended.
  public let file: String

  /// The bytes of the file; empty if the file cannot be read.
  public let bytes: [UInt8]

  /// The line numbers, starting at 1, of entities, properties and their user info. The keys are the paths of a
  /// `ModelProblem`, for example `/entities/Post/relationships/user`.
  public private(set) var lines: [JSONPointer: Int] = [:]

  /// An error or a warning, with its location in the file.
  public struct Problem: Hashable, Sendable {
    /// The error or the warning.
    public let problem: ModelProblem
    /// The path of the file.
    public let file: String
    /// The line, starting at 1. Nil if the problem concerns the file as a whole.
    public let line: Int?

    /// The file and the line, for example `App.xcdatamodeld/App.xcdatamodel/contents:12`.
    public var location: String { line.map { "\(file):\($0)" } ?? file }
  }

  /// Reads the current version of an `.xcdatamodeld`, or a single `.xcdatamodel`.
  ///
  /// The initializer does not throw. If the model cannot be read, ``problems`` contains the reason.
  public init(at path: String) {
    do throws(XcodeModelFileError) {
      let found = try XcodeModelFile(at: path)
      self.init(parsing: found.bytes, file: found.path)
    } catch {
      self.init(unreadable: error)
    }
  }

  /// Returns the files and folders that `init(at:)` may read, so that callers can check them before.
  public static func files(of path: String) -> [String] { XcodeModelFile.files(of: path) }

  /// Parses the bytes of a file `contents`. Problems refer to it as `file`.
  public init(parsing bytes: [UInt8], file: String) {
    self.file = file
    self.bytes = bytes
    do throws(XMLSyntaxError) {
      let root = try XcodeModelElement(parsing: bytes)
      var reader = XcodeModelReader()
      reader.read(root)
      entities = reader.entities
      lines = reader.lines
      problems = reader.problems.map { Problem(problem: $0.problem, file: file, line: $0.line) }
    } catch {
      let problem = ModelProblem(
        code: "xcode-model", path: JSONPointer(), message: error.message, advice: error.advice)
      problems = [Problem(problem: problem, file: file, line: error.line)]
    }
  }

  private init(unreadable error: XcodeModelFileError) {
    file = error.path
    bytes = []
    problems = [Problem(problem: error.problem, file: error.path, line: nil)]
  }

  /// Returns the line of the deepest part of the path that is in the file; nil if no part of the path is.
  public func line(of path: JSONPointer) -> Int? {
    var path = path
    while !path.tokens.isEmpty {
      if let line = lines[path] { return line }
      path.tokens.removeLast()
    }
    return nil
  }
}
