import Causeway
import TestSupport
import Testing

/// A feature with an effect that continues until it is cancelled.
struct Beacon: Interactor {
  struct State: Equatable, Sendable {
    var flashes = 0
    var sheet: PierFinder.State?
  }

  enum Action: Equatable, Sendable {
    case light
    case darken
  }

  let isLit: Gate
  let isOver: Gate

  var body: some InteractorOf<Self> {
    Interact(initialValue: State()) { [isLit, isOver] state, action in
      switch action {
      case .light:
        return .perform(.latest, id: "light") { send in
          await send { $0.flashes += 1 }
          isLit.open()
          await Gate().wait()  // until the task is cancelled
          await send { $0.flashes += 1 }
          isOver.open()
        }
      case .darken:
        return .cancel("light")
      }
    }
  }
}

@MainActor struct LifetimeTests {
  private let isLit = Gate()
  private let isOver = Gate()

  private func beacon() -> Beacon { Beacon(isLit: isLit, isOver: isOver) }

  @Test func `effects end with the view model and do not keep it alive`() async {
    let (isLit, isOver) = (self.isLit, self.isOver)
    // snippet
    var model: ViewModel? = ViewModel(beacon())
    model?.send(.light)
    await isLit.wait()
    #expect(model?.runningEffects == ["light"])

    weak let gone = model
    model = nil
    #expect(gone == nil)
    await isOver.waitUncancellably()  // the work has seen that it was cancelled, and ended
    // end
  }

  @Test func `a cancelled effect changes nothing`() async {
    let model = ViewModel(beacon())
    model.send(.light)
    await isLit.wait()
    // snippet
    model.send(.darken)
    #expect(model.runningEffects.isEmpty)
    await isOver.waitUncancellably()  // its last send was called, and did nothing
    #expect(model.flashes == 1)
    // end
  }

  @Test func `an action task cancels the effects that its action started`() async {
    let model = ViewModel(beacon())
    // snippet
    let task = model.send(.light)
    await isLit.wait()
    task.cancel()
    await task.finish()
    #expect(model.runningEffects.isEmpty)
    // end
  }

  @Test func `a waiting task can own the effects`() async {
    let model = ViewModel(beacon())
    let isLit = self.isLit
    // snippet
    let view = Task { await model.send(.light).finish() }
    await isLit.wait()
    view.cancel()  // as SwiftUI does with a view's task when the view goes away
    await view.value
    #expect(model.runningEffects.isEmpty)
    // end
  }

  @Test func `a child's effects end with the child`() async {
    let isAsked = Gate()
    let finder = PierFinder(find: { _ in
      isAsked.open()
      await Gate().wait()
      return ["late"]
    })
    struct Screen: Interactor {
      struct State: Equatable, Sendable { var sheet: PierFinder.State? = PierFinder.State() }
      enum Action: Equatable, Sendable {
        case sheet(PierFinder.Action)
        case close
        var sheet: PierFinder.Action? { if case .sheet(let action) = self { action } else { nil } }
      }
      let finder: PierFinder
      var body: some InteractorOf<Self> {
        Interact<State, Action>(initialValue: State()) { state, action in
          if case .close = action { state.sheet = nil }
          return .state
        }
        .ifLet(\.sheet, action: \.sheet, embed: Action.sheet) { finder }
      }
    }
    // snippet
    let model = ViewModel(Screen(finder: finder))
    model.send(.sheet(.edit("North")))
    await isAsked.wait()
    model.send(.close)  // sets `sheet` to nil
    #expect(model.runningEffects.isEmpty)
    // end
  }

  @Test func `the state stream ends when the action stream ends, and all effects with it`() async {
    let interactor = beacon()
    // snippet
    let (actions, continuation) = AsyncStream.makeStream(of: Beacon.Action.self)
    var states = interactor.interact(actions).makeAsyncIterator()
    #expect(await states.next()?.flashes == 0)
    continuation.yield(.light)
    #expect(await states.next()?.flashes == 0)  // after the action
    #expect(await states.next()?.flashes == 1)  // after the effect's update
    continuation.finish()
    #expect(await states.next() == nil)
    // end
  }
}
