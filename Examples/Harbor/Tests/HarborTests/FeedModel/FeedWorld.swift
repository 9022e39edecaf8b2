import CausewayTesting
import Foundation
import HarborDomain
import Testing

@testable import HarborFeatures

/// A feed and its surroundings, all controlled by the test.
@MainActor
struct FeedWorld {
  static let ana = PersonName(stored: "Ana")
  static let ben = PersonName(stored: "Ben")
  static let row = activity("row", "Row", [ana])
  static let sail = activity("sail", "Sail", [ana])

  let board: BoardDouble
  let clock = TestClock()
  let wording = BoardWording(timeZone: .gmt)
  private let person: PersonName?

  /// - Parameter person: The person known from the start, or `nil`.
  init(_ list: [Activity] = [row], person: PersonName? = ben) {
    board = BoardDouble(list, name: person)
    self.person = person
  }

  /// A feed that has loaded the board, and follows it only after it appears.
  var feed: FeedInteractor {
    FeedInteractor(
      environment: FeedEnvironment(
        activities: board, names: board, wording: wording,
        now: { [clock] in
          Board.now.addingTimeInterval(TimeInterval(clock.now.offset.components.seconds))
        },
        pause: { [clock] in try await clock.sleep(for: $0) },
        beginning: { [list = board.list, person] in
          FeedEnvironment.Beginning(activities: Activities(list), person: person)
        }))
  }

  func model() -> TestModel<FeedInteractor.State, FeedInteractor.Action> {
    TestModel(feed, clock: clock)
  }

  func form(_ title: String) -> ActivityForm {
    ActivityForm(title: title, start: "2026-05-10T18:00")
  }

  static func activity(_ id: String, _ title: String, _ people: [PersonName]) -> Activity {
    Activity(
      id: id, details: details(title), host: ana, participants: people, created: Board.now,
      updated: Board.now, revision: 1)
  }

  /// The content of ``form(_:)``.
  static func details(_ title: String) -> ActivityDetails {
    ActivityDetails(
      title: title, place: nil, notes: nil, start: Date(timeIntervalSince1970: 1_778_436_000))
  }
}

extension Activities {
  /// Changes the activity with this id.
  mutating func change(_ id: Activity.ID, _ body: (inout Activity) -> Void) {
    guard let old = self[id: id] else { return }
    var new = old
    body(&new)
    replace([old], by: [new])
  }
}
