import CausewayBasics

#if canImport(CCurl)
  import CausewayNetwork

  /// Sends requests with libcurl, on one thread for all requests of a service.
  ///
  /// The thread starts with the first request. It ends when the transport is closed or released.
  final class CurlTransport: Transport {
    let queue: CurlCommandQueue
    let surroundings: Surroundings

    /// Makes a transport without a thread.
    ///
    /// - Parameters:
    ///   - connectionsPerHost: The largest number of connections to one host.
    ///   - authorities: The file of trusted certificates; `nil` for the system's certificates.
    ///   - surroundings: Measure timeouts.
    init(
      connectionsPerHost: Int, authorities: String? = CurlOptions.authorities,
      surroundings: Surroundings
    ) {
      queue = CurlCommandQueue(connectionsPerHost: connectionsPerHost, authorities: authorities)
      self.surroundings = surroundings
    }

    deinit {
      close()
    }

    var count: Int { queue.count }

    func close() {
      queue.close()
    }

    func start(_ request: WireRequest, exchange: Exchange, timeout: Duration, end: Duration?) {
      guard let id = queue.newRequest() else {
        exchange.cancel(NetworkError(.closed, message: "the service was closed"))
        return
      }
      exchange.attach(
        cancelTask: { [queue] in queue.add(.cancel(id)) },
        resumeTask: { [queue] in queue.add(.resume(id)) },
        watchdog: surroundings.watch(exchange, timeout: timeout, end: end))
      queue.add(.start(.init(id: id, request: request, exchange: exchange)))
    }
  }
#endif
