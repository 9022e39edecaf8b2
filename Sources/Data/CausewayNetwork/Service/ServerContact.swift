/// Tells an outbox and its engines that their server can be reached again.
///
/// The contact is ``current`` while the outbox and its engines send, read, and follow the server. If
/// a network service cannot reach the server for one of these requests, it keeps the contact. It
/// calls ``reach()`` when the server answers any request of the service.
package final class ServerContact: Sendable {
  /// The contact of the requests that the current task makes.
  @TaskLocal package static var current: ServerContact?

  private let reached: @Sendable () -> Void

  package init(_ reached: @escaping @Sendable () -> Void) {
    self.reached = reached
  }

  /// Ends the waits that began because the server could not be reached.
  package func reach() { reached() }
}
