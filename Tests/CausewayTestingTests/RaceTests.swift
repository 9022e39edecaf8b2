import Causeway
import CausewayTesting
import Synchronization
import TestSupport
import Testing

/// Adds one with each action, by reading, waiting and writing, or by an update.
private struct Counter: Interactor {
  enum Action: Sendable { case readAndWrite, update }

  var handled = Log<Action>()

  var body: some Interactor<Int, Action> {
    Interact(initialValue: 0) { [handled] _, action in
      handled.append(action)
      switch action {
      case .readAndWrite:
        return .observe(.parallel, id: "add") { state, send in
          let count = await state.current
          await send(replacing: count + 1)
        }
      case .update:
        return .perform(id: "add") { send in
          await send { $0 += 1 }
        }
      }
    }
  }
}

/// Searches with a given policy on a server with its own response times.
private struct Finder: Interactor {
  struct State: Sendable, Equatable {
    var query = ""
    var result = ""
  }

  let policy: EffectPolicy

  var body: some Interactor<State, String> {
    Interact(initialValue: State()) { [policy] state, query in
      state.query = query
      return .perform(policy, id: "find") { send in
        await suspensionPoint()
        await send { $0.result = query }
      }
    }
  }
}

/// Sells its only item once: checks, waits and writes.
private actor Shop {
  private var stock = 1
  private(set) var sold = 0
  private let isCareful: Bool

  init(isCareful: Bool) {
    self.isCareful = isCareful
  }

  func buy() async {
    if isCareful {
      guard stock > 0 else { return }
      stock -= 1
      await suspensionPoint()
      sold += 1
    } else {
      guard stock > 0 else { return }
      await suspensionPoint()
      stock -= 1
      sold += 1
    }
  }
}

private struct Buyer: Interactor {
  let shop: Shop

  var body: some Interactor<Int, Bool> {
    Interact(initialValue: 0) { [shop] _, _ in
      .perform(id: "buy") { send in
        await shop.buy()
        let sold = await shop.sold
        await send { $0 = max($0, sold) }
      }
    }
  }
}

/// Has one item to sell, and rejects every later customer.
private actor Register {
  struct SoldOut: Error {}

  private var stock = 1

  func buy() async throws {
    await suspensionPoint()
    guard stock > 0 else { throw SoldOut() }
    stock -= 1
  }
}

/// Sends requests while it has no result.
///
/// It ignores requests in progress and does not handle a rejection.
private struct Customer: Interactor {
  let register: Register

  var body: some Interactor<Int, Bool> {
    Interact(initialValue: 0) { [register] bought, _ in
      guard bought == 0 else { return .state }
      return .perform(id: "buy") { send in
        try await register.buy()
        await send { $0 += 1 }
      }
    }
  }
}

/// Stores the `send` of one effect, and calls it in another effect.
private struct Keeper: Interactor {
  enum Action: Sendable { case keep, use }

  let kept = Log<Send<Int, Action>>()

  var body: some Interactor<Int, Action> {
    Interact(initialValue: 0) { [kept] _, action in
      switch action {
      case .keep:
        return .perform(id: "keep") { send in
          kept.append(send)
          await suspensionPoint()
        }
      case .use:
        return .perform(id: "use") { _ in
          for send in kept.all { await send { $0 += 1 } }
        }
      }
    }
  }
}

/// A sheet that is dismissed when an effect has finished.
private struct Presenter: Interactor {
  struct State: Sendable { var sheet: Int? = 0 }

  enum Action: Sendable {
    case save, count

    var count: Bool? { self == .count ? true : nil }
  }

  var body: some InteractorOf<Self> {
    Interact(initialValue: State()) { (_: inout State, action: Action) in
      guard action == .save else { return .state }
      return .perform(id: "save") { send in
        await suspensionPoint()
        await send { $0.sheet = nil }
      }
    }
    .ifLet(\.sheet, action: \.count, embed: { _ in .count }) {
      Interact(initialValue: 0) { (count: inout Int, _: Bool) in
        count += 1
        return .state
      }
    }
  }
}

@MainActor
@Suite("Exploration finds planted races")
struct RaceTests {
  private let failures = Log<String>()

  private var options: ExplorationOptions {
    ExplorationOptions(
      reporter: FailureReporter { [failures] message, _ in failures.append(message) })
  }

  private func options(
    onError: (@MainActor (RuntimeError) -> Void)?
  ) -> ExplorationOptions {
    var options = options
    options.onError = onError
    return options
  }

  @Test func `a lost update is found and its script is shrunk to two actions`() async throws {
    let script = TrialScript(Array(repeating: Counter.Action.readAndWrite, count: 8))
    let result = await exploreInterleavings(
      in: { Log() }, of: { Counter(handled: $0) }, script: script, options: options
    ) { count, handled in
      #expect(count == handled.all.count)
    }
    let failure = try #require(result.failure)
    #expect(failure.scriptLengths?.shrunk == 2)
    print(failure)
    let seed = try #require(failure.seed)
    var replayed = options
    replayed.seed = seed
    let replay = await exploreInterleavings(
      in: { Log() }, of: { Counter(handled: $0) }, script: script, options: replayed
    ) { count, handled in
      #expect(count == handled.all.count)
    }
    #expect(replay.failure?.steps == failure.steps)
  }

