/// Whether data may be stored: closed from the end of a session until the next one begins.
///
/// A value. The owner of the data makes the check and the change of the data under one lock, or on
/// one actor.
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
