import Causeway
import TestSupport
import Testing

/// Debounced effects that replace sleeping effects.
@MainActor
struct MovedDeadlineTests {
  let clock = ManualClock()

  private func rivals(_ seconds: Int) -> Rivals {
    let rivals = Rivals(
      .debounce(for: .seconds(seconds)), model: ViewModel(Script(), clock: clock))
    rivals.openAll()
    return rivals
  }

  @Test func `effects that replace a sleeping effect wait for its sleep and no other`() async {
    let counting = CountingClock()
    let model = ViewModel(Script(), clock: counting)
    let starts = Log<Int>()
    var last: ActionTask?
    for number in 0..<100 {
      last = model.run { _ in
        .perform(.debounce(for: .seconds(1)), id: "search") { _ in starts.append(number) }
      }
      if number == 0 { await counting.clock.sleepers(1) }
    }
    #expect(model.runningEffects == ["search"])
    counting.clock.advance(by: .seconds(1))
    await last?.finish()
    #expect(starts.all == [99])
    // The deadline did not move after the last request, so the task slept at most twice.
    #expect(counting.sleeps.all.count <= 2)
  }

  @Test func `a deadline that moves while the task sleeps is kept exactly`() async {
    let rivals = rivals(3)
    rivals.request(0)
    await clock.sleepers(1)
    clock.advance(by: .seconds(2))
    rivals.request(1)
    clock.advance(by: .seconds(2))
    // The task woke at 3 and sleeps until 5.
    await clock.sleepers(1)
    let last = rivals.request(2)
    clock.advance(by: .seconds(1))
    // The task woke at 5 and sleeps until 7.
    await clock.sleepers(1)
    clock.advance(by: .milliseconds(1_999))
    #expect(rivals.starts.all == [])
    clock.advance(by: .milliseconds(1))
    await last.finish()
    #expect(rivals.starts.all == [2])
    #expect(rivals.model.runningEffects.isEmpty)
  }

  @Test func `a shorter delay starts the effect earlier`() async {
    let long = rivals(10)
    let short = Rivals(.debounce(for: .seconds(1)), model: long.model)
    short.openAll()
    let first = long.request(0)
    await clock.sleepers(1)
    let second = short.request(1)
    await clock.sleepers(1, within: .seconds(1))
    clock.advance(by: .seconds(1))
    await second.finish()
    await first.finish()
    #expect(long.starts.all == [])
    #expect(short.starts.all == [1])
  }

  @Test(arguments: [false, true])
  func `a cancellation ends the effect that replaced a sleeping one`(isClosing: Bool) async {
    let starts = Log<Int>()
    var model: ViewModel? = ViewModel(Script(), clock: clock)
    var last: ActionTask?
    for number in 0..<2 {
      last = model?.run { _ in
        .perform(.debounce(for: .seconds(1)), id: "search") { _ in starts.append(number) }
      }
      await clock.sleepers(1)
    }
    if isClosing {
      model = nil
    } else {
      model?.run { _ in .cancel("search") }
      #expect(model?.runningEffects == [])
    }
    await last?.finish()
    clock.advance(by: .seconds(2))
    #expect(starts.all == [])
  }

  @Test func `a sequence that replaces a sleeping one runs after the whole delay`() async {
    let model = ViewModel(Script(), clock: clock)
    var last: ActionTask?
    for number in 0..<3 {
      last = model.run { _ in
        .sequence(
          .debounce(for: .seconds(2)), id: "save", .perform { send in await send(.add(number)) },
          .action(.add(10 + number)))
      }
      await clock.sleepers(1)
      clock.advance(by: .seconds(1))
    }
    await clock.sleepers(1)
    #expect(model.numbers == [])
    clock.advance(by: .seconds(1))
    await last?.finish()
    #expect(model.numbers == [2, 12])
    #expect(model.runningEffects.isEmpty)
  }

  @Test func `the values of a replaced effect are freed at once`() async {
    let model = ViewModel(Script(), clock: clock)
    let isFreed = Gate()
    model.run { [witness = Witness(isFreed)] _ in
      .perform(.debounce(for: .seconds(1)), id: "search") { _ in withExtendedLifetime(witness) {} }
    }
    await clock.sleepers(1)
    let last = model.run { _ in .perform(.debounce(for: .seconds(1)), id: "search") { _ in } }
    await isFreed.waitUncancellably()
    clock.advance(by: .seconds(1))
    await last.finish()
  }

  @Test func `an effect whose clock throws ends, and its error is reported`() async {
    let errors = Log<String>()
    let model = ViewModel(
      Script(), clock: BrokenClock(), onError: { errors.append($0.description) })
    let starts = Log<Int>()
    await model.run { _ in
      .perform(.debounce(for: .seconds(1)), id: "search") { _ in starts.append(1) }
    }.finish()
    #expect(starts.all == [])
    #expect(errors.all.count == 1)
    #expect(model.runningEffects.isEmpty)
  }

  @Test(arguments: [(BrokenClock.Problem() as any Error, 1), (CancellationError(), 0)])
  func `a sequence whose clock throws ends with the sequence around it, and reports the error`(
    error: any Error, reports: Int
  ) async {
    let errors = Log<String>()
    let model = ViewModel(
      Script(), clock: BrokenClock(error: error), onError: { errors.append($0.description) })
    await model.run { _ in
      .sequence(
        .sequence(.debounce(for: .seconds(1)), id: "search", .action(.add(1)), .action(.add(2))),
        .action(.add(3)))
    }.finish()
    #expect(model.numbers == [])
    #expect(errors.all.count == reports)
    #expect(model.runningEffects.isEmpty)
  }

  @Test(.timeLimit(.minutes(10)))
  func `the last effect runs once, even if requests arrive while delays end`() async {
    for _ in 0..<300 {
      let model = ViewModel(Script())
      var tasks: [ActionTask] = []
      for number in 0..<6 {
        let task = model.run { _ in
          .perform(.debounce(for: .microseconds(20)), id: "search") { send in
            await send(.add(number))
          }
        }
        tasks.append(task)
        await Task.yield()
      }
      for task in tasks { await task.finish() }
      #expect(model.numbers == model.numbers.sorted())
      #expect(Set(model.numbers).count == model.numbers.count)
      #expect(model.numbers.last == 5)
      #expect(model.runningEffects.isEmpty)
    }
  }
}

/// A manual clock that counts the sleeps.
private struct CountingClock: Clock {
  let clock = ManualClock()
  let sleeps = Log<ManualClock.Instant>()

  var now: ManualClock.Instant { clock.now }
  var minimumResolution: Duration { .zero }

  func sleep(until deadline: ManualClock.Instant, tolerance: Duration?) async throws {
    sleeps.append(deadline)
    try await clock.sleep(until: deadline, tolerance: tolerance)
  }
}

/// A clock on which no task can sleep.
private struct BrokenClock: Clock {
  struct Problem: Error {}

  var error: any Error = Problem()
  var now: ContinuousClock.Instant { .now }
  var minimumResolution: Duration { .zero }

  func sleep(until deadline: ContinuousClock.Instant, tolerance: Duration?) async throws {
    throw error
  }
}