  @Test func `an update closure loses no update`() async {
    let result = await exploreInterleavings(of: Counter(), options: options) { model in
      for _ in 0..<4 { await model.send(.update) }
    } check: { state in
      #expect(state == 4)
    }
    #expect(result.failure == nil)
    #expect(result.trials == 1_000)
  }

  @Test func `each trial begins with the given state`() async {
    let result = await exploreInterleavings(
      of: Counter(), initialState: 5, script: [.update, .update], trials: 10, options: options
    ) { #expect($0 == 7) }
    #expect(result.failure == nil)
  }

  @Test func `no order of two update closures loses an update`() async {
    var options = options
    options.search = .everyOrder
    let result = await exploreInterleavings(
      of: Counter(), script: [.update, .update], trials: 100_000, options: options
    ) { state in
      #expect(state == 2)
    }
    #expect(result.failure == nil)
    #expect(result.isComplete)
  }

  @Test func `a stale result is found with parallel`() async throws {
    let result = await exploreInterleavings(
      of: Finder(policy: .parallel), script: ["a", "b", "c", "d"], options: options
    ) { state in
      #expect(state.result == state.query)
    }
    let failure = try #require(result.failure)
    #expect(failure.scriptLengths?.shrunk == 2)
    print(failure)
  }

  @Test func `a stale result never arrives with latest`() async {
    let result = await exploreInterleavings(
      of: Finder(policy: .latest), script: ["a", "b", "c", "d"], options: options
    ) { state in
      #expect(state.result == state.query)
    }
    #expect(result.failure == nil)
  }

  @Test func `no order of two searches has a stale result with latest`() async {
    var options = options
    options.search = .everyOrder
    let result = await exploreInterleavings(
      of: Finder(policy: .latest), script: ["a", "b"], trials: 100_000, options: options
    ) { state in
      #expect(state.result == state.query)
    }
    #expect(result.failure == nil)
    #expect(result.isComplete)
  }

  @Test func `the search detects a check in an actor that an await invalidates`() async throws {
    let result = await exploreInterleavings(
      in: { Shop(isCareful: false) }, of: { Buyer(shop: $0) },
      script: TrialScript(Array(repeating: true, count: 6)), options: options
    ) { sold, _ in
      #expect(sold <= 1)
    }
    let failure = try #require(result.failure)
    #expect(failure.scriptLengths?.shrunk == 2)
    print(failure)
  }

  @Test func `an error that is uncaught only in some orders is found for every check`()
    async throws
  {
    let result = await exploreInterleavings(
      in: { Register() }, of: { Customer(register: $0) },
      script: TrialScript(Array(repeating: true, count: 6)), options: options
    ) { bought, _ in
      #expect(bought <= 1)
    }
    let failure = try #require(result.failure)
    #expect(failure.scriptLengths?.shrunk == 2)
    #expect(
      failure.reason == """
        The runtime reports: The effect buy threw an error that nothing catches: SoldOut(). Give it \
        a catch: closure.
        """)
    #expect(failure.steps.contains { $0.hasPrefix("The runtime reports: The effect buy threw") })
    #expect(failures.all == [failure.description])
    print(failure)
  }

  @Test func `a send kept after its effect is reported in addition to the check's failure`() async {
    struct NotCounted: Error {}
    let result = await exploreInterleavings(of: Keeper(), options: options) { model in
      await model.send(.keep)
      await model.settle()
      await model.send(.use)
    } check: { count in
      if count == 0 { throw NotCounted() }
    }
    #expect(result.trials == 1)
    #expect(
      result.failure?.reason.hasPrefix(
        "NotCounted()\nThe runtime reports: The effect keep had ended when its send was called")
        == true)
  }

  @Test func `an action for a child just removed by an effect does not fail a trial`() async {
    let late = Log<String>()
    for onError: (@MainActor (RuntimeError) -> Void)? in [nil, { late.append("\($0)") }] {
      let result = await exploreInterleavings(
        of: Presenter(), script: [.save, .count], trials: 100, options: options(onError: onError)
      ) { state in
        #expect(state.sheet == nil)
      }
      #expect(result.failure == nil)
    }
    #expect(late.all.contains { $0.contains("for a missing child") })
  }

  @Test func `errors handled by the caller do not fail a trial`() async {
    let errors = Log<String>()
    let result = await exploreInterleavings(
      in: { Register() }, of: { Customer(register: $0) }, script: [true, true], trials: 100,
      options: options(onError: { errors.append("\($0)") })
    ) { bought, _ in
      #expect(bought <= 1)
    }
    #expect(result.failure == nil)
    #expect(errors.all.contains { $0.contains("SoldOut()") })
  }

  @Test func `an actor that writes before its await passes`() async {
    let result = await exploreInterleavings(
      in: { Shop(isCareful: true) }, of: { Buyer(shop: $0) },
      script: TrialScript(Array(repeating: true, count: 6)), trials: 300, options: options
    ) { sold, _ in
      #expect(sold <= 1)
    }
    #expect(result.failure == nil)
  }
}
