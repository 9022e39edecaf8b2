import Causeway
import Observation
import TestSupport
import Testing

/// A number that is not a number differs from itself.
@MainActor
struct NotANumberTests {
  nonisolated struct State: Equatable, Sendable {
    var ratio = 1.0
    var list = [1.0]
    var name: String? = "a"
    var other = 0
    var reactions: [String] = []
    var double: Double { ratio * 2 }
  }

  enum Action: Sendable {
    case ratio(Double)
    case list([Double])
    case other
    case react(String)
  }

  struct Feature: Interactor {
    let feedsBack: Bool

    var body: some Interactor<State, Action> {
      Interact<State, Action>(initialValue: State()) { state, action in
        switch action {
        case .ratio(let ratio): state.ratio = ratio
        case .list(let list): state.list = list
        case .other: state.other += 1
        case .react: break
        }
        return .state
      }
      .onChange(of: \.ratio) { [feedsBack] state, _ in
        state.reactions.append("ratio")
        return feedsBack ? .action(.react("ratio")) : .state
      }
      .onChange(of: \.double) { state, _ in
        state.reactions.append("double")
        return .state
      }
      .onChange(of: { ($0.ratio, $0.name) }) { state, _, _ in
        state.reactions.append("pair")
        return .state
      }
      .onChange(of: \.list) { state, _ in
        state.reactions.append("list")
        return .state
      }
    }
  }

  @Test(arguments: [false, true])
  func `a number that stays not a number has not changed`(feedsBack: Bool) {
    let errors = Log<String>()
    let model = ViewModel(
      Feature(feedsBack: feedsBack), stepLimit: 100, onError: { errors.append("\($0)") })
    model.send(.ratio(.nan))
    model.send(.list([1, .nan]))
    let reactions = ["ratio", "double", "pair", "list"]
    #expect(model.reactions == reactions)
    for _ in 0..<3 { model.send(.other) }
    model.send(.ratio(.nan))
    #expect(model.reactions == reactions)
    model.send(.ratio(2))
    #expect(model.reactions == reactions + ["ratio", "double", "pair"])
    #expect(errors.all.isEmpty)
  }

  @Test func `views of such a number are notified only of its changes`() {
    let model = ViewModel(Feature(feedsBack: false))
    model.send(.ratio(.nan))
    let views = [TestView { _ = model.ratio }, TestView { _ = model.double }]
    model.send(.other)
    #expect(views.allSatisfy { !$0.isInvalid })
    model.send(.ratio(1))
    #expect(views.allSatisfy { $0.isInvalid })
  }

  @Test func `a memo of such a number computes its result once`() {
    let inputs = Log<Double>()
    let memo = Memo { (input: Double) in inputs.append(input) }
    for _ in 0..<3 { memo(.nan) }
    #expect(inputs.all.count == 1)
  }
}
