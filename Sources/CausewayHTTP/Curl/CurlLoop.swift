#if os(Linux)
  import CCurl
  import CausewayData
  import CausewaySystem
  import Foundation

  /// What the thread of a transport does: performs commands, has libcurl work, and waits.
  ///
  /// Everything here, and everything that libcurl calls, runs on that thread alone.
  final class CurlLoop {
    private let queue: CurlCommandQueue
    private let multi: UnsafeMutableRawPointer
    private var transfers: [Int: CurlTransfer] = [:]

    /// How long to wait for a command, in milliseconds.
    private static let idleLimit: Int32 = 600_000
    /// How long to wait for the network, in milliseconds.
    ///
    /// libcurl looks at all transfers then: one whose turn it has missed, which was seen when a
    /// hundred of them shared four connections, goes on without having to be timed out.
    private static let busyLimit: Int32 = 500
    /// The same while transfers wait for each other's connections, in milliseconds.
    private static let crowdedLimit: Int32 = 20

    private init(_ queue: CurlCommandQueue, multi: UnsafeMutableRawPointer) {
      self.queue = queue
      self.multi = multi
    }

    /// libcurl counts how often it is set up; once for the process is enough.
    private static let isSetUp = curl_global_init(Int(CURL_GLOBAL_ALL)) == CURLE_OK

    /// Works until the queue is closed.
    static func run(for queue: CurlCommandQueue) {
      // A connection that is closed by the server while something is sent is an error, and no signal.
      var signals = sigset_t()
      sigemptyset(&signals)
      sigaddset(&signals, SIGPIPE)
      pthread_sigmask(SIG_BLOCK, &signals, nil)
      guard isSetUp, let multi = curl_multi_init() else { return refuseAll(of: queue) }
      let connections = max(1, queue.connectionsPerHost)
      causeway_curl_multi_set_number(multi, CURLMOPT_MAX_HOST_CONNECTIONS, connections)
      // How many are kept when nothing runs; for more than one host, as redirects lead to others.
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
        // What follows a redirect has to be performed before anything is waited for.
        if finishEnded() { continue }
        let isCrowded =
          transfers.count > queue.connectionsPerHost
          && transfers.values.contains(where: \.isWaiting)
        let limit =
          transfers.isEmpty ? Self.idleLimit : isCrowded ? Self.crowdedLimit : Self.busyLimit
        if code == CURLM_OK { code = curl_multi_poll(multi, nil, 0, limit, nil) }
        // Without this a broken libcurl would keep a core busy and every request waiting.
        if code != CURLM_OK {
          queue.close()
          endAll(NetworkError(.other, message: String(cString: curl_multi_strerror(code))))
        }
      }
    }

    private func perform(_ command: CurlCommandQueue.Command) {
      switch command {
      case .start(let job):
        // It may have been cancelled on its way here.
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

    /// Tells the exchanges of transfers that have ended, or sends their requests on.
    ///
    /// - Returns: Whether there is a new transfer.
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

    /// libcurl cannot be used at all.
    private static func refuseAll(of queue: CurlCommandQueue) {
      queue.close()
      for case .start(let job) in queue.take().commands {
        queue.noteEnd()
        job.exchange?.didComplete(NetworkError(.other, message: "libcurl could not be set up"))
      }
    }
  }
#endif
