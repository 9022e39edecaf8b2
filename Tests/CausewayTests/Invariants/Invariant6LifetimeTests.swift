import Causeway
import TestSupport
import Testing

@MainActor
@Suite("Invariant 6: lifetime")
struct Invariant6LifetimeTests {
  @Test func `a running effect does not keep a view model alive, and is cancelled with it`() async {
    var model: ViewModel? = ViewModel(Script())
    weak let reference = model
    let isStarted = Gate()
    let isCancelled = Gate()
    model?.run { _ in
      .perform { send in
        isStarted.open()
        await Gate().wait()
        await send(.add(1))
        isCancelled.open()
      }
    }
    await isStarted.wait()
    model = nil
    #expect(reference == nil)
    await isCancelled.wait()
  }

  @Test func `the registry is empty after many effects have ended`() async {
    let model = ViewModel(Script())
    for _ in 0..<10 {
      await model.run { _ in .merge((0..<1_000).map { _ in .perform { _ in } }) }.finish()
    }
    #expect(model.runningEffects.isEmpty)
  }

  @Test func `a view model can go away while a thousand effects run`() async {
    let ends = Log<Int>()
    let starts = Log<Int>()
    let areAllStarted = Gate()
    let areAllEnded = Gate()
    var model: ViewModel? = ViewModel(Script())
    weak let reference = model
    model?.run { _ in
      .merge(
        (0..<1_000).map { number in
          .perform { send in
            starts.append(number)
            if starts.all.count == 1_000 { areAllStarted.open() }
            await Gate().wait()
            await send(.add(number))
            ends.append(number)
            if ends.all.count == 1_000 { areAllEnded.open() }
          }
        })
    }
    await areAllStarted.wait()
    model = nil
    #expect(reference == nil)
    await areAllEnded.waitUncancellably()
  }

  @Test func `the state is freed when its effects have ended`() async {
    final class Witness: Sendable {
      let isFreed: Gate
      init(_ isFreed: Gate) { self.isFreed = isFreed }
      deinit { isFreed.open() }
    }
    struct Holder: Interactor {
      let witness: Witness
      var body: some Interactor<Witness, Gate> {
        Interact(initialValue: witness) { _, gate in
          .perform { _ in await gate.wait() }
        }
      }
    }
    let isFreed = Gate()
    var model: ViewModel? = ViewModel(Holder(witness: Witness(isFreed)))
    model?.send(Gate())
    model = nil
    await isFreed.waitUncancellably()
  }

  @Test func `streams of view states end with the view model`() async {
    var model: ViewModel? = ViewModel(Script())
    let states = model?.states
    model?.send(.add(1))
    model = nil
    var last: Script.State?
    for await state in states ?? AsyncStream(unfolding: { nil }) {
      last = state
    }
    #expect(last?.numbers == [1])
  }
}
