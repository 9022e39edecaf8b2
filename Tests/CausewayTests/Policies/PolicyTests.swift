import Causeway
import TestSupport
import Testing

@MainActor
struct PolicyTests {
  @Test func `an id from the view model's running effects identifies the effect, even if implicit`()
    async
  {
    let model = ViewModel(Script())
    model.run { _ in .perform(.latest) { _ in await Gate().wait() } }
    let id = model.runningEffects[0]
    model.run { _ in .perform(.latest, id: id) { _ in await Gate().wait() } }
    #expect(model.runningEffects == [id])
  }

  @Test func `parallel effects without an id are cancelled by their id from the view model`()
    async
  {
    let rivals = Rivals(.parallel, id: nil)
    let tasks = (0..<3).map { rivals.request($0) }
    let other = Gate()
    rivals.model.run { _ in .perform { _ in await other.wait() } }
    let ids = rivals.model.runningEffects
    rivals.model.run { _ in .cancel(ids[0]) }
    #expect(rivals.model.runningEffects == [ids[3]])
    rivals.openAll()
    for task in tasks { await task.finish() }
    #expect(rivals.model.numbers == [])
    rivals.model.run { _ in .cancel(ids[3]) }
    #expect(rivals.model.runningEffects.isEmpty)
  }

  @Test func `a parallel effect without an id replaces no effect of the same call site`() async {
    let parallel = Rivals(.parallel, id: nil)
    let latest = Rivals(.latest, id: nil, model: parallel.model)
    let tasks = [parallel.request(0), latest.request(1), latest.request(2), parallel.request(3)]
    #expect(parallel.model.runningEffects.count == 3)
    #expect(Set(parallel.model.runningEffects).count == 1)
    parallel.openAll()
    latest.openAll()
    for task in tasks { await task.finish() }
    #expect(Set(parallel.model.numbers) == [0, 2, 3])
  }

  @Test(arguments: [EffectPolicy.parallel, .latest])
  func `the implicit id of a row's effect does not cancel effects of other rows`(
    _ policy: EffectPolicy
  ) {
    let model = ViewModel(Berths())
    for berth in 0..<3 { model.send(.berth(berth, .load(policy))) }
    let ids = model.runningEffects
    #expect(Set(ids).count == 1)
    model.send(.berth(1, .stop(ids[0])))
    #expect(model.runningEffects.count == 2)
    model.send(.berth(1, .stop(ids[0])))
    #expect(model.runningEffects.count == 2)
  }

  @Test(arguments: [EffectPolicy.parallel, .latest])
  func `the second interactor of a body cancels its own effects by their implicit id`(
    _ policy: EffectPolicy
  ) {
    let model = ViewModel(Pier())
    model.send(.load(policy))
    #expect(model.runningEffects.count == 1)
    model.send(.stop(model.runningEffects[0]))
    #expect(model.runningEffects.isEmpty)
  }

  @Test func `parallel effects with one id run together and are cancelled together`() async {
    let rivals = Rivals(.parallel)
    let tasks = (0..<4).map { rivals.request($0) }
    await rivals.starts.wait(for: 4)
    #expect(rivals.model.runningEffects.count == 4)
    rivals.gates[2].open()
    await tasks[2].finish()
    rivals.model.run { _ in .cancel("rivals") }
    #expect(rivals.model.runningEffects.isEmpty)
    rivals.openAll()
    for task in tasks { await task.finish() }
    #expect(rivals.model.numbers == [2])
  }

  @Test func `the latest effect replaces earlier ones`() async {
    let rivals = Rivals(.latest)
    let first = rivals.request(0)
    await rivals.starts.wait(for: 1)
    let second = rivals.request(1)
    #expect(rivals.model.runningEffects.count == 1)
    // The wait for its action has already ended.
    await first.finish()
    rivals.openAll()
    await second.finish()
    #expect(rivals.model.numbers == [1])
  }

  @Test func `only the latest of many effects in one turn changes the state`() async {
    for _ in 0..<50 {
      let rivals = Rivals(.latest)
      rivals.openAll()
      let tasks = (0..<8).map { rivals.request($0) }
      #expect(rivals.model.runningEffects.count == 1)
      for task in tasks { await task.finish() }
      #expect(rivals.model.numbers == [7])
    }
  }

  @Test func `while the first effect runs, others are dropped`() async {
    let rivals = Rivals(.first)
    let first = rivals.request(0)
    let second = rivals.request(1)
    await second.finish()
    #expect(rivals.model.runningEffects.count == 1)
    rivals.openAll()
    await first.finish()
    await rivals.request(2).finish()
    #expect(rivals.starts.all == [0, 2])
    #expect(rivals.model.numbers == [0, 2])
  }

