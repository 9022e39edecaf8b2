import Causeway

struct Ferry: Identifiable, Equatable, Sendable {
  let id: Int
  var name: String
  var minutes: Int
}

struct Harbour: Interactor {
  struct State: Equatable, Sendable {
    var ferries: [Ferry] = []
    var note = ""
    var ticks = 0
    var finder: PierFinder.State?
    var quays = IdentifiedArray<Int, Passenger.State>()
  }

  enum Action: Equatable, Sendable {
    case arrive(Ferry)
    case write(String)
    case tick
    case openFinder
    case closeFinder
    case addQuay(Int)
    case finder(PierFinder.Action)
    case quay(Int, Passenger.Action)

    var finder: PierFinder.Action? { if case .finder(let action) = self { action } else { nil } }
    var quay: (Int, Passenger.Action)? {
      if case .quay(let id, let action) = self { (id, action) } else { nil }
    }
  }

  var body: some InteractorOf<Self> {
    Interact<State, Action>(initialValue: State()) { state, action in
      switch action {
      case .arrive(let ferry): state.ferries.append(ferry)
      case .write(let note): state.note = note
      case .tick: state.ticks += 1
      case .openFinder: state.finder = PierFinder.State()
      case .closeFinder: state.finder = nil
      case .addQuay(let id): state.quays.updateOrAppend(Passenger.State(id: id))
      case .finder, .quay: break
      }
      return .state
    }
    .ifLet(\.finder, action: \.finder, embed: Action.finder) { PierFinder() }
    .forEach(\.quays, action: \.quay, embed: Action.quay) { Passenger() }
  }
}

// snippet
struct BoardState: Equatable, Sendable {
  var title: String
  var lines: [String]
}

struct BoardReducer: ViewStateReducer {
  let lines = Memo { (ferries: [Ferry]) in
    ferries.sorted { $0.minutes < $1.minutes }.map { "\($0.name) in \($0.minutes) min" }
  }

  func reduce(_ state: Harbour.State) -> BoardState {
    BoardState(title: "\(state.ferries.count) ferries", lines: lines(state.ferries))
  }
}
// end
