import Causeway
import Observation
import TestSupport
import Testing

/// Observers that send actions when they are notified.
@MainActor
struct AnsweringObserverTests {
  nonisolated struct State: Equatable, Sendable {
    var event: Int?
    var handled: [Int] = []
    var count = 0
  }

  enum Action: Sendable {
    case raise(Int)
    case handled(Int)
    case count
    case loop
  }

  nonisolated struct Derived: Equatable, Sendable {
    var event: Int?
    var text = ""
  }

  private static let feature = Interact<State, Action>(initialValue: State()) { state, action in
    switch action {
    case .raise(let event): state.event = event
    case .handled(let event):
      state.handled.append(event)
      state.event = nil
      return .action(.count)
    case .count, .loop: state.count += 1
    }
    return .state
  }

  /// Answers each event that it finds.
  private func answer<ViewState: Sendable>(
    _ model: ViewModel<ViewState, Action>, _ event: any KeyPath<ViewState, Int?> & Sendable
  ) {
    withObservationTracking {
      _ = model[dynamicMember: event]
    } onChange: { [weak model] in
      MainActor.assumeIsolated {
        guard let model else { return }
        if let found = model[dynamicMember: event] { model.send(.handled(found)) }
        answer(model, event)
      }
    }
  }

  @Test func `only one of several observers answers an event`() {
    let model = ViewModel(Self.feature)
    for _ in 0..<3 { answer(model, \.event) }
    for event in 1...3 { model.send(.raise(event)) }
    #expect(model.handled == [1, 2, 3])
    #expect(model.event == nil && model.count == 3)
  }

  @Test func `only one observer answers an event in a derived view state`() {
    let derivations = Log<Int?>()
    let model = ViewModel(
      Self.feature,
      reducer: { (state: State) -> Derived in
        derivations.append(state.event)
        return Derived(event: state.event, text: "\(state.handled)")
      })
    for _ in 0..<3 { answer(model, \.event) }
    for event in 1...2 { model.send(.raise(event)) }
    #expect(model.text == "[1, 2]")
    // At the start, and for each event and its answer.
    #expect(derivations.all == [nil, 1, nil, 2, nil])
  }

  @Test func `an observer that was not notified yet sees the answer, and is notified once`() {
    let model = ViewModel(Self.feature)
    answer(model, \.event)
    let view = TestView { _ = (model.event, model.handled) }
    model.send(.raise(1))
    #expect(view.isInvalid)
    view.render()
    #expect(model.handled == [1])
    model.send(.count)
    #expect(!view.isInvalid)
  }

  nonisolated struct Lamp: Sendable {
    var isOn = false
  }

  @MainActor final class Watchers {
    let model: ViewModel<Lamp, Bool>
    var seen: [Bool?] = [nil, nil, nil]
    private var notifications = 0

    init(_ model: ViewModel<Lamp, Bool>) { self.model = model }

    func observe(_ index: Int) {
      withObservationTracking {
        seen[index] = model.isOn
      } onChange: { [weak self] in
        MainActor.assumeIsolated { self?.answer(index) }
      }
    }

    private func answer(_ index: Int) {
      notifications += 1
      observe(index)
      if notifications == 1 { model.send(false) }
      if notifications == 3 { model.send(true) }
    }
  }

  @Test func `an observer that has read a value between two sends is told of the last one`() {
    let watchers = Watchers(
      ViewModel(
        Interact<Lamp, Bool>(initialValue: Lamp()) { lamp, isOn in
          lamp.isOn = isOn
          return .state
        }))
    for index in 0..<3 { watchers.observe(index) }
    watchers.model.send(true)
    #expect(watchers.model.isOn)
    #expect(watchers.seen == [true, true, true])
  }

  private func loop(_ model: ViewModel<State, Action>) {
    withObservationTracking {
      _ = model.count
    } onChange: { [weak model] in
      MainActor.assumeIsolated {
        guard let model else { return }
        loop(model)
        model.send(.loop)
      }
    }
  }

  @Test func `an observer that always sends again is stopped`() {
    let errors = Log<String>()
    let model = ViewModel(Self.feature, onError: { errors.append("\($0)") })
    loop(model)
    model.send(.count)
    #expect(errors.all.count == 1)
    #expect(errors.all.first?.contains("publications") == true)
  }
}
