#if canImport(CCurl)
  import CCurl
  import CausewayBasics
  import CausewayNetwork
  import CausewaySystem
  import Foundation

  /// The main loop of a transport's thread: runs commands, runs libcurl, and waits.
  ///
  /// All functions of this class and all callbacks of libcurl run on that thread.
  final class CurlLoop {
    private let queue: CurlCommandQueue
    private let multi: UnsafeMutableRawPointer
    private var transfers: [Int: CurlTransfer] = [:]

    /// The longest wait when there are no transfers, in milliseconds.
    private static let idleLimit: Int32 = 600_000
    /// The longest wait for the network, in milliseconds.
    ///
    /// After each wait, libcurl checks all transfers. libcurl sometimes skips a transfer; without
    /// this limit, that transfer would wait for its timeout. This was observed with a hundred
    /// transfers on four connections.
    private static let busyLimit: Int32 = 500
    /// The longest wait while transfers wait for a free connection, in milliseconds.
    private static let crowdedLimit: Int32 = 20

    private init(_ queue: CurlCommandQueue, multi: UnsafeMutableRawPointer) {
      self.queue = queue
      self.multi = multi
    }

    /// Whether libcurl was initialised, which happens once in each process.
    private static let isSetUp = curl_global_init(Int(CURL_GLOBAL_ALL)) == CURLE_OK

    /// Runs the loop until the queue is closed.
    static func run(for queue: CurlCommandQueue) {
      // Without this call, SIGPIPE would end the process after a write to a connection that the
      // server has closed.
      BrokenPipe.blockSignal()
      guard isSetUp, let multi = curl_multi_init() else { return refuseAll(of: queue) }
      let connections = max(1, queue.connectionsPerHost)
      causeway_curl_multi_set_number(multi, CURLMOPT_MAX_HOST_CONNECTIONS, connections)
      // The limit of idle connections. It allows for more than one host, because of redirects.
      causeway_curl_multi_set_number(multi, CURLMOPT_MAXCONNECTS, 2 * connections)
      queue.setMulti(multi)
      let loop = CurlLoop(queue, multi: multi)
      loop.work()
      queue.setMulti(nil)
      curl_multi_cleanup(multi)
    }

    private func work() {
      while true {
        let (commands, isClosed) = queue.take()
        for command in commands { perform(command) }
        if isClosed {
          return endAll(NetworkError(.closed, message: "the service was closed"))
        }
        var running: Int32 = 0
        var code = curl_multi_perform(multi, &running)
        // Redirected requests are new transfers. libcurl must start them before the wait.
        if finishEnded() { continue }
        let isCrowded =
          transfers.count > queue.connectionsPerHost
          && transfers.values.contains(where: \.isWaiting)
        let limit =
          transfers.isEmpty ? Self.idleLimit : isCrowded ? Self.crowdedLimit : Self.busyLimit
        if code == CURLM_OK { code = curl_multi_poll(multi, nil, 0, limit, nil) }
        // If libcurl fails, all requests end. Otherwise the loop would use a whole core, and no
        // request would end.
        if code != CURLM_OK {
          queue.close()
          endAll(NetworkError(.other, message: String(cString: curl_multi_strerror(code))))
        }
      }
    }

    private func perform(_ command: CurlCommandQueue.Command) {
      switch command {
      case .start(let job):
        // The request may have been cancelled before it reached this thread.
        guard let exchange = job.exchange, !exchange.hasEnded else { return queue.noteEnd() }
        start(job.request, id: job.id, for: exchange, redirectCount: 0)
      case .cancel(let id):
        guard let transfer = transfers.removeValue(forKey: id) else { return }
        curl_multi_remove_handle(multi, transfer.easy)
        queue.noteEnd()
      case .resume(let id):
        guard let transfer = transfers[id], let code = transfer.resume() else { return }
        end(transfer, code)
      }
    }

    private func start(
      _ request: WireRequest, id: Int, for exchange: Exchange, redirectCount: Int
    ) {
      do throws(NetworkError) {
        let transfer = try CurlTransfer(
          id: id, request: request, exchange: exchange, redirectCount: redirectCount,
          authorities: queue.authorities)
        let code = curl_multi_add_handle(multi, transfer.easy)
        guard code == CURLM_OK else {
          throw NetworkError(.other, message: String(cString: curl_multi_strerror(code)))
        }
        transfers[id] = transfer
      } catch {
        queue.noteEnd()
        exchange.didComplete(error)
      }
    }

    /// Reports ended transfers to their exchanges, and starts redirected requests.
    ///
    /// - Returns: Whether a transfer was started.
    private func finishEnded() -> Bool {
      var hasNew = false
      var code = CURLE_OK
      while let context = causeway_curl_next_ended(multi, &code) {
        let transfer = CurlTransfer.of(context)
        if let next = transfer.next, let exchange = transfer.exchange, !exchange.hasEnded {
          curl_multi_remove_handle(multi, transfer.easy)
          transfers[transfer.id] = nil
          exchange.didMove()
          start(next, id: transfer.id, for: exchange, redirectCount: transfer.redirectCount + 1)
          hasNew = true
        } else {
          end(transfer, code)
        }
      }
      return hasNew
    }

    private func end(_ transfer: CurlTransfer, _ code: CURLcode) {
      curl_multi_remove_handle(multi, transfer.easy)
      transfers[transfer.id] = nil
      queue.noteEnd()
      transfer.exchange?.didComplete(transfer.error(code))
    }

    private func endAll(_ error: NetworkError) {
      for transfer in transfers.values {
        curl_multi_remove_handle(multi, transfer.easy)
        queue.noteEnd()
        transfer.exchange?.didComplete(error)
      }
      transfers = [:]
    }

    /// Fails all requests when libcurl cannot be initialised.
    private static func refuseAll(of queue: CurlCommandQueue) {
      queue.close()
      for case .start(let job) in queue.take().commands {
        queue.noteEnd()
        job.exchange?.didComplete(NetworkError(.other, message: "libcurl could not be set up"))
      }
    }
  }
#endif
