import JSONTree
import RecordModel

/// Adds entities with cascading deletions, and responses that move a record in the middle of the chain.
extension RandomModel {
  /// Adds folders that cascade to their notes, and notes that cascade to their files.
  mutating func addChain(_ random: inout RandomNumbers) {
    var pinned = RelationshipDescription("pinned", to: "Note")
    pinned.isToMany = random.chance(60)
    pinned.isOrdered = pinned.isToMany && random.chance(50)
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

  /// Responses that fill a folder, move its note to another folder, and then delete the first folder.
  static let chainResponses: [(entity: EntityName, response: JSONValue)] = [
    (
      "Folder",
      [
        [
          "folderID": 1,
          "notes": [["noteID": 1, "files": [["fileID": 1], ["fileID": 2, "fileText": "t1"]]]],
        ],
        ["folderID": 2, "pinned": [1, 3]],
      ]
    ),
    ("Note", [["noteID": 1, "folder": 2]]),
    ("Folder", [["folderID": 1, "gone": true]]),
  ]
}
