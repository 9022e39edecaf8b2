import Causeway
import TestSupport
import Testing

@MainActor
struct SequenceTests {
  private typealias Emission = Causeway.Emission<Script.State, Script.Action>

  private static func adding(_ number: Int, after gate: Gate? = nil) -> Emission {
    .perform { send in
      await gate?.wait()
      await send(.add(number))
    }
  }

  @Test func `each part starts when all effects of the previous part have ended`() async {
    let model = ViewModel(Script())
    let gate = Gate()
    let starts = Log<Int>()
    let task = model.run { _ in
      .sequence(
        .perform { send in
          // An effect started by the part's action ends later and still belongs to the first part.
          await send(
            .run { _ in
              .perform { send in
                starts.append(1)
                await gate.wait()
                await send(.add(1))
              }
            })
        },
        .perform { send in
          starts.append(2)
          await send(.add(2))
        },
        .action(.add(3)))
    }
    await starts.wait(for: 1)
    #expect(starts.all == [1])
    gate.open()
    await task.finish()
    #expect(model.numbers == [1, 2, 3])
    #expect(model.runningEffects.isEmpty)
  }

  @Test func `actions in a sequence are handled in the same turn`() {
    let model = ViewModel(Script())
    model.run { _ in .sequence(.action(.add(1)), .cancel("x"), .action(.add(2)), .action(.add(3))) }
    #expect(model.numbers == [1, 2, 3])
  }

  @Test func `a part waits for the chained actions of the previous part`() {
    let model = ViewModel(Script())
    model.run { _ in
      .sequence(
        .action(.run { _ in .action(.run { _ in .action(.add(1)) }) }),
        .action(.add(2)))
    }
    #expect(model.numbers == [1, 2])
  }

  @Test func `sequences can be nested`() async {
    let model = ViewModel(Script())
    await model.run { _ in
      .sequence(
        .sequence(Self.adding(1), .sequence(Self.adding(2), Self.adding(3))),
        .merge(
          .sequence(Self.adding(4), Self.adding(5)),
          .sequence()),
        .sequence(.action(.run { _ in .sequence(Self.adding(6), Self.adding(7)) }), Self.adding(8)))
    }.finish()
    #expect(model.numbers == [1, 2, 3, 4, 5, 6, 7, 8])
  }

  @Test func `the parts of a merge in a sequence run together`() async {
    let model = ViewModel(Script())
    let gates = [Gate(), Gate()]
    let starts = Log<Int>()
    let task = model.run { _ in
      .sequence(
        .merge(
          (0..<2).map { number in
            .perform { send in
              starts.append(number)
              await gates[number].wait()
              await send(.add(number))
            }
          }),
        Self.adding(2))
    }
    await starts.wait(for: 2)
    gates[1].open()
    gates[0].open()
    await task.finish()
    #expect(model.numbers.last == 2)
    #expect(model.numbers.sorted() == [0, 1, 2])
  }

  @Test func `cancelling the action's effects cancels the running part and the following parts`()
    async
  {
    let model = ViewModel(Script())
    let isStarted = Gate()
    let task = model.run { _ in
      .sequence(
        .sequence(
          .perform { _ in
            isStarted.open()
            await Gate().wait()
          }, Self.adding(1)),
        Self.adding(2), .action(.add(3)))
    }
    await isStarted.wait()
    task.cancel()
    #expect(model.runningEffects.isEmpty)
    await task.finish()
    #expect(model.numbers == [])
  }

  @Test func `an error handled by catch ends its part, and the next part starts`() async {
    struct Problem: Error {}
    let model = ViewModel(Script())
    await model.run { _ in
      .sequence(
        .perform { _ in
          throw Problem()
        } catch: { state, _ in
          state.text = "failed"
        },
        .action(
          .run { state in
            state.text += ", went on"
            return .state
          }))
    }.finish()
    #expect(model.text == "failed, went on")
  }

