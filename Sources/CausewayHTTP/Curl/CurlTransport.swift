#if os(Linux)
  import CausewayData

  /// Brings requests to servers by libcurl, on one thread for all requests of a service.
  ///
  /// The thread begins with the first request and ends when the transport is closed or given up.
  final class CurlTransport: Transport {
    let inbox: CurlInbox
    let timekeeper: Timekeeper

    /// Makes a transport without a thread.
    ///
    /// - Parameters:
    ///   - connectionsPerHost: How many connections there may be to one host.
    ///   - authorities: The file of the certificates to trust, `nil` for those of the system.
    ///   - timekeeper: Counts timeouts.
    init(
      connectionsPerHost: Int, authorities: String? = CurlOptions.authorities,
      timekeeper: Timekeeper
    ) {
      inbox = CurlInbox(connectionsPerHost: connectionsPerHost, authorities: authorities)
      self.timekeeper = timekeeper
    }

    deinit {
      close()
    }

    var count: Int { inbox.count }

    func close() {
      inbox.close()
    }

    func start(_ request: WireRequest, exchange: Exchange, timeout: Duration, end: Duration?) {
      guard let id = inbox.newRequest() else {
        exchange.cancel(NetworkError(.closed, message: "the service was closed"))
        return
      }
      exchange.attach(
        cancelTask: { [inbox] in inbox.add(.cancel(id)) },
        resumeTask: { [inbox] in inbox.add(.resume(id)) },
        watchdog: timekeeper.watch(exchange, timeout: timeout, end: end))
      inbox.add(.start(.init(id: id, request: request, exchange: exchange)))
    }
  }
#endif
