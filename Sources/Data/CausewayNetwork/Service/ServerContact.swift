/// Tells an outbox and its engines that their server can be reached again.
///
/// It is ``current`` while the outbox and its engines send, read, and follow the server. A network
/// service that fails to reach the server for one of these requests keeps the contact. The service
/// calls ``reach()`` when the server answers any of its requests.
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
