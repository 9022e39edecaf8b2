import Causeway
import CausewayData
import CausewayTesting
import TestSupport
import Testing

private let old = AuthToken(access: "old")
private let new = AuthToken(access: "new")

/// What both kinds of sessions can do.
private protocol Session: Sendable {
  func token(replacing refused: AuthToken) async throws -> AuthToken
  func signOut() async throws
}

extension AuthSessionService: Session {}

/// The planted failure: stores what the refresh brings without looking whether the session goes on.
private actor CarelessSession: Session {
  private let store: MemoryTokenStore

  init(_ store: MemoryTokenStore) { self.store = store }

  func token(replacing refused: AuthToken) async throws -> AuthToken {
    guard store.load() != nil else { throw AuthSessionError.signedOut }
    await suspensionPoint()
    store.save(new)
    return new
  }

  func signOut() { store.remove() }
}

@MainActor private final class World {
  let store = MemoryTokenStore(old)
  let session: any Session
  /// Refreshes run in an effect, so that the exploration orders their steps too.
  let work: AsyncStream<@concurrent @Sendable () async -> Void>

  init(isCareful: Bool) {
    let (work, added) = AsyncStream.makeStream(of: (@concurrent @Sendable () async -> Void).self)
    self.work = work
    session =
      isCareful
      ? AuthSessionService(
        store: store, onStoreFailure: { _ in },
        spawn: { job in
          added.yield(job)
          return {}
        },
        refresh: { _ in
          await suspensionPoint()
          return new
        }) : CarelessSession(store)
  }
}

/// Requests that are refused, and a logout, as effects.
private struct Requests: Interactor {
  struct State: Sendable, Equatable {
    var isSignedOut = false
    var tokens: [String] = []
  }

  enum Action: Sendable, Equatable {
    case run
    case refused
    case logout
  }

  let world: World

  var body: some InteractorOf<Self> {
    Interact(initialValue: State()) {
      [session = world.session, work = world.work] state, action in
      switch action {
      case .run:
        return .perform { _ in
          for await job in work { await job() }
        }
      case .refused:
        return .perform { send in
          do {
            let token = try await session.token(replacing: old)
            await send { $0.tokens.append(token.access) }
          } catch {
            await send { $0.tokens.append("none") }
          }
        }
      case .logout:
        return .perform { send in
          try await session.signOut()
          await send { $0.isSignedOut = true }
        }
      }
    }
  }
}

@MainActor
@Suite(.oneAtATime, .timeLimit(.minutes(10)))
struct LogoutExploration {
  private func explore(
    isCareful: Bool, trials: Int, reporter: FailureReporter = .automatic
  ) async -> ExplorationResult {
    await exploreInterleavings(
      in: { World(isCareful: isCareful) }, of: { Requests(world: $0) }, trials: trials,
      reporter: reporter
    ) { model, _ in
      await model.send(.run)
      await model.send(.refused)
      await model.send(.refused)
      await model.send(.logout)
      await model.send(.refused)
    } check: { state, world in
      #expect(state.isSignedOut)
      #expect(state.tokens.count == 3)
      #expect(world.store.load() == nil)
    }
  }

  @Test func `no order of refreshes and a logout leaves a token`() async {
    let result = await explore(isCareful: true, trials: 2_000)
    #expect(result.failure == nil)
  }

  @Test func `a session that stores without looking is found out`() async {
    let result = await explore(
      isCareful: false, trials: 2_000, reporter: FailureReporter { _, _ in })
    #expect(result.failure != nil)
  }
}
