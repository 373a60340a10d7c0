/// The records of a result. Their objects are created when the caller first accesses them.
final class ResultRecords<Element: Record> {
  private let delivered: [RecordID]
  private let context: ManagedObjectContext
  private(set) lazy var records = context.objects(of: ids).compactMap { $0 as? Element }

  init(_ ids: [RecordID], _ context: ManagedObjectContext) {
    (delivered, self.context) = (ids, context)
  }

  /// The identifiers, with those of the records that unsaved records have become.
  var ids: [RecordID] {
    context.applySuccessors()
    return context.successors.isEmpty ? delivered : delivered.map(context.successors.current)
  }
}
