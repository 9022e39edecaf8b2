// snippet
import Causeway
import CausewayData
import Foundation

struct TripList: Interactor {
  struct State: Equatable, Sendable {
    var trips: [Synced<Trip>] = []
    var problem: String?
  }

  enum Action: Sendable {
    case appear
    case plan(Trip)
  }

  let trips: any TripsRepositoryProtocol

  var body: some InteractorOf<Self> {
    Interact(initialValue: State()) { [trips] state, action in
      switch action {
      case .appear:
        return .observe(trips.trips(), id: "trips") { state, rows in
          state.trips = rows
        } catch: { state, error in
          state.problem = error.localizedDescription
        }
      case .plan(let trip):
        return .perform { _ in
          try await trips.plan(trip)
        } catch: { state, error in
          state.problem = error.localizedDescription
        }
      }
    }
  }
}
// end
