import Causeway
import CausewayData
import CausewaySQLite
import CausewayTesting
import Synchronization
import TestSupport
import Testing

/// Counts in a database, in one transaction or in two, with a concurrent watcher.
private struct Counter: Interactor {
  enum Action: Sendable { case watch, countInOne, countInTwo }

  struct State: Sendable, Equatable {
    var seen: [Int] = []
    var done = 0
  }

  let service: InMemoryPersistenceService

  var body: some Interactor<State, Action> {
    Interact(initialValue: State()) { [service] _, action in
      switch action {
      case .watch:
        return .perform(id: "watch") { send in
          let counts = service.observe("SELECT id FROM boat", as: Int.self)
          for try await rows in counts {
            guard let count = rows.first else { continue }
            await send { $0.seen.append(count) }
            if count == 2 { return }
          }
        } catch: { _, _ in
        }
      case .countInOne:
        return .perform(.parallel, id: "count") { send in
          try await service.write { transaction in
            let count = try transaction.row("SELECT id FROM boat", as: Int.self) ?? 0
            try transaction.execute("UPDATE boat SET id = \(count + 1)")
          }
          await send { $0.done += 1 }
        } catch: { _, _ in
        }
      case .countInTwo:
        return .perform(.parallel, id: "count") { send in
          let count = try await service.read {
            try $0.row("SELECT id FROM boat", as: Int.self) ?? 0
          }
          await suspensionPoint()
          try await service.write { try $0.execute("UPDATE boat SET id = \(count + 1)") }
          await send { $0.done += 1 }
        } catch: { _, _ in
        }
      }
    }
  }
}

@MainActor
@Suite(.timeLimit(.minutes(10))) struct InterleavingTests {
  private static let migrations =
    boats + [Migration("a boat", "INSERT INTO boat VALUES (0, 'Ada')")]

  private func explore(
    _ script: [Counter.Action], reporter: FailureReporter? = nil,
    check: @escaping @MainActor (Counter.State) throws -> Void
  ) async -> ExplorationResult {
    await exploreInterleavings(
      in: { try InMemoryPersistenceService(migrations: Self.migrations) },
      of: { Counter(service: $0) }, script: TrialScript(script),
      trials: reporter == nil ? scaled(200) : 200,
      options: ExplorationOptions(reporter: reporter ?? .automatic)
    ) { state, _ in try check(state) }
  }

  struct Wrong: Error {}

  @Test func `The test controls the order of transactions in memory and detects a lost update`()
    async
  {
    let found = Mutex<[String]>([])
    let result = await explore(
      [.watch, .countInTwo, .countInTwo],
      reporter: FailureReporter { message, _ in found.withLock { $0.append(message) } }
    ) { state in
      if state.done == 2, state.seen.last != 2 { throw Wrong() }
    }
    #expect(result.failure != nil)
    #expect(found.withLock { $0.count } == 1)
    // It fails again with the same seed, so the test controlled all steps.
    #expect(result.failure.map { "\($0)" }?.contains("outside the test's control") == false)
  }

  @Test func `Transactions in memory are atomic in every order, and their watchers end`() async {
    _ = await explore([.watch, .countInOne, .countInOne, .watch]) { state in
      if state.done != 2 || state.seen.last != 2 { throw Wrong() }
      if state.seen.contains(where: { !(0...2).contains($0) }) { throw Wrong() }
    }
  }
}
