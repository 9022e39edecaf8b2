/// Tells an outbox and its engines that their server can be reached again.
///
/// It is set while they send, read, and follow the server. A network service that fails to reach the
/// server for them keeps it, and calls it when the server answers any request of the service.
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