  @Test func `serial effects run one after the other, in the order of their actions`() async {
    let rivals = Rivals(.serial)
    let tasks = (0..<4).map { rivals.request($0) }
    #expect(rivals.model.runningEffects.count == 4)
    for number in (1..<4).reversed() { rivals.gates[number].open() }
    await rivals.starts.wait(for: 1)
    #expect(rivals.starts.all == [0])
    rivals.gates[0].open()
    for task in tasks { await task.finish() }
    #expect(rivals.starts.all == [0, 1, 2, 3])
    #expect(rivals.model.numbers == [0, 1, 2, 3])
    #expect(rivals.model.runningEffects.isEmpty)
  }

  @Test func `a serial effect cancelled while it waits leaves the queue`() async {
    let rivals = Rivals(.serial)
    let tasks = (0..<4).map { rivals.request($0) }
    tasks[1].cancel()
    await tasks[1].finish()
    rivals.openAll()
    for task in tasks { await task.finish() }
    #expect(rivals.starts.all == [0, 2, 3])
  }

  @Test func `cancelling an action's effects starts none of its queued effects`() async {
    for _ in 0..<100 {
      let model = ViewModel(Script())
      let starts = Log<Int>()
      let task = model.run { _ in
        .merge(
          (0..<8).map { number in
            .perform(.serial, id: "queue") { _ in
              starts.append(number)
              await Gate().wait()
            }
          })
      }
      await starts.wait(for: 1)
      task.cancel()
      await task.finish()
      #expect(model.runningEffects.isEmpty)
      // An effect started by mistake would run before the next one in this queue.
      await model.run { _ in .perform(.serial, id: "queue") { _ in starts.append(8) } }.finish()
      #expect(starts.all == [0, 8])
    }
  }

  @Test func `effects of different call sites do not replace each other`() async {
    let model = ViewModel(Script())
    await model.run { _ in
      .merge(
        .perform(.latest) { send in await send(.add(1)) },
        .perform(.latest) { send in await send(.add(2)) })
    }.finish()
    #expect(model.numbers.sorted() == [1, 2])
  }

  @Test func `effects of one call site without an id replace each other`() async {
    let rivals = Rivals(.first, id: nil)
    let first = rivals.request(0)
    rivals.request(1)
    #expect(rivals.model.runningEffects.count == 1)
    rivals.openAll()
    await first.finish()
    #expect(rivals.model.numbers == [0])
  }

  @Test func `ids are equal when their values are equal`() {
    nonisolated struct User: Hashable { let id: Int }
    nonisolated struct Group: Hashable { let id: Int }
    #expect(EffectID("a") == "a")
    #expect(EffectID(User(id: 1)) == EffectID(User(id: 1)))
    #expect(EffectID(User(id: 1)) != EffectID(User(id: 2)))
    #expect(EffectID(User(id: 1)) != EffectID(Group(id: 1)))
    #expect(EffectID(User(id: 1)).hashValue == EffectID(User(id: 1)).hashValue)
  }

  @Test func `cancelling an id does not cancel other ids`() async {
    let model = ViewModel(Script())
    let one = Rivals(.parallel, id: EffectID(1), model: model)
    let two = Rivals(.parallel, id: EffectID(2), model: model)
    one.request(0)
    let task = two.request(1)
    model.run { _ in .cancel(EffectID(1)) }
    #expect(model.runningEffects == [EffectID(2)])
    two.openAll()
    await task.finish()
    #expect(model.numbers == [1])
  }
}

/// Starts effects without ids that end only when they are cancelled.
private struct Berth: Interactor {
  nonisolated struct State: Identifiable, Sendable {
    var id = 0
  }

  enum Action: Sendable {
    case load(EffectPolicy)
    case stop(EffectID)
  }

  var body: some InteractorOf<Self> {
    Interact<State, Action>(initialValue: State()) { _, action in
      switch action {
      case .load(let policy): .perform(policy) { _ in await Gate().wait() }
      case .stop(let id): .cancel(id)
      }
    }
  }
}

private struct Berths: Interactor {
  struct State: Sendable {
    var berths = IdentifiedArray(uniqueElements: (0..<3).map { Berth.State(id: $0) })
  }

  enum Action: Sendable {
    case berth(Int, Berth.Action)

    var berth: (Int, Berth.Action)? {
      switch self {
      case .berth(let id, let action): (id, action)
      }
    }
  }

  var body: some InteractorOf<Self> {
    Interact<State, Action>(initialValue: State()) { _, _ in .state }
      .forEach(\.berths, action: \.berth, embed: Action.berth) { Berth() }
  }
}

private struct Pier: Interactor {
  var body: some Interactor<Berth.State, Berth.Action> {
    Interact<Berth.State, Berth.Action>(initialValue: Berth.State()) { _, _ in .state }
    Berth()
  }
}
