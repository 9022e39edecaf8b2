import Causeway
import TestSupport
import Testing

/// The forms of calls that a feature can use.
@MainActor
struct CallSiteTests {
  private struct Problem: Error {}

  nonisolated enum CancelID: Hashable, Sendable {
    case load
    case save
  }

  @concurrent private static func add(_ send: Send<Script.State, Script.Action>) async throws {
    await send(.add(1))
    throw Problem()
  }

  @concurrent private static func addNext(
    _ state: DynamicState<Script.State>, _ send: Send<Script.State, Script.Action>
  ) async throws {
    let count = await state.numbers.count
    await send(.add(count))
    throw Problem()
  }

  @Test func `the work of an effect can be a function`() async {
    let model = ViewModel(Script(), onError: { _ in })
    await model.run { _ in .perform(Self.add) }.finish()
    await model.run { _ in
      .perform(Self.add, catch: { state, _ in state.numbers.append(-1) })
    }.finish()
    await model.run { _ in .observe(Self.addNext) }.finish()
    await model.run { _ in
      .observe(Self.addNext, catch: { state, _ in state.numbers.append(-2) })
    }.finish()
    #expect(model.numbers == [1, 1, -1, 3, 4, -2])
  }

  @Test func `any hashable value can be an effect's id`() async {
    let model = ViewModel(Script())
    let lives = [Life(), Life(), Life()]
    let tasks = [
      model.run { _ in
        .perform(id: CancelID.load) { send in
          lives[0].isStarted.open()
          await lives[0].gate.wait()
          await send(.add(0))
        }
      },
      model.run { _ in
        .perform(id: CancelID.save) { send in
          lives[1].isStarted.open()
          await lives[1].gate.wait()
          await send(.add(1))
        }
      },
      model.run { _ in
        .perform(id: 7) { send in
          lives[2].isStarted.open()
          await lives[2].gate.wait()
          await send(.add(2))
        }
      },
    ]
    for life in lives { await life.isStarted.wait() }
    #expect(
      Set(model.runningEffects) == [EffectID(CancelID.load), EffectID(CancelID.save), EffectID(7)])
    model.run { _ in .merge(.cancel(CancelID.load), .cancel(EffectID(7))) }
    lives[1].gate.open()
    for task in tasks { await task.finish() }
    #expect(model.numbers == [1])
  }

  @Test func `catch can return an action`() async {
    let model = ViewModel(Script())
    await model.run { _ in
      .perform { _ in
        throw Problem()
      } catch: { state, _ in
        state.text = "failed"
        return .action(.add(1))
      }
    }.finish()
    #expect(model.text == "failed")
    #expect(model.numbers == [1])
  }

  @Test func `the elements of a sequence are sent as actions, in order`() async {
    let model = ViewModel(Script())
    let numbers = AsyncStream<Int> { continuation in
      for number in 0..<100 { continuation.yield(number) }
      continuation.finish()
    }
    await model.run { _ in .observe(numbers, send: Script.Action.add) }.finish()
    #expect(model.numbers == Array(0..<100))
  }

  @Test func `a change is reported with its old and new value, by key path, closure and tuple`() {
    let changes = Log<String>()
    let model = ViewModel(
      Script()
        .onChange(of: \.other) { (_, old: Int, new: Int) in
          changes.append("\(old) to \(new)")
          return .state
        }
        .onChange(of: { $0.numbers.count }) { (_, old: Int, new: Int) in
          changes.append("count \(old) to \(new)")
          return .state
        }
        .onChange(of: { ($0.text, $0.other) }) { _, old, new in
          changes.append("\(old) to \(new)")
          return .state
        })
    model.run { state in
      state.other = 1
      return .state
    }
    model.send(.add(5))
    #expect(changes.all == ["0 to 1", #"("", 0) to ("", 1)"#, "count 0 to 1"])
  }

  private struct Conditional: Interactor {
    var isLoud = false
    var copies = 0

    var body: some Interactor<[String], String> {
      if isLoud {
        part("loud")
      }
      for number in 0..<copies {
        part("\(number)")
      }
      if isLoud {
        part("end")
      } else {
        part("quiet end")
      }
    }

    private func part(_ name: String) -> Interact<[String], String> {
      Interact(initialValue: [name]) { state, action in
        state.append(name + action)
        return .state
      }
    }
  }

  @Test func `a body may have conditions and loops`() {
    let quiet = ViewModel(Conditional())
    quiet.send("!")
    #expect(quiet.viewState == ["quiet end", "quiet end!"])
    let loud = ViewModel(Conditional(isLoud: true, copies: 2))
    loud.send("!")
    #expect(loud.viewState == ["loud", "loud!", "0!", "1!", "end!"])
  }

  @Test func `the first view state that meets a condition can be awaited`() async {
    let model = ViewModel(Script())
    let waiting = Task { await model.states.first { $0.numbers.count == 2 } }
    model.send(.add(1))
    model.send(.add(2))
    #expect(await waiting.value?.numbers == [1, 2])
  }

  @Test func `a cancelled consumer of view states gets no further elements`() async {
    let model = ViewModel(Script())
    let count = Log<Int>()
    let following = Task {
      for await _ in model.states { count.append(1) }
    }
    await count.wait(for: 1)
    following.cancel()
    await following.value
    model.send(.add(1))
    #expect(count.all.count == 1)
  }

  @Test func `a limited policy runs at most its number of effects at once, in order`() async {
    let model = ViewModel(Script())
    let lives = (0..<5).map { _ in Life() }
    let tasks = lives.enumerated().map { number, life in
      model.run { _ in
        .perform(.limited(to: 2), id: "work") { send in
          life.isStarted.open()
          await life.gate.wait()
          await send(.add(number))
        }
      }
    }
    await lives[0].isStarted.wait()
    await lives[1].isStarted.wait()
    #expect(!lives[2].isStarted.isPassable)
    lives[1].gate.open()
    await lives[2].isStarted.wait()
    #expect(!lives[3].isStarted.isPassable)
    for life in lives { life.gate.open() }
    for task in tasks { await task.finish() }
    #expect(model.numbers.sorted() == [0, 1, 2, 3, 4])
    #expect(model.numbers.first == 1)
    #expect(model.runningEffects.isEmpty)
  }
}
