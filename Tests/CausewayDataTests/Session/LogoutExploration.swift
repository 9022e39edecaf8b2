import Causeway
import CausewayData
import CausewayTesting
import TestSupport
import Testing

private let old = AuthToken(access: "old")
private let new = AuthToken(access: "new")
private let other = AuthToken(access: "other")

/// The operations that both kinds of sessions have.
private protocol Session: Sendable {
  func token(replacing refused: AuthToken) async throws -> AuthToken
  func signOut() async throws
  func signIn(_ token: AuthToken, as account: AccountID) async throws
}

extension AuthSessionService: Session {}

/// The planted fault: it stores the refreshed token without checking the session, and returns any
/// stored token.
private actor CarelessSession: Session {
  private let store: MemoryTokenStore

  init(_ store: MemoryTokenStore) { self.store = store }

  func token(replacing refused: AuthToken) async throws -> AuthToken {
    guard let current = store.load() else { throw AuthSessionError.signedOut }
    guard current == refused else { return current }
    await suspensionPoint()
    store.save(new)
    return new
  }

  func signOut() { store.remove() }

  func signIn(_ token: AuthToken, as account: AccountID) { store.save(token) }
}

@MainActor private final class World {
  let store = MemoryTokenStore(old)
  let session: any Session
  /// Refreshes run in an effect, so the exploration also orders their steps.
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

/// Rejected requests and a logout, as effects.
private struct Requests: Interactor {
  struct State: Sendable, Equatable {
    var isSignedOut = false
    var isSignedIn = false
    var tokens: [String] = []
  }

  enum Action: Sendable, Equatable {
    case run
    case refused
    case logout
    case signIn
  }

  let world: World

  var body: some InteractorOf<Self> {
    Interact(initialValue: State()) {
      [session = world.session, work = world.work] state, action in
      switch action {
      case .run:
        return .observe(id: "run") { _, _ in
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
      case .signIn:
        return .perform { send in
          try await session.signIn(other, as: "bob")
          await send { $0.isSignedIn = true }
        }
      }
    }
  }
}

@MainActor
@Suite(.oneAtATime, .timeLimit(.minutes(10)))
struct LogoutExploration {
  private func explore(
    _ script: [Requests.Action], isCareful: Bool,
    check: @escaping @MainActor (Requests.State, World) -> Void
  ) async -> ExplorationResult {
    await exploreInterleavings(
      in: { World(isCareful: isCareful) }, of: { Requests(world: $0) },
      trials: isCareful ? scaled(2_000) : 2_000,
      options: ExplorationOptions(reporter: isCareful ? .automatic : FailureReporter { _, _ in })
    ) { model, _ in
      for action in script { await model.send(action) }
    } check: {
      check($0, $1)
    }
  }

  private func exploreLogout(isCareful: Bool) async -> ExplorationResult {
    await explore([.run, .refused, .refused, .logout, .refused], isCareful: isCareful) {
      state, world in
      #expect(state.isSignedOut)
      #expect(state.tokens.count == 3)
      #expect(world.store.load() == nil)
    }
  }

  /// An account replaces another one while the other's requests are rejected.
  private func exploreSwitch(isCareful: Bool) async -> ExplorationResult {
    await explore([.run, .refused, .signIn, .refused], isCareful: isCareful) { state, world in
      #expect(state.isSignedIn)
      #expect(state.tokens.count == 2)
      #expect(!state.tokens.contains("other"))
      #expect(world.store.load()?.access == "other")
    }
  }

  @Test func `in every order of refreshes and a logout no token remains`() async {
    let result = await exploreLogout(isCareful: true)
    #expect(result.failure == nil)
  }

  @Test func `the search detects a session that stores a token without checking`() async {
    let result = await exploreLogout(isCareful: false)
    #expect(result.failure != nil)
  }

  @Test func `no order of refreshes and a sign-in mixes the tokens of two accounts`() async {
    let result = await exploreSwitch(isCareful: true)
    #expect(result.failure == nil)
  }

  @Test func `the search detects a session that mixes the tokens of two accounts`() async {
    let result = await exploreSwitch(isCareful: false)
    #expect(result.failure != nil)
  }
}
