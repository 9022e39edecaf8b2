import Causeway
import TestSupport
import Testing

@MainActor
struct PolicyTests {
  @Test func `an effect's id from the view model names it, also where none was given`() async {
    let model = ViewModel(Script())
    model.run { _ in .perform(.latest) { _ in await Gate().wait() } }
    let id = model.runningEffects[0]
    model.run { _ in .perform(.latest, id: id) { _ in await Gate().wait() } }
    #expect(model.runningEffects == [id])
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

  @Test func `the latest effect takes over`() async {
    let rivals = Rivals(.latest)
    let first = rivals.request(0)
    await rivals.starts.wait(for: 1)
    let second = rivals.request(1)
    #expect(rivals.model.runningEffects.count == 1)
    // Its action has nothing to wait for any more.
    await first.finish()
    rivals.openAll()
    await second.finish()
    #expect(rivals.model.numbers == [1])
  }

  @Test func `of many in one turn only the latest effect applies`() async {
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

  @Test func `a serial effect that is cancelled while it waits leaves the queue`() async {
    let rivals = Rivals(.serial)
    let tasks = (0..<4).map { rivals.request($0) }
    tasks[1].cancel()
    await tasks[1].finish()
    rivals.openAll()
    for task in tasks { await task.finish() }
    #expect(rivals.starts.all == [0, 2, 3])
  }

  @Test func `cancelling a cascade starts none of its queued effects`() async {
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
      // The next one in this queue comes after whatever was wrongly started.
      await model.run { _ in .perform(.serial, id: "queue") { _ in starts.append(8) } }.finish()
      #expect(starts.all == [0, 8])
    }
  }

  @Test func `effects of different call sites are no rivals`() async {
    let model = ViewModel(Script())
    await model.run { _ in
      .merge(
        .perform(.latest) { send in await send(.add(1)) },
        .perform(.latest) { send in await send(.add(2)) })
    }.finish()
    #expect(model.numbers.sorted() == [1, 2])
  }

  @Test func `effects of one call site are rivals without an id`() async {
    let rivals = Rivals(.first, id: nil)
    let first = rivals.request(0)
    rivals.request(1)
    #expect(rivals.model.runningEffects.count == 1)
    rivals.openAll()
    await first.finish()
    #expect(rivals.model.numbers == [0])
  }

  @Test func `ids are equal when their values are`() {
    nonisolated struct User: Hashable { let id: Int }
    nonisolated struct Group: Hashable { let id: Int }
    #expect(EffectID("a") == "a")
    #expect(EffectID(User(id: 1)) == EffectID(User(id: 1)))
    #expect(EffectID(User(id: 1)) != EffectID(User(id: 2)))
    #expect(EffectID(User(id: 1)) != EffectID(Group(id: 1)))
    #expect(EffectID(User(id: 1)).hashValue == EffectID(User(id: 1)).hashValue)
  }

  @Test func `cancelling an id leaves other ids alone`() async {
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
