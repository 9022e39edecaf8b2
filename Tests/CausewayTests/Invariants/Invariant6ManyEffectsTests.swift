import Causeway
import Synchronization
import TestSupport
import Testing

@MainActor
@Suite("Invariant 6: lifetime of many effects")
struct Invariant6ManyEffectsTests {
  private nonisolated final class Counter: Sendable {
    private let count = Atomic(0)

    var value: Int { count.load(ordering: .relaxed) }

    func add() { count.wrappingAdd(1, ordering: .relaxed) }
  }

  @Test func `many effects leave an empty registry`() async {
    #if REPEATED
      // Only one target runs many rounds, because the result does not depend on isolation.
      let rounds = 1
    #else
      let rounds = runsWholeSizes ? 100 : 3
    #endif
    let model = ViewModel(Script())
    let count = Counter()
    for _ in 0..<rounds {
      await model.run { _ in
        .merge(
          (0..<10_000).map { _ in
            .perform { _ in count.add() }
          })
      }.finish()
      #expect(model.runningEffects.isEmpty)
    }
    #expect(count.value == rounds * 10_000)
  }

  @Test(arguments: [EffectPolicy.parallel, .serial])
  func `ten thousand effects under one id do not slow each other down`(policy: EffectPolicy) async {
    let model = ViewModel(Script())
    await model.run { _ in
      .merge((0..<10_000).map { _ in .perform(policy, id: "one") { _ in } })
    }.finish()
    #expect(model.runningEffects.isEmpty)
  }

  @Test(.timeLimit(.minutes(10)))
  func `the values that an effect captured are freed when the effect has ended`() async {
    final class Witness: Sendable {}
    let model = ViewModel(Script())
    weak var reference: Witness?
    let task: ActionTask
    do {
      let witness = Witness()
      reference = witness
      task = model.run { _ in .perform(.latest, id: "x") { _ in _ = witness } }
    }
    await task.finish()
    // The effect's task may not have released it yet.
    await until { reference == nil }
    #expect(reference == nil)
  }

  @Test(.timeLimit(.minutes(10)))
  func `the captured values are freed when the effect has ended, even if its send is kept`() async {
    /// Keeps the send, as a delegate or a callback that received it would.
    final class Keeper: Sendable {
      let sends = Log<Send<Script.State, Script.Action>>()
    }
    let model = ViewModel(Script())
    weak var reference: Keeper?
    let task: ActionTask
    do {
      let keeper = Keeper()
      reference = keeper
      task = model.run { _ in .perform { send in keeper.sends.append(send) } }
    }
    await task.finish()
    // The effect's task may not have released it yet.
    await until { reference == nil }
    #expect(reference == nil)
  }

  @Test func `a view model is freed even if its state keeps its send`() async {
    final class Holder: Sendable {
      let sends: Mutexed<[Send<Holder, Int>]>
      let isFreed: Gate
      init(_ sends: Mutexed<[Send<Holder, Int>]>, _ isFreed: Gate) {
        (self.sends, self.isFreed) = (sends, isFreed)
      }
      deinit { isFreed.open() }
    }
    struct Keeping: Interactor {
      let sends: Mutexed<[Send<Holder, Int>]>
      let isFreed: Gate
      var body: some Interactor<Holder, Int> {
        Interact(initialValue: Holder(sends, isFreed)) { state, _ in
          let sends = state.sends
          return .perform { send in sends.value = [send] }
        }
      }
    }
    let isFreed = Gate()
    let sends = Mutexed<[Send<Holder, Int>]>([])
    weak var reference: ViewModel<Holder, Int>?
    do {
      let model = ViewModel(Keeping(sends: sends, isFreed: isFreed))
      reference = model
      await model.send(1).finish()
    }
    #expect(reference == nil)
    // The state and the send in it keep each other.
    sends.value = []
    await isFreed.wait()
  }
}
