import JSONTree
import RecordModel
import Testing

@testable import RecordEngine

/// A context on a store that makes requests with given responses, one after another.
struct ResponseContext {
  let engine: ReferenceEngine
  private(set) var context: ManagedObjectContext
  private let server = NextResponse()
  private let container: PersistentContainer
  /// The test store, which retains the folder of the file.
  private let test: TestStore

  /// Creates a context on a new store.
  init(_ model: RandomModel, on kind: StoreKind = .memory) throws {
    let checked = try model.checked()
    self.init(model, checked, try TestStore(kind, checked.schema))
  }

  init(_ model: RandomModel, store: any Store, recognizesRepetition: Bool = true) throws {
    self.init(model, try model.checked(), TestStore(store), recognizesRepetition: recognizesRepetition)
  }

  private init(
    _ model: RandomModel, _ checked: ManagedObjectModel, _ test: TestStore, recognizesRepetition: Bool = true
  ) {
    self.test = test
    engine = ReferenceEngine(model, checked.schema, test.store)
    container = PersistentContainer(
      model: checked, store: test.store, configuration: .init(server: server),
      recognizesRepetition: recognizesRepetition)
    context = container.makeContext()
  }

  /// Returns a child of the context, with the same store and server.
  func makeChild() -> ResponseContext {
    var child = self
    child.context = context.makeChild()
    return child
  }

  func attempt(
    _ response: JSONValue, of entity: EntityName, isPersisted: Bool, isDryRun: Bool = false,
    deletesOrphans: Bool = false, isolation: isolated (any Actor)? = #isolation
  ) async throws -> Result<RequestResult<Record>, RequestFailure> {
    server.set(response)
    var options = RequestOptions()
    options.automaticallyPersistsRecords = isPersisted
    options.isDryRun = isDryRun
    if deletesOrphans { options.orphans = OrphanDeletion() }
    if engine.model.hooked != nil {
      options.prePopulation = { [model = engine.model] in model.hookAnswer($0.dictionary.value, $0.entity) }
    }
    do {
      return .success(
        try await container.request(entity, urn: "next", options: options, context: context))
    } catch let failure as RequestFailure {
      return .failure(failure)
    }
  }
}

extension RandomModel {
  /// The model with `nullify` rules in place of its `deny` rules.
  var withoutDenials: RandomModel {
    var model = self
    for index in model.entities.indices {
      for side in model.entities[index].relationships.indices
      where model.entities[index].relationships[side].deleteRule == .deny {
        model.entities[index].relationships[side].deleteRule = .nullify
      }
    }
    return model
  }

  /// Returns a model in which all items have keys. The seed determines deletions and requirements.
  static func keyed(_ seed: UInt64, _ random: inout RandomNumbers) -> RandomModel {
    var model = RandomModel(&random, isKeyed: true, isDemanding: seed % 4 < 3)
    if seed % 2 == 0 { model.addRequirements(&random, deletions: true) }
    let keys = Set(model.entities.compactMap { model.isKeyedByParent($0) ? $0.primaryKey.first : nil })
    for index in model.entities.indices {
      if model.entities[index].deletedWhen != nil {
        model.entities[index].deletedWhen = RecordPredicate("gone == true")
      }
      for side in model.entities[index].relationships.indices {
        model.entities[index].relationships[side].stubs = .create
        // If a member requires several owners, the time of saving determines which ones keep it.
        let inverse = model.inverse(model.entities[index].relationships[side])
        if inverse.map({ $0.isToMany && (!$0.isOptional || $0.minCount > 0) }) ?? false {
          model.entities[index].relationships[side].assignment = .union
        }
        guard model.entities[index].relationships[side].inverse.map(keys.contains) ?? false else { continue }
        model.entities[index].relationships[side].isToMany = false
        model.entities[index].relationships[side].assignment = .union
        model.entities[index].relationships[side].minCount = 0
        model.entities[index].relationships[side].maxCount = 0
      }
    }
    if seed % 3 == 0 { model.addChain(&random) }
    return model
  }
}
