public import JSONTree
public import RecordModel

/// What an Xcode data model says, as it stands: entities that are not checked against each other yet, so that
/// more can be laid over them first.
///
/// ```swift
/// let xcode = XcodeDataModel(at: "App.xcdatamodeld")
/// if xcode.problems.allSatisfy({ $0.problem.severity == .warning }) {
///   let model = try ManagedObjectModel(entities: xcode.entities)
/// }
/// ```
///
/// The key of an entity is its user info `MMRecordEntityPrimaryAttributeKey`, an alternate name of a property
/// its `MMRecordAttributeAlternateNameKey`. Rules: `model.inheritance`, `mapping.alternate-name`,
/// `identity.inherited`.
///
/// In a model that MMRecord read, a JSON null kept what a property had. Here it clears the property, unless
/// `nulls: keep` is laid over the model. Rule: `mapping.null`.
public struct XcodeDataModel: Sendable {
  /// The entities in the order of the file. Empty if the file cannot be read.
  public private(set) var entities: [EntityDescription] = []

  /// Everything that is wrong or doubtful in the model by itself, in the order of the file.
  public private(set) var problems: [Problem] = []

  /// The file `contents` of the current version; what was to lead there if it could not be found.
  public let file: String

  /// The bytes of the file; empty if it cannot be read.
  public let bytes: [UInt8]

  /// The lines, from 1, on which entities, properties and their user info stand, by the path that a
  /// `ModelProblem` has for them: `/entities/Post/relationships/user`.
  public private(set) var lines: [JSONPointer: Int] = [:]

  /// Something wrong or doubtful, and where in the file.
  public struct Problem: Hashable, Sendable {
    public let problem: ModelProblem
    public let file: String
    /// From 1. Nil if the problem is the file's as a whole.
    public let line: Int?

    /// `App.xcdatamodeld/App.xcdatamodel/contents:12`
    public var location: String { line.map { "\(file):\($0)" } ?? file }
  }

  /// Reads an `.xcdatamodeld`, of which the current version counts, or a single `.xcdatamodel`.
  ///
  /// It never fails: what cannot be read is among the problems.
  public init(at path: String) {
    do throws(XcodeModelFileError) {
      let found = try XcodeModelFile(at: path)
      self.init(parsing: found.bytes, file: found.path)
    } catch {
      self.init(unreadable: error)
    }
  }

  /// The files and folders in a model that `init(at:)` may read, so that they can be checked before.
  public static func files(of path: String) -> [String] { XcodeModelFile.files(of: path) }

  /// Reads the bytes of a file `contents`. `file` is what the problems call it.
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

  /// The line of the deepest part of the model along the path; nil if the file has none of it.
  public func line(of path: JSONPointer) -> Int? {
    var path = path
    while !path.tokens.isEmpty {
      if let line = lines[path] { return line }
      path.tokens.removeLast()
    }
    return nil
  }
}
