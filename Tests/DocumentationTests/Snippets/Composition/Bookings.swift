import Causeway

// snippet
struct Passenger: Interactor {
  struct State: Identifiable, Equatable, Sendable {
    let id: Int
    var name = ""
    var isKnown = false
  }

  enum Action: Equatable, Sendable {
    case rename(String)
  }

  var lookUp: @Sendable (String) async throws -> Bool = { !$0.isEmpty }

  var body: some InteractorOf<Self> {
    Interact { [lookUp] state, action in
      switch action {
      case .rename(let name):
        state.name = name
        return .perform(.latest, id: "look up") { send in
          let isKnown = try await lookUp(name)
          await send { $0.isKnown = isKnown }
        }
      }
    }
  }
}
// end

struct Note: Interactor {
  struct State: Equatable, Sendable {
    var text = ""
  }

  enum Action: Equatable, Sendable {
    case edit(String)
  }

  var body: some InteractorOf<Self> {
    Interact(initialValue: State()) { state, action in
      switch action {
      case .edit(let text): state.text = text
      }
      return .state
    }
  }
}

// snippet
struct Booking: Interactor {
  struct State: Equatable, Sendable {
    var passengers = IdentifiedArray<Int, Passenger.State>()
    var lastID = 0
    var note: Note.State?
    var payment = Payment.State.due(Card.State())
  }

  enum Action: Equatable, Sendable {
    case add
    case remove(Int)
    case passenger(Int, Passenger.Action)
    case openNote
    case closeNote
    case note(Note.Action)
    case payment(Payment.Action)

    var passenger: (Int, Passenger.Action)? {
      if case .passenger(let id, let action) = self { (id, action) } else { nil }
    }
    var note: Note.Action? { if case .note(let action) = self { action } else { nil } }
    var payment: Payment.Action? { if case .payment(let action) = self { action } else { nil } }
  }

  var body: some InteractorOf<Self> {
    Interact<State, Action>(initialValue: State()) { state, action in
      switch action {
      case .add:
        state.lastID += 1
        state.passengers.updateOrAppend(Passenger.State(id: state.lastID))
      case .remove(let id): state.passengers.remove(id: id)
      case .openNote: state.note = Note.State()
      case .closeNote: state.note = nil
      case .passenger, .note, .payment: break
      }
      return .state
    }
    .forEach(\.passengers, action: \.passenger, embed: Action.passenger) { Passenger() }
    .ifLet(\.note, action: \.note, embed: Action.note) { Note() }
    .scope(state: \.payment, action: \.payment, embed: Action.payment) { Payment() }
  }
}
// end

struct Card: Interactor {
  struct State: Equatable, Sendable {
    var number = ""
  }

  enum Action: Equatable, Sendable {
    case edit(String)
  }

  var body: some InteractorOf<Self> {
    Interact(initialValue: State()) { state, action in
      switch action {
      case .edit(let number): state.number = number
      }
      return .state
    }
  }
}

// snippet
struct Payment: Interactor {
  enum State: Equatable, Sendable {
    case due(Card.State)
    case paid(receipt: String)

    var due: Card.State? { if case .due(let card) = self { card } else { nil } }
  }

  enum Action: Equatable, Sendable {
    case card(Card.Action)
    case confirm(receipt: String)

    var card: Card.Action? { if case .card(let action) = self { action } else { nil } }
  }

  var body: some InteractorOf<Self> {
    Interact<State, Action>(initialValue: .due(Card.State())) { state, action in
      if case .confirm(let receipt) = action { state = .paid(receipt: receipt) }
      return .state
    }
    .ifCase(\.due, embed: State.due, action: \.card, embed: Action.card) { Card() }
  }
}
// end
