/// Whether data may be kept: not from the end of a session until the next one begins.
///
/// A value. The owner of the data checks it and stores under one lock, or on one actor.
struct SessionGate: Sendable {
  private(set) var isShut = false
  private var epoch = 0

  /// Opens for a session, unless that has ended meanwhile.
  mutating func began(_ ticket: SessionTicket) {
    guard ticket.isCurrent else { return }
    epoch = ticket.epoch
    isShut = false
  }

  /// Shuts at the end of a session, unless the next one has begun already; returns whether it did.
  mutating func ended(_ ticket: SessionTicket) -> Bool {
    guard ticket.epoch >= epoch else { return false }
    isShut = true
    return true
  }

  /// Closes because data is being removed: no account is signed in until the next session begins.
  mutating func shut() {
    isShut = true
  }
}
