import TestSupport
import Testing

@testable import Causeway

/// The task that effects pass on until one of them has begun.
struct EffectStartTests {
  private let begun = Log<Int>()

  private func begin(_ number: Int) -> EffectStart.Continuation {
    { [begun] error in begun.append(error == nil ? number : -number) }
  }

  @Test func `only the last effect of a task begins`() async {
    let start = EffectStart(.zero, nil, then: begin(1))
    #expect(start.move(.zero, nil, then: begin(2)))
    #expect(start.move(.zero, nil, then: begin(3)))
    await start.run()
    #expect(begun.all == [3])
  }

  @Test func `a task whose effect has begun is not passed on`() async {
    let start = EffectStart(.zero, nil, then: begin(1))
    await start.run()
    #expect(!start.move(.zero, nil, then: begin(2)))
    await start.run()
    #expect(begun.all == [1])
  }

  @Test func `a task is passed on to an effect with a delay, but not to one without delay`() async {
    let slept = Log<Int>()
    let start = EffectStart(.zero, nil, then: begin(1))
    let isMoved = start.move(.seconds(1), { slept.append(1) }, then: begin(2))
    #expect(isMoved)
    #expect(!start.move(.zero, nil, then: begin(3)))
    await start.run()
    #expect(slept.all == [1])
    #expect(begun.all == [2])
  }

  @Test func `the error of the clock ends the last effect`() async {
    let start = EffectStart(.zero, nil, then: begin(1))
    let isMoved = start.move(.seconds(1), { throw CancellationError() }, then: begin(2))
    #expect(isMoved)
    await start.run()
    #expect(begun.all == [-2])
  }

  @Test func `the values of an effect that passes its task on are freed at once`() async {
    let isFreed = Gate()
    let start = EffectStart(.zero, nil) { [witness = Witness(isFreed)] _ in
      withExtendedLifetime(witness) {}
    }
    #expect(start.move(.zero, nil, then: begin(2)))
    #expect(isFreed.isPassable)
  }
}
