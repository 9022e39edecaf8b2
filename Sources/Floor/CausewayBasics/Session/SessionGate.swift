/// Decides whether data may be stored: the gate is closed between two sessions.
///
/// The gate is a value. The owner of the data checks the gate and changes the data under one lock,
/// or on one actor.
package struct SessionGate: Sendable {
  package private(set) var isShut = false
  private var epoch = 0

  package init() {}

  /// Opens the gate for a session, unless the session has ended in the meantime.
  package mutating func began(_ ticket: SessionTicket) {
    guard ticket.isCurrent else { return }
    epoch = ticket.epoch
    isShut = false
  }

  /// Closes the gate at the end of a session; returns `false` if the next one has already begun.
  package mutating func ended(_ ticket: SessionTicket) -> Bool {
    guard ticket.epoch >= epoch else { return false }
    isShut = true
    return true
  }

  /// Closes the gate because data is being removed; it opens when the next session begins.
  package mutating func shut() {
    isShut = true
  }
}
