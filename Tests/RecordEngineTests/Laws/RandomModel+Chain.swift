import JSONTree
import RecordModel

/// Entities each of which takes the next with it when it is deleted, and responses that move what stands between the ends.
extension RandomModel {
  /// Adds folders that take their notes with them, and notes that take their files.
  mutating func addChain(_ random: inout RandomNumbers) {
    var pinned = RelationshipDescription("pinned", to: "Note")
    pinned.isToMany = random.chance(50)
    var files = RelationshipDescription("files", toMany: "File", inverse: "note", deleteRule: .cascade)
    files.isOrdered = random.chance(30)
    entities += [
      EntityDescription(
        "Folder", primaryKey: "folderID", attributes: [AttributeDescription("folderID", .int64)],
        relationships: [
          RelationshipDescription("notes", toMany: "Note", inverse: "folder", deleteRule: .cascade), pinned,
        ]),
      EntityDescription(
        "Note", primaryKey: "noteID",
        attributes: [AttributeDescription("noteID", .int64), AttributeDescription("noteText", .string)],
        relationships: [RelationshipDescription("folder", to: "Folder", inverse: "notes"), files]),
      EntityDescription(
        "File", primaryKey: "fileID",
        attributes: [AttributeDescription("fileID", .int64), AttributeDescription("fileText", .string)],
        relationships: [RelationshipDescription("note", to: "Note", inverse: "files")]),
    ]
    entities[entities.count - 3].deletedWhen = RecordPredicate("gone == true")
  }

  var hasChain: Bool { entities.contains { $0.name == "Folder" } }

  /// Responses that fill a folder, move its note to another one, and say that the first folder is gone.
  static let chainResponses: [(entity: EntityName, response: JSONValue)] = [
    (
      "Folder",
      [
        [
          "folderID": 1,
          "notes": [["noteID": 1, "files": [["fileID": 1], ["fileID": 2, "fileText": "t1"]]]],
        ],
        ["folderID": 2, "pinned": [1]],
      ]
    ),
    ("Note", [["noteID": 1, "folder": 2]]),
    ("Folder", [["folderID": 1, "gone": true]]),
  ]
}
