/// The number of activities that each person of a board hosts or joins.
package struct PeopleOfBoard: Sendable {
  private var board: Activities = []
  /// The numbers of the people who have activities.
  package private(set) var counts: [PersonName: Int] = [:]

  /// Makes the numbers of a board without activities.
  package init() {}

  /// Counts the activities of each person again where the board has changed.
  package mutating func become(_ new: Activities) {
    let changes = new.changes(since: board)
    board = new
    for person in changes.lazy.compactMap(\.before).flatMap(\.people) {
      let count = counts[person, default: 0] - 1
      counts[person] = count > 0 ? count : nil
    }
    for person in changes.lazy.compactMap(\.after).flatMap(\.people) {
      counts[person, default: 0] += 1
    }
  }
}
