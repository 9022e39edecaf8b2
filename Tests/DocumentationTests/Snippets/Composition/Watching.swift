import Causeway

struct Fare: Interactor {
  struct State: Equatable, Sendable {
    var passengers = 1
    var fare = 5
    var log: [String] = []
  }

  enum Action: Equatable, Sendable {
    case setPassengers(Int)
    case setFare(Int)
  }

  let quote: @Sendable (Int) async throws -> Int

  // snippet
  var body: some InteractorOf<Self> {
    Interact<State, Action>(initialValue: State()) { state, action in
      switch action {
      case .setPassengers(let count): state.passengers = count
      case .setFare(let fare): state.fare = fare
      }
      return .state
    }
    .onChange(of: \.passengers) { [quote] _, passengers in
      .perform(.latest, id: "quote") { send in
        let fare = try await quote(passengers)
        await send { $0.fare = fare }
      }
    }
    .onChange(of: \.fare) { state, fare in
      state.log.append("fare \(fare)")
      return .state
    }
  }
  // end
}

// snippet
struct Audited: Interactor {
  let fare: Fare

  var body: some Interactor<Fare.State, Fare.Action> {
    fare
    Interact(initialValue: Fare.State()) { state, action in
      state.log.append("\(action)")
      return .state
    }
  }
}
// end
