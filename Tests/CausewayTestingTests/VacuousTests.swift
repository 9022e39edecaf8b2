import Causeway
import CausewayTesting
import TestSupport
import Testing

@MainActor
@Suite struct `Vacuous explorations` {
  private let search: Search = Search()
  private let failures = Log<String>()

  private func options(
    time: ExplorationOptions.Time = .standsStill, allowsVacuousTrials: Bool = false
  ) -> ExplorationOptions {
    ExplorationOptions(
      time: time, allowsVacuousTrials: allowsVacuousTrials,
      reporter: FailureReporter { [failures] message, _ in failures.append(message) })
  }

  @Test func `effects waiting for a clock that never advances are a failure`() async {
    let result = await exploreInterleavings(
      of: search, script: [.edit("a"), .edit("ab")], options: options()
    ) { state in
      #expect(state.results.isEmpty)
    }
    #expect(result.trials == 1)
    #expect(result.failure?.reason.hasPrefix("The trial is vacuous. ") == true)
    #expect(
      failures.all.first?.contains("effect search #2 sleeps on the test clock until 0.3 seconds")
        == true)
  }

  @Test func `endless effects are a failure`() async {
    let gate = Gate()
    let stuck = Interact(initialValue: false) { (_: inout Bool, _: Bool) in
      .perform(id: "stuck") { send in
        await send { $0 = true }
        await gate.wait()
      }
    }
    let result = await exploreInterleavings(of: stuck, script: [true], options: options()) { _ in }
    #expect(result.failure?.reason.contains("No effect has ended.") == true)
    #expect(result.failure?.reason.contains("effect stuck #1 is suspended outside") == true)
    let allowed = await exploreInterleavings(
      of: stuck, script: [true], trials: 2, options: options(allowsVacuousTrials: true)
    ) { _ in }
    #expect(allowed.failure == nil)
  }

  @Test func `an effect may wait for a task that sleeps`() async {
    let result = await exploreInterleavings(
      in: { TestClock() },
      of: { clock in
        Interact(initialValue: 0) { (_: inout Int, sleeps: Bool) in
          guard sleeps else { return .perform { send in await send { $0 += 1 } } }
          return .perform { _ in
            await Task { @MainActor in try? await clock.sleep(for: .seconds(60)) }.value
          }
        }
      }, clock: { $0 }, trials: 20, options: options(time: .passes(upTo: .seconds(1)))
    ) { model, _ in
      await model.send(true)
      await model.send(false)
    } check: { state, _ in
      #expect(state == 1)
    }
    #expect(result.failure == nil)
  }

  @Test func `a script without effects is a failure`() async {
    let plain = Interact(initialValue: 0) { (count: inout Int, _: Bool) in
      count += 1
      return .state
    }
    let result = await exploreInterleavings(of: plain, script: [true], options: options()) { _ in }
    #expect(result.failure?.reason.contains("No effect was started") == true)
  }

  @Test func `a script can advance the time`() async {
    let result = await exploreInterleavings(
      of: search, script: [.edit("a"), .edit("ab")] + .wait(.milliseconds(300)), trials: 100,
      options: options()
    ) { state in
      #expect(state.results == ["ab guide"])
    }
    #expect(result.failure == nil)
  }

  @Test func `a wait is removed from a script that fails without it`() async {
    struct Found: Error {}
    let result = await exploreInterleavings(
      of: search,
      script: .wait(.seconds(1)) + [.edit("a"), .edit("ab")] + .wait(.milliseconds(300)),
      options: options()
    ) { state in
      if !state.results.isEmpty { throw Found() }
    }
    #expect(result.failure?.scriptLengths?.original == 4)
    #expect(result.failure?.scriptLengths?.shrunk == 2)
  }

  @Test func `automatic advances of the clock are part of the order`() async {
    let results = Log<[String]>()
    let asked = Log<String>()
    let result = await exploreInterleavings(
      of: Search { query in
        asked.append(query)
        return [query]
      }, script: [.edit("a"), .edit("ab")], trials: 200,
      options: options(time: .passes(upTo: .seconds(1)))
    ) { state in
      results.append(state.results)
    }
    #expect(result.failure == nil)
    #expect(Set(results.all) == [["ab"]])
    #expect(Set(asked.all) == ["a", "ab"])
    #expect(asked.all.filter { $0 == "a" }.count < 200)
  }
}