  @Test(arguments: [EffectPolicy.first, .latest, .serial, .debounce(for: .zero)])
  func `parts with one id do not replace each other, because they run one after the other`(
    policy: EffectPolicy
  ) async {
    let model = ViewModel(Script())
    await model.run { _ in
      .sequence(
        (0..<4).map { number in
          .perform(policy, id: "same") { send in await send(.add(number)) }
        })
    }.finish()
    #expect(model.numbers == [0, 1, 2, 3])
    #expect(model.runningEffects.isEmpty)
  }

  @Test func `cancelling one part ends the sequence`() async {
    let model = ViewModel(Script())
    let isStarted = Gate()
    let task = model.run { _ in
      .sequence(
        .perform(.first, id: "same") { _ in
          isStarted.open()
          await Gate().wait()
        },
        .perform(.first, id: "same") { send in await send(.add(1)) })
    }
    await isStarted.wait()
    model.run { _ in .cancel("same") }
    await task.finish()
    #expect(model.numbers == [])
    #expect(model.runningEffects.isEmpty)
  }

  @Test func `a sequence does not continue after its view model is released`() async {
    let model = Log<Int>()
    let (actions, continuation) = AsyncStream.makeStream(of: Script.Action.self)
    let isStarted = Gate()
    continuation.yield(
      .run { _ in
        .sequence(
          .perform { _ in
            isStarted.open()
            await Gate().wait()
          }, .action(.add(1)))
      })
    let states = Script().interact(actions)
    await isStarted.wait()
    continuation.finish()
    for await state in states { model.append(state.numbers.count) }
    #expect(model.all == [0, 0])
  }

  @Test func `many sequences that start each other use constant stack space`() {
    struct Polling: Interactor {
      var body: some Interactor<Int, Int> {
        Interact(initialValue: 0) { state, action in
          state += 1
          return action > 0 ? .sequence(.cancel("nothing"), .action(action - 1)) : .state
        }
      }
    }
    let model = ViewModel(Polling())
    model.send(scaled(100_000) - 1)
    #expect(model.viewState == scaled(100_000))
  }

  /// Starts a sequence in the first part of a sequence, recursively.
  ///
  /// The innermost effect waits.
  private struct Nesting: Interactor {
    let starts = Log<Int>()
    let gate = Gate()
    var waits = false

    var body: some Interactor<Int, Int> {
      Interact(initialValue: 0) { [starts, gate, waits] state, action in
        state += 1
        if action > 0 { return .sequence(.action(action - 1), .cancel("nothing")) }
        guard waits else { return .state }
        return .perform { send in
          starts.append(1)
          await gate.wait()
          await send { $0 += 1 }
        }
      }
    }
  }

  @Test func `many nested sequences use constant stack space`() {
    let model = ViewModel(Nesting())
    model.send(scaled(100_000) - 1)
    #expect(model.viewState == scaled(100_000))
  }

  @Test(arguments: ["ends", "is cancelled", "goes away"])
  func `many nested sequences all end with the effect in the innermost`(_ ending: String) async {
    let nesting = Nesting(waits: true)
    var model: ViewModel? = ViewModel(nesting)
    let count = scaled(100_000)
    let task = model?.send(count - 1)
    await nesting.starts.wait(for: 1)
    switch ending {
    case "ends": nesting.gate.open()
    case "is cancelled": task?.cancel()
    default: model = nil
    }
    await task?.finish()
    #expect(model?.runningEffects.isEmpty ?? true)
    if let model { #expect(model.viewState == (ending == "ends" ? count + 1 : count)) }
  }

  @Test func `many parts that end at once use constant stack space`() {
    let model = ViewModel(Script())
    model.run { _ in
      .sequence(Array(repeating: .cancel("nothing"), count: scaled(100_000)) + [.action(.add(1))])
    }
    #expect(model.numbers == [1])
  }

  @Test func `the time of many concurrent sequences grows linearly with their number`() async {
    let model = ViewModel(Script())
    await model.run { _ in
      .merge(
        (0..<5_000).map { number in
          .sequence(.perform { _ in }, .action(.add(number)))
        })
    }.finish()
    #expect(model.numbers.sorted() == Array(0..<5_000))
  }
}
