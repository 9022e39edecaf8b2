/// Whether data may be stored: not from the end of a session until the next one begins.
///
/// A value. The owner of the data uses one lock or one actor for the check and the change of the
/// data.
struct SessionGate: Sendable {
  private(set) var isShut = false
  private var epoch = 0

  /// Opens for a session, unless the session has ended in the meantime.
  mutating func began(_ ticket: SessionTicket) {
    guard ticket.isCurrent else { return }
    epoch = ticket.epoch
    isShut = false
  }

  /// Shuts at the end of a session; returns `false` if the next one has begun already.
  mutating func ended(_ ticket: SessionTicket) -> Bool {
    guard ticket.epoch >= epoch else { return false }
    isShut = true
    return true
  }

  /// Shuts because data is being removed; the gate opens when the next session begins.
  mutating func shut() {
    isShut = true
  }
}
