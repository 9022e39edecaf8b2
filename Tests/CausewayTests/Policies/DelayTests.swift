import Causeway
import TestSupport
import Testing

@MainActor
struct DelayTests {
  let clock = ManualClock()

  private func rivals(_ policy: EffectPolicy) -> Rivals {
    let rivals = Rivals(policy, model: ViewModel(Script(), clock: clock))
    rivals.openAll()
    return rivals
  }

  @Test func `a debounced effect starts if no other request arrives during the delay`() async {
    let rivals = rivals(.debounce(for: .seconds(3)))
    rivals.request(0)
    await clock.sleepers(1)
    clock.advance(by: .seconds(2))
    let last = rivals.request(1)
    // The earlier effect was dropped when the action was handled.
    #expect(rivals.model.runningEffects.count == 1)
    await clock.sleepers(1)
    clock.advance(by: .seconds(2))
    #expect(rivals.starts.all == [])
    clock.advance(by: .seconds(1))
    await last.finish()
    #expect(rivals.starts.all == [1])
  }

  @Test(.timeLimit(.minutes(10)))
  func `a delay starts when the action is handled, even if all threads are busy`() async {
    let rivals = rivals(.debounce(for: .seconds(3)))
    let task = rivals.request(0)
    // The effects had no time to start sleeping.
    clock.advance(by: .seconds(3))
    await task.finish()
    #expect(rivals.starts.all == [0])
  }

  @Test func `the last of many debounced effects in one turn starts`() async {
    let rivals = rivals(.debounce(for: .seconds(1)))
    let tasks = (0..<8).map { rivals.request($0) }
    #expect(rivals.model.runningEffects.count == 1)
    await clock.sleepers(1)
    clock.advance(by: .seconds(1))
    for task in tasks { await task.finish() }
    #expect(rivals.starts.all == [7])
    #expect(rivals.model.runningEffects.isEmpty)
  }

  @Test func `a debounced effect replaces a started one`() async {
    let rivals = Rivals(
      .debounce(for: .seconds(1)), model: ViewModel(Script(), clock: clock))
    rivals.request(0)
    await clock.sleepers(1)
    clock.advance(by: .seconds(1))
    await rivals.starts.wait(for: 1)
    let second = rivals.request(1)
    rivals.openAll()
    await clock.sleepers(1)
    clock.advance(by: .seconds(1))
    await second.finish()
    #expect(rivals.model.numbers == [1])
  }

  @Test func `a debounced effect of a released view model never starts`() async {
    let starts = Log<Int>()
    var model: ViewModel? = ViewModel(Script(), clock: clock)
    let task = model?.run { _ in
      .perform(.debounce(for: .seconds(1))) { _ in starts.append(1) }
    }
    await clock.sleepers(1)
    model = nil
    await task?.finish()
    clock.advance(by: .seconds(1))
    #expect(starts.all == [])
  }

  @Test func `a throttled effect runs at once, and the last later effect at the window's end`()
    async
  {
    let rivals = rivals(.throttle(for: .seconds(1), latest: true))
    await rivals.request(0).finish()
    let dropped = rivals.request(1)
    let kept = rivals.request(2)
    await dropped.finish()
    #expect(rivals.model.runningEffects.count == 1)
    #expect(rivals.starts.all == [0])
    await clock.sleepers(1)
    clock.advance(by: .seconds(1))
    await kept.finish()
    #expect(rivals.starts.all == [0, 2])
    // The effect that ran at the end of the window opened the next window.
    let next = rivals.request(3)
    #expect(rivals.model.runningEffects.count == 1)
    await clock.sleepers(1)
    #expect(rivals.starts.all == [0, 2])
    clock.advance(by: .seconds(1))
    await next.finish()
    #expect(rivals.starts.all == [0, 2, 3])
  }

  @Test func `without latest, effects that arrive during the window are dropped`() async {
    let rivals = rivals(.throttle(for: .seconds(1), latest: false))
    await rivals.request(0).finish()
    await rivals.request(1).finish()
    await rivals.request(2).finish()
    #expect(rivals.starts.all == [0])
    #expect(rivals.model.runningEffects.isEmpty)
  }

  @Test func `a throttled effect cancelled while it waited never starts`() async {
    let rivals = rivals(.throttle(for: .seconds(1), latest: true))
    await rivals.request(0).finish()
    let waiting = rivals.request(1)
    rivals.model.run { _ in .cancel("rivals") }
    await waiting.finish()
    #expect(rivals.model.runningEffects.isEmpty)
    let next = rivals.request(2)
    await clock.sleepers(1)
    clock.advance(by: .seconds(1))
    await next.finish()
    #expect(rivals.starts.all == [0, 2])
  }

  @Test func `delays of different ids are independent`() async {
    let model = ViewModel(Script(), clock: clock)
    let starts = Log<String>()
    func request(_ id: String, _ seconds: Int) -> ActionTask {
      model.run { _ in
        .perform(.debounce(for: .seconds(seconds)), id: EffectID(id)) { _ in starts.append(id) }
      }
    }
    let slow = request("slow", 2)
    let fast = request("fast", 1)
    await clock.sleepers(2)
    clock.advance(by: .seconds(1))
    await fast.finish()
    #expect(starts.all == ["fast"])
    clock.advance(by: .seconds(1))
    await slow.finish()
    #expect(starts.all == ["fast", "slow"])
  }
}
