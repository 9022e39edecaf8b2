import Synchronization

/// The acknowledged actions, which the board must contain in the end.
final class Ledger: Sendable {
  private struct State {
    var created: Set<String> = []
    /// Whether a person takes part in an activity; a missing entry is not known.
    var joined: [String: [String: Bool]] = [:]
    var statuses: [Int: Int] = [:]
    /// The cookies of the browsers, by the names of their people.
    var cookies: [String: String] = [:]
  }

  private let state = Mutex(State())

  func note(created title: String) { state.withLock { _ = $0.created.insert(title) } }

  func note(_ person: String, _ title: String, joined: Bool) {
    state.withLock { $0.joined[person, default: [:]][title] = joined }
  }

  /// Forgets whether a person takes part, because an action begins.
  func forget(_ person: String, _ title: String) {
    state.withLock { $0.joined[person, default: [:]][title] = nil }
  }

  func note(cookie: String, of person: String) { state.withLock { $0.cookies[person] = cookie } }

  func cookie(of person: String) -> String? { state.withLock { $0.cookies[person] } }

  func note(status: Int) { state.withLock { $0.statuses[status, default: 0] += 1 } }

  /// The number of answers with each status.
  var statuses: String {
    state.withLock(\.statuses).sorted { $0.key < $1.key }.map { "\($1) × \($0)" }
      .joined(separator: ", ")
  }

  /// What a person's board lacks.
  func missing(for person: String, on board: [Visitor.Card]) -> [String] {
    let cards = Dictionary(board.map { ($0.title, $0) }) { first, _ in first }
    let (created, joined) = state.withLock { ($0.created, $0.joined[person] ?? [:]) }
    let lost = created.filter { cards[$0] == nil }.map { "\($0) is missing" }
    let wrong = joined.filter { title, isJoined in
      cards[title].map { $0.people.contains(person) != isJoined } ?? false
    }
    return lost
      + wrong.map { title, isJoined in
        "\(person) \(isJoined ? "joined" : "left") \(title), and the board differs"
      }
  }
}
