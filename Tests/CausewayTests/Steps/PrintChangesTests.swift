import Causeway
import TestSupport
import Testing

@MainActor
struct PrintChangesTests {
  private let texts = Log<String>()

  private func model(
    _ name: String? = nil, turns: [String: Turns] = [:]
  ) -> ViewModel<Script.State, Talk.Action> {
    let texts = self.texts
    return ViewModel(
      Talk(turns: turns), observer: .printChanges(name, to: { texts.append($0) }))
  }

  @Test func `a step names its cause and the fields that changed, and no others`() {
    model().send(.add(7))
    #expect(texts.all == ["Step 1: the action add(7)\n  numbers[0]: added 7"])
  }

  @Test func `steps of an effect name the effect and the action that started it`() async {
    let model = model()
    model.send(.add(1))
    await model.send(.load).finish()
    #expect(
      texts.all.dropFirst() == [
        """
        Step 2: the action load
          text: "" → "loading"
        """,
        """
        Step 3: an update from effect loading #1, started by the action load in step 2
          numbers[0]: removed 1
          text: "loading" → "half"
        """,
        """
        Step 4: the action add(2) from effect loading #1, started by the action load in step 2
          numbers[0]: added 2
        """,
        """
        Step 5: an error from effect loading #1, started by the action load in step 2
          other: 0 → 1
        """,
      ])
  }

  @Test func `an action that a handler feeds back names the original action`() {
    model().send(.feedBack(3))
    #expect(
      texts.all.last == """
        Step 2: the action add(3), started by the action feedBack(3) in step 1
          numbers[0]: added 3
        """)
  }

  @Test func `the text of a step without a change states this, and starts with the name`() {
    model("Counter").send(.nothing)
    #expect(texts.all == ["Counter, step 1: the action nothing, changed nothing"])
  }

  @Test func `the first twenty of many changes are printed, and long values are abbreviated`() {
    let model = model()
    model.send(.fill(1_000, text: String(repeating: "x", count: 10_000)))
    let lines = texts.all.last?.split(separator: "\n") ?? []
    #expect(lines.count == 22)
    #expect(lines.last == "  and 981 more")
    model.send(.fill(1_000, text: String(repeating: "x", count: 9_999) + "y"))
    #expect(texts.all.last?.count ?? .max < 1_000)
  }

  @Test func `actions are remembered while their effects send`() async {
    let turns = ["often": Turns(), "late": Turns()]
    let model = model(turns: turns)
    model.send(.follow("often"))
    model.send(.follow("late"))
    for _ in 0..<20 {
      for _ in 0..<100 { model.send(.add(0)) }
      await turns["often"]?.take()
    }
    #expect(texts.all.last?.contains("started by the action follow(\"often\") in step 1\n") == true)
    await turns["late"]?.take()
    #expect(texts.all.last?.contains(", started by step 2\n") == true)
  }

  #if os(Linux) || os(macOS) || os(Windows)
    @Test func `the default destination is the standard output`() async {
      let result = await #expect(processExitsWith: .success, observing: [\.standardOutputContent]) {
        await MainActor.run {
          _ = ViewModel(Talk(), observer: .printChanges("Here")).send(.add(1))
        }
      }
      let text = String(decoding: result?.standardOutputContent ?? [], as: UTF8.self)
      #expect(text.contains("Here, step 1: the action add(1)\n  numbers[0]: added 1\n"))
    }
  #endif
}

/// A feature whose actions print clearly.
private struct Talk: Interactor {
  enum Action: Sendable {
    case add(Int)
    case fill(Int, text: String)
    case nothing
    case load
    case feedBack(Int)
    case follow(String)
  }

  var turns: [String: Turns] = [:]

  var body: some Interactor<Script.State, Action> {
    Interact<Script.State, Action>(initialValue: Script.State()) { [turns] state, action in
      switch action {
      case .add(let number):
        state.numbers.append(number)
        return .state
      case .fill(let count, let text):
        state.numbers = Array(0..<count)
        state.text = text
        return .state
      case .nothing:
        return .state
      case .load:
        state.text = "loading"
        return .perform(id: "loading") { send in
          await send {
            $0.numbers = []
            $0.text = "half"
          }
          await send(.add(2))
          throw CancelledByHand()
        } catch: { state, _ in
          state.other += 1
        }
      case .feedBack(let number):
        return .action(.add(number))
      case .follow(let name):
        guard let turns = turns[name] else { return .state }
        return .perform { send in
          for await _ in turns.asked {
            await send { $0.other += 1 }
            turns.markTaken()
          }
        }
      }
    }
  }
}

private struct CancelledByHand: Error {}

/// Lets an effect send one update at a time.
nonisolated private struct Turns: Sendable {
  private let asking = AsyncStream.makeStream(of: Void.self)
  private let taking = AsyncStream.makeStream(of: Void.self)

  var asked: AsyncStream<Void> { asking.stream }

  func markTaken() { taking.continuation.yield() }

  func take() async {
    asking.continuation.yield()
    for await _ in taking.stream { return }
  }
}
