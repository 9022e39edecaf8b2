import CausewayWeb
import Synchronization

extension Inspector {
  /// Serves the page, and returns its address.
  ///
  /// The server listens on 127.0.0.1 only. The address contains a secret of this run: without it,
  /// other users of the machine see nothing.
  ///
  /// - Parameter port: The port; 0 lets the system choose a free one.
  /// - Throws: ``InspectorError/page(_:)``, for example if the port is in use.
  public func start(port: UInt16 = 0) async throws(InspectorError) -> String {
    let server = try await InspectorServer.start(self, port: port)
    let old = page.withLock { page in
      let old = page
      page = (server.web, server.address)
      return old
    }
    await old?.web.stop(deadline: .zero)
    return server.address
  }

  /// Stops the page, after all events are in the ring, and no longer follows the data layer.
  public func stop() async {
    queue.follow(nil)
    await queue.settle()
    let server = page.withLock { page in
      let server = page
      page = nil
      return server
    }
    await server?.web.stop(deadline: .zero)
    await appPages.stop()
  }
}
