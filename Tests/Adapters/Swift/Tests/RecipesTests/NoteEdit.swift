/// The arguments of the action `editNote`.
struct NoteEdit: Decodable {
  var recipe: Int
  var note: String?
}
