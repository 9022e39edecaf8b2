import CausewayData

struct Trip: Codable, Equatable, Sendable, Identifiable {
  var id: String
  var title: String
  var seats: Int
}

enum TripMutation: Mutation {
  case plan(Trip)
  case rename(id: String, title: String)
  case cancel(id: String)

  var recordID: String {
    switch self {
    case .plan(let trip): trip.id
    case .rename(let id, _), .cancel(let id): id
    }
  }

  func apply(to trip: inout Trip?) {
    switch self {
    case .plan(let planned): trip = planned
    case .rename(_, let title): trip?.title = title
    case .cancel: trip = nil
    }
  }
}
