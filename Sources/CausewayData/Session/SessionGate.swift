/// Whether data may be stored: closed from the end of a session until the next one begins.
///
/// A value. The owner of the data makes the check and the change of the data under one lock, or on
/// one actor.
struct SessionGate: Sendable {
  private(set) var isShut = false
  private var epoch = 0

  /// Opens the gate for a session, unless the session has ended in the meantime.
  mutating func began(_ ticket: SessionTicket) {
    guard ticket.isCurrent else { return }
    epoch = ticket.epoch
    isShut = false
  }

  /// Closes the gate at the end of a session; returns `false` if the next one has already begun.
  mutating func ended(_ ticket: SessionTicket) -> Bool {
    guard ticket.epoch >= epoch else { return false }
    isShut = true
    return true
  }

  /// Closes the gate because data is being removed; it opens when the next session begins.
  mutating func shut() {
    isShut = true
  }
}
