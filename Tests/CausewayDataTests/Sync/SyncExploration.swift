import CausewayData
import CausewayTesting
import TestSupport
import Testing

@testable import CausewayBasics
@testable import CausewaySync

/// Explores the engine, the outbox and the session in many orders of their steps, and with planted
/// faults that the search must detect.
@MainActor
@Suite(.oneAtATime, .timeLimit(.minutes(10)))
struct SyncExploration {
  typealias Action = ExploredInteractor.Action
  typealias Model = TrialModel<Int, Action>

  // MARK: Logout

  /// All operations that store data of an account, each running when the logout comes.
  private nonisolated static let operations: [[Action]] = [
    [.refresh],
    [.refresh, .refreshOther],
    [.perform([.write(Note(id: "n", title: "1"))])],
    [.perform([.write(Note(id: "n", title: "1")), .star(id: "n")]), .perform([.star(id: "n")])],
    [.undo("k", .write(Note(id: "n", title: "1")))],
    [
      .spoil(.failAfterwards(RemoteFailure(.timedOut))), .perform([.write(Note(id: "n"))]),
      .retryNow,
    ],
    [.refuse("write"), .perform([.write(Note(id: "n"))]), .resend],
    [.read(.networkOnly), .read(.cacheFirst), .read(.staleWhileRevalidate)],
  ]

  @Test(arguments: operations.indices)
  func `a logout during any operation leaves no data of the account`(index: Int) async {
    await exploreInterleavings(
      in: { ExploredWorld() }, of: { ExploredInteractor(world: $0) }, clock: { $0.clock },
      trials: scaled(60)
    ) { model, world in
      await Self.logOut(during: Self.operations[index], model, world)
    } check: { _, world in
      try Self.nothingIsLeft(world)
    }
  }

  @Test func `a change of the account keeps only the unsent changes of the old account`() async {
    await exploreInterleavings(
      in: { ExploredWorld() }, of: { ExploredInteractor(world: $0) }, clock: { $0.clock },
      trials: scaled(60)
    ) { model, world in
      await Self.logOut(
        during: [.perform([.write(Note(id: "n"))]), .refresh, .signIn("bob")], model, world)
    } check: { _, world in
      let last = try #require(world.sights.all.last)
      #expect(last.rows == last.unsent)
      #expect(world.failures.all == [])
    }
  }

  @Test func `the search detects a session whose tickets never expire`() async throws {
    let result = await explorePlanted {
      ExploredWorld(sessions: { EndlessSession($0) })
    } script: { model, world in
      await Self.logOut(during: [.refresh], model, world)
    } check: { world in
      try Self.nothingIsLeft(world)
    }
    #expect(result.failure != nil)
  }

  private static func logOut(
    during operation: [Action], _ model: Model, _ world: ExploredWorld
  ) async {
    await world.server.put(Note(id: "s", title: "server's"), account: "ada")
    await model.send(.start)
    for action in operation { await model.send(action) }
    await model.send(.logout)
    await model.settle()
    await model.clock.run(upTo: .seconds(10))
    await model.send(.look)
  }

  private static func nothingIsLeft(_ world: ExploredWorld) throws {
    #expect(world.sights.all.last?.rows == 0)
    #expect(world.failures.all == [])
  }

  // MARK: Order and coverage

  private static let writes: [Action] = [
    .perform([.write(Note(id: "n", title: "1")), .rename(id: "n", title: "2")]), .refresh,
    .put(Note(id: "m", title: "theirs")), .refreshOther,
    .spoil(.failAfterwards(RemoteFailure(.timedOut))),
    .refresh,
  ]

  @Test func `mutations arrive once, in order, and stay visible until data covers them`() async {
    await exploreInterleavings(
      in: { ExploredWorld() }, of: { ExploredInteractor(world: $0) }, clock: { $0.clock },
      trials: scaled(200)
    ) { model, world in
      await Self.deliver(model, world)
    } check: { _, world in
      try Self.isDelivered(world)
    }
  }

