import Causeway
import CausewayTesting
import Observation
import TestSupport
import Testing

/// A value that several trees share.
@MainActor
@Suite(.timeLimit(.minutes(10)))
struct SharedTreesTests {
  private let names = SharedValue<[String]>(["Ada"])

  @Test func `a change in one tree is in the other when send returns`() {
    let first = ViewModel(NamesApp(names: names))
    let second = ViewModel(Names(names: names))
    let invalidations = Invalidations()
    invalidations.observe { second.names }
    first.send(.always(.add("Ben")))
    #expect(second.names == ["Ada", "Ben"])
    #expect(invalidations.count == 1)
    second.send(.clear)
    #expect(first.viewState.all == [[], []])
  }

  @Test func `a derived view state has the latest value`() {
    let derived = ViewModel(
      Names(names: names), reducer: { (state: Names.State) in state.names.count })
    #expect(derived.viewState == 1)
    let other = ViewModel(Names(names: names))
    other.send(.add("Ben"))
    #expect(derived.viewState == 2)
    names.value = []
    #expect(derived.viewState == 0)
  }

  @Test func `the change of another tree is a step that a test asserts`() async {
    let first = TestModel(Names(names: names))
    let second = TestModel(Names(names: names))
    await first.send(.add("Ben")) { $0.names = ["Ada", "Ben"] }
    await second.expect { $0.names = ["Ada", "Ben"] }
    await second.send(.clear) { $0.names = [] }
    await first.expect { $0.names = [] }
    await first.finish()
    await second.finish()
  }

  /// Adds a name whenever one of two trees has changed.
  @MainActor private final class Answerer {
    let trees: [ViewModel<Names.State, Names.Action>]
    var rest = ["c", "d", "e"]

    init(_ names: SharedValue<[String]>) {
      trees = [ViewModel(Names(names: names)), ViewModel(Names(names: names))]
    }

    func answer(_ index: Int) {
      guard let next = rest.popLast() else { return }
      for index in trees.indices { observe(index) }
      trees[index].send(.add(next))
    }

    private func observe(_ index: Int) {
      withObservationTracking {
        _ = trees[index].names
      } onChange: {
        MainActor.assumeIsolated {
          #expect(self.trees.allSatisfy { !$0.names.isEmpty })
          self.answer(1 - index)
        }
      }
    }
  }

  @Test func `trees that change the value while they publish end with the same value`() {
    let answerer = Answerer(names)
    answerer.answer(0)
    #expect(answerer.rest.isEmpty)
    #expect(Set(names.value) == ["Ada", "c", "d", "e"])
    #expect(answerer.trees.allSatisfy { $0.names == names.value })
  }

  @Test func `a handler may read and write the object itself`() {
    struct Writer: Interactor {
      let names: SharedValue<[String]>
      var body: some Interactor<Int, String> {
        Interact<Int, String>(initialValue: 0) { state, name in
          names.value.append(name)
          state = names.value.count
          return .state
        }
      }
    }
    let reader = ViewModel(NamesApp(names: names))
    let writer = ViewModel(Writer(names: names))
    writer.send("Ben")
    #expect(writer.viewState == 2)
    #expect(reader.viewState.all == [["Ada", "Ben"], ["Ada", "Ben"]])
  }

  @Test func `the value is observed as a whole, outside of features`() async {
    let first = ViewModel(Names(names: names))
    let seen = Log<[String]>()
    let task = Task { [names] in
      for await value in names.values { seen.append(value) }
    }
    await seen.wait(for: 1)
    first.send(.add("Ben"))
    await seen.wait(for: 2)
    first.send(.clear)
    await seen.wait(for: 3)
    #expect(seen.all == [["Ada"], ["Ada", "Ben"], []])
    task.cancel()
    await task.value
    let invalidations = Invalidations()
    invalidations.observe { names.value }
    first.send(.clear)
    #expect(invalidations.count == 0)
    first.send(.add("Ben"))
    #expect(invalidations.count == 1)
  }

  @Test func `the streams of a released object end`() async {
    var names: SharedValue<[String]>? = SharedValue(["Ada"])
    var count = 0
    guard let stream = names?.values else { return }
    names = nil
    for await _ in stream { count += 1 }
    #expect(count == 1)
  }

  @Test func `the shared object keeps no tree alive`() async {
    let watched = Log<Int>()
    final class Token: Sendable {
      let log: Log<Int>
      init(_ log: Log<Int>) { self.log = log }
      deinit { log.append(1) }
    }
    do {
      let token = Token(watched)
      let model = ViewModel(
        Interact<[String], String>(initialValue: []) { [token] state, name in
          _ = token
          state.append(name)
          return .state
        }
        .sharing(\.self, names))
      model.send("Ben")
    }
    await watched.wait(for: 1)
    names.value = []
    #expect(names.value.isEmpty)
  }

  /// A feature with rows of its own kind, one of which may show the names.
  struct Folder: Interactor {
    struct State: Hashable, Sendable, Identifiable {
      var id = 0
      var folders: IdentifiedArray<Int, State> = []
      var sheet: Names.State?
    }

    enum Action: Sendable {
      case add(Int), open
      indirect case folder(Int, Action)
      case sheet(Names.Action)

      var folder: (Int, Action)? {
        if case .folder(let id, let action) = self { (id, action) } else { nil }
      }
      var sheet: Names.Action? { if case .sheet(let action) = self { action } else { nil } }
    }

    let names: SharedValue<[String]>

    var body: some InteractorOf<Self> {
      Interact<State, Action>(initialValue: State()) { state, action in
        switch action {
        case .add(let id): state.folders.append(State(id: id))
        case .open: state.sheet = Names.State()
        case .folder, .sheet: break
        }
        return .state
      }
      .forEach(\.folders, action: \.folder, embed: Action.folder) { Folder(names: names) }
      .ifLet(\.sheet, action: \.sheet, embed: Action.sheet) { Names(names: names) }
    }
  }

  @Test func `a feature that contains itself shares a value at each depth`() {
    let model = ViewModel(Folder(names: names))
    model.send(.add(1))
    model.send(.folder(1, .add(2)))
    model.send(.folder(1, .folder(2, .add(3))))
    model.send(.folder(1, .folder(2, .folder(3, .open))))
    model.send(.open)
    var inner: Names.State? {
      model.folders[id: 1]?.folders[id: 2]?.folders[id: 3]?.sheet
    }
    #expect(inner?.names == ["Ada"])
    model.send(.sheet(.add("Ben")))
    #expect(inner?.names == ["Ada", "Ben"])
    model.send(.folder(1, .folder(2, .folder(3, .sheet(.clear)))))
    #expect(model.sheet?.names == [] && names.value == [])
  }
}
