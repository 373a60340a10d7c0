/// The kind of store on which scenarios run.
package enum StoreKind: String, CaseIterable, Sendable {
  case memory, sqlite
}