  @Test func `the search detects an entry that disappears with its acknowledgement`() async {
    let result = await explorePlanted {
      ExploredWorld(receipt: .final)
    } script: { model, world in
      await Self.deliver(model, world)
    } check: { world in
      try Self.isDelivered(world)
    }
    #expect(result.failure != nil)
  }

  private static func deliver(_ model: Model, _ world: ExploredWorld) async {
    await model.send(.start)
    for action in writes { await model.send(action) }
    await model.settle()
    await model.clock.run(upTo: .seconds(600))
    await model.send(.refreshOther)
    await model.settle()
    await model.send(.look)
  }

  private static func isDelivered(_ world: ExploredWorld) throws {
    #expect(world.failures.all == [])
    // Once shown, the row never disappears, and its title never changes back.
    var last = ""
    for sight in world.sights.all {
      let title = sight.titles["n"] ?? ""
      #expect(title >= last)
      last = title
    }
    // Two base rows and a cursor: no entry waits, and no overlay row is left.
    #expect(world.sights.all.last == .init(titles: ["n": "2", "m": "theirs"], rows: 3))
  }

  // MARK: Late responses

  private static let reads: [Action] = [
    .put(Note(id: "n", title: "1")), .refresh, .put(Note(id: "n", title: "2")), .refreshOther,
    .put(Note(id: "n", title: "3")), .refresh, .refreshOther,
  ]

  @Test func `a read never reverts the rows to an older state`() async {
    await exploreInterleavings(
      in: { ExploredWorld() }, of: { ExploredInteractor(world: $0) },
      script: TrialScript(Self.reads),
      trials: scaled(300)
    ) { _, world in
      try Self.neverGoesBack(world)
    }
  }

  @Test func `the search detects a read that ignores its starting version`() async throws {
    let result = await explorePlanted {
      ExploredWorld()
    } script: { model, _ in
      for action in Self.reads {
        if case .refreshOther = action {
          await model.send(.refreshForgetfully)
        } else {
          await model.send(action)
        }
      }
    } check: { world in
      try Self.neverGoesBack(world)
    }
    #expect(result.failure != nil)
  }

  private static func neverGoesBack(_ world: ExploredWorld) throws {
    #expect(world.failures.all == [])
    var last = ""
    for sight in world.sights.all {
      let title = sight.titles["n"] ?? ""
      #expect(title >= last, "\(last) was stored before \(title)")
      last = title
    }
  }

  /// Explores a faulty world and returns the failure instead of recording an issue.
  private func explorePlanted(
    in world: @escaping @MainActor () -> ExploredWorld,
    script: @escaping @MainActor (Model, ExploredWorld) async throws -> Void,
    check: @escaping @MainActor (ExploredWorld) throws -> Void
  ) async -> ExplorationResult {
    await exploreInterleavings(
      in: world, of: { ExploredInteractor(world: $0) }, clock: { $0.clock }, trials: 300,
      options: ExplorationOptions(reporter: FailureReporter { _, _ in }), run: script
    ) { _, world in
      try check(world)
    }
  }
}

/// A session service that reports logouts but whose tickets never expire.
private final class EndlessSession: SessionServiceProtocol {
  private let session: SessionService
  private let endless = CurrentEpoch()

  init(_ session: SessionService) { self.session = session }

  var current: SessionTicket? {
    session.current.map { SessionTicket(account: $0.account, epoch: 0, current: endless) }
  }

  func changes() -> AsyncStream<SessionChange> { session.changes() }
  func add(_ participant: SessionParticipant) { session.add(participant) }
  func join(_ participant: SessionParticipant) -> Registration { session.join(participant) }
  func signIn(_ account: AccountID) async throws -> SessionTicket {
    try await session.signIn(account)
  }
  func logout() async throws(SessionError) { try await session.logout() }
}
