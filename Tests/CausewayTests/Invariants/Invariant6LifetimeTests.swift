import Causeway
import TestSupport
import Testing

@MainActor
@Suite("Invariant 6: lifetime")
struct Invariant6LifetimeTests {
  @Test func `a running effect does not keep its view model alive and is cancelled with it`() async
  {
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

  @Test func `a view model can be released while a thousand effects run`() async {
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

  @Test func `the state is freed when the last effect has ended`() async {
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

  @Test(arguments: ["row", "optional part", "computed part", "computed property"])
  func `the state is freed even if a part of it was read and observed`(_ part: String) {
    let isFreed = Gate()
    var model: ViewModel? = ViewModel(Shelf(witness: Witness(isFreed)))
    switch part {
    case "row":
      #expect(model?.scope(state: \.rows, id: 3) { (_: Int, title) in title }?.title == "row")
    case "optional part":
      #expect(model?.scope(state: \.sheet) { (title: String) in title }?.title == "sheet")
    case "computed part":
      #expect(model?.scope(state: \.total) { (title: String) in title }.title == "11 titles")
    default:
      #expect(model?.total.title == "11 titles")
    }
    model?.send("new")
    #expect(!isFreed.isPassable)
    model = nil
    #expect(isFreed.isPassable)
  }

  @Test func `streams of view states end with the view model`() async {
    var model: ViewModel? = ViewModel(Script())
    let states = model?.states
    model?.send(.add(1))
    model = nil
    var last: Script.State?
    if let states {
      for await state in states { last = state }
    }
    #expect(last?.numbers == [1])
  }
}

/// A feature with every kind of child, whose actions change only a title that is not read.
private struct Shelf: Interactor {
  nonisolated struct Part: Identifiable, Equatable, Sendable {
    var id = 0
    var title: String
  }

  struct State: Sendable {
    let witness: Witness
    var title = ""
    var sheet: Part? = Part(title: "sheet")
    var rows = IdentifiedArray(uniqueElements: (0..<10).map { Part(id: $0, title: "row") })
    var total: Part { Part(title: "\(rows.count + 1) titles") }
  }

  let witness: Witness

  var body: some Interactor<State, String> {
    Interact(initialValue: State(witness: witness)) { state, title in
      state.title = title
      return .state
    }
  }
}
