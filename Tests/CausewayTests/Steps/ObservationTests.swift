import Causeway
import Observation
import TestSupport
import Testing

/// Observes like a view: it reads, and reads again when it is notified.
@MainActor
final class TestView {
  private(set) var readings = 0
  private(set) var isInvalid = false
  private let read: @MainActor () -> Void

  init(_ read: @escaping @MainActor () -> Void) {
    self.read = read
    render()
  }

  func render() {
    isInvalid = false
    readings += 1
    withObservationTracking {
      read()
    } onChange: { [weak self] in
      // The model keeps this closure, and the view keeps the model.
      MainActor.assumeIsolated { self?.isInvalid = true }
    }
  }
}

@MainActor
struct ObservationTests {
  struct Search: Interactor {
    nonisolated struct State: Equatable, Sendable {
      var query = ""
      var results: [String] = []
      var fields = Array(repeating: 0, count: 100)
      var length: Int { query.count }
    }

    enum Action: Sendable {
      case query(String)
      case results([String])
    }

    var body: some InteractorOf<Self> {
      Interact<State, Action>(initialValue: State()) { state, action in
        switch action {
        case .query(let query): state.query = query
        case .results(let results): state.results = results
        }
        return .state
      }
    }
  }

  private let model = ViewModel(Search())

  @Test func `new results do not invalidate a view that reads only the query`() {
    let view = TestView { [model] in _ = model.query }
    model.send(.results(["a"]))
    #expect(!view.isInvalid)
    model.send(.query("s"))
    #expect(view.isInvalid)
  }

  /// A read outside of an observation checks whether an observation is running.
  ///
  /// After an observed read, many reads do not look.
  @Test(arguments: [1, 63, 64, 65, 200, 10_000])
  func `views are notified after any number of observed and unobserved reads`(count: Int) {
    let other = ViewModel(Search())
    for _ in 0..<count { _ = other.query }
    let many = TestView { for _ in 0..<count { _ = other.query } }
    for _ in 0..<count { _ = (other.query, model.viewState) }
    var views = (0..<3).map { _ in
      TestView { [model] in _ = (model.query, model.results, model.viewState.length) }
    }
    views += (0..<3).map { _ in TestView { [model] in _ = model.length } }
    for text in ["a", "ab", "abc"] {
      for _ in 0..<count { _ = (model.results, other.query) }
      model.send(.query(text))
      #expect(views.allSatisfy { $0.isInvalid })
      for view in views { view.render() }
      model.send(.query(text))
      #expect(views.map(\.isInvalid) == [true, true, true, false, false, false])
      for view in views.prefix(3) { view.render() }
    }
    #expect(!many.isInvalid)
    other.send(.query("other"))
    #expect(many.isInvalid)
  }

  @Test func `an equal value does not invalidate a view`() {
    let view = TestView { [model] in _ = model.results }
    model.send(.results([]))
    #expect(!view.isInvalid)
    model.send(.results(["a"]))
    view.render()
    model.send(.results(["a"]))
    #expect(!view.isInvalid)
  }

  @Test func `each read is invalidated once`() {
    let model = self.model
    let changes = Log<Int>()
    withObservationTracking {
      _ = model.query
    } onChange: {
      changes.append(1)
    }
    for query in ["a", "b", "c"] { model.send(.query(query)) }
    #expect(changes.all.count == 1)
  }

  @Test func `a view that renders again is invalidated again`() {
    let view = TestView { [model] in _ = model.query }
    for number in 1...5 {
      model.send(.query("\(number)"))
      #expect(view.isInvalid)
      view.render()
    }
    #expect(view.readings == 6)
  }

  @Test func `a computed property is compared like a stored one`() {
    let view = TestView { [model] in _ = model.length }
    model.send(.query("a"))
    #expect(view.isInvalid)
    view.render()
    model.send(.query("b"))
    #expect(!view.isInvalid)
  }

  @Test func `a change of one of a hundred properties invalidates one of a hundred views`() {
    struct Hundred: Interactor {
      var body: some Interactor<[Int], Int> {
        Interact(initialValue: Array(repeating: 0, count: 100)) { state, index in
          state[index] += 1
          return .state
        }
      }
    }
    let model = ViewModel(Hundred())
    let views = (0..<100).map { index in
      TestView { _ = model[dynamicMember: \[Int].[index]] }
    }
    model.send(42)
    #expect(views.indices.filter { views[$0].isInvalid } == [42])
    model.send(7)
    #expect(views.indices.filter { views[$0].isInvalid } == [7, 42])
    views[42].render()
    model.send(42)
    #expect(views[42].isInvalid)
    #expect(views.map(\.readings).reduce(0, +) == 101)
  }

  @Test func `a hundred views on one property are all invalidated, once each`() {
    let views = (0..<100).map { _ in TestView { [model] in _ = model.query } }
    model.send(.results(["a"]))
    #expect(views.allSatisfy { !$0.isInvalid })
    model.send(.query("a"))
    #expect(views.allSatisfy { $0.isInvalid })
  }

  @Test func `a view that reads the whole view state is invalidated by every publication`() {
    let view = TestView { [model] in _ = model.viewState }
    model.send(.results([]))
    #expect(view.isInvalid)
  }

  @Test func `derived view state is observed by its own properties`() {
    nonisolated struct Shown: Equatable, Sendable {
      var title: String
      var count: Int
    }
    let model = ViewModel(
      Search(),
      reducer: { state in
        Shown(title: state.query.uppercased(), count: state.results.count)
      })
    let title = TestView { _ = model.title }
    let count = TestView { _ = model.count }
    model.send(.results(["a"]))
    #expect(!title.isInvalid)
    #expect(count.isInvalid)
    count.render()
    model.send(.results(["b"]))
    #expect(!count.isInvalid)
  }

  @Test func `two view models do not disturb each other`() {
    let other = ViewModel(Search())
    let view = TestView { [model] in _ = model.query }
    other.send(.query("a"))
    #expect(!view.isInvalid)
  }

  #if !canImport(Darwin)
    // The API is newer than the package's minimum platforms. Linux has no minimum.
    @Test func `observations deliver every value that their consumer has time to read`() async {
      let model = self.model
      let queries = Observations { model.query }
      var iterator = queries.makeAsyncIterator()
      #expect(await iterator.next() == "")
      for query in ["a", "b", "c"] {
        model.send(.results([query]))
        model.send(.query(query))
        #expect(await iterator.next() == query)
      }
    }

    @Test func `observations of the query do not deliver changes of the results`() async {
      let model = self.model
      let evaluations = Log<String>()
      let queries = Observations {
        evaluations.append(model.query)
        return model.query
      }
      var iterator = queries.makeAsyncIterator()
      _ = await iterator.next()
      for number in 0..<10 { model.send(.results(["\(number)"])) }
      model.send(.query("a"))
      #expect(await iterator.next() == "a")
      #expect(evaluations.all == ["", "a"])
    }
  #endif
}
