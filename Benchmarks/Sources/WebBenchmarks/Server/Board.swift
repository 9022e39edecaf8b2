import Causeway

/// The rows of a board that all people see.
struct Board: Interactor {
  struct Row: Codable, Sendable, Equatable, Identifiable {
    var id: String
    var title: String
    var time = "18:30"
    var moment = "2026-05-01T18:30"
    var distance = "in 3 days"
    var place = "At the pier, behind the blue shed"
    var notes = "Bring gloves, and something warm for the way back."
    var host = "Mira hosts"
    var coming = "4 come along"
    var people: [Person]
    var isOver = false
  }

  struct Person: Codable, Sendable, Equatable, Identifiable {
    var id: String
    var initials = "AB"
    var look = "badge tone-3"
  }

  struct State: Codable, Sendable, Equatable {
    var summary = ""
    var rows: [Row]

    init(rows count: Int) {
      rows = (0..<count).map { index in
        let people = ["Ana", "Ben", "Cora", "Dario"].map { Person(id: "\($0) \(index)") }
        return Row(id: "row-\(index)", title: "Activity number \(index)", people: people)
      }
    }
  }

  enum Action: Codable, Sendable {
    case join(row: Int, name: String)
  }

  let rows: Int

  var body: some InteractorOf<Self> {
    Interact(initialValue: State(rows: rows)) { state, action in
      switch action {
      case .join(let row, let name):
        // The newest person replaces the oldest one, so the board does not grow.
        state.rows[row].people.removeFirst()
        state.rows[row].people.append(Person(id: name))
        return .state
      }
    }
  }
}

/// The part of the page that belongs to one person.
struct Visitor: Interactor {
  struct State: Codable, Sendable, Equatable {
    var name = ""
    var board: Board.State?
  }

  let board: ViewModel<Board.State, Board.Action>
  /// Whether each session has its own copy of the board.
  let followsBoard: Bool

  enum Action: Codable, Sendable {
    case appear
    case join(row: Int, name: String)
    case look(String)
  }

  var body: some InteractorOf<Self> {
    let states = board.states
    Interact(initialValue: State(board: followsBoard ? board.viewState : nil)) { state, action in
      switch action {
      case .appear:
        guard followsBoard else { return .state }
        return .observe(states, id: "board") { state, board in state.board = board }
      case .join(let row, let name):
        state.name = name
        board.send(.join(row: row, name: name))
        return .state
      case .look(let text):
        state.name = text
        return .state
      }
    }
  }
}
