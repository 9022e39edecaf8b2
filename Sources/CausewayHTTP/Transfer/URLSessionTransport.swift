import CausewayData
import Foundation
import Synchronization

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Brings requests to servers by the system's URL loading.
final class URLSessionTransport: Transport {
  private let session: URLSession
  private let delegate = URLSessionTransportDelegate()
  /// Where requests are cancelled.
  ///
  /// On Linux that blocks the thread until the system has taken what a server that does not stop
  /// sends. Neither a task nor a callback can wait for that.
  private let cancelling = OperationQueue()
  /// A session that was closed must not be asked for a request: the system would trap.
  private let isClosed = Mutex(false)
  let clock: TransportClock

  init(connectionsPerHost: Int, clock: TransportClock) {
    self.clock = clock
    let configuration = URLSessionConfiguration.ephemeral
    configuration.httpMaximumConnectionsPerHost = connectionsPerHost
    configuration.urlCache = nil
    configuration.requestCachePolicy = .reloadIgnoringLocalCacheData
    configuration.httpCookieStorage = nil
    configuration.httpShouldSetCookies = false
    configuration.urlCredentialStorage = nil
    // The watchdog counts, by a clock that tests can move.
    configuration.timeoutIntervalForRequest = Self.never
    configuration.timeoutIntervalForResource = Self.never
    session = URLSession(configuration: configuration, delegate: delegate, delegateQueue: nil)
  }

  deinit {
    close()
  }

  var count: Int { delegate.count }

  func close() {
    let wasOpen = isClosed.withLock { isClosed in
      defer { isClosed = true }
      return !isClosed
    }
    guard wasOpen else { return }
    cancelling.addOperation { [session] in session.invalidateAndCancel() }
  }

  func start(_ request: WireRequest, exchange: Exchange, timeout: Duration, end: Duration?) {
    var system = request.system
    system.timeoutInterval = Self.never
    let task = isClosed.withLock { isClosed -> URLSessionTask? in
      if isClosed { return nil }
      let task = makeTask(system, request.body)
      delegate.register(exchange, for: task)
      return task
    }
    guard let task else {
      exchange.cancel(NetworkError(.closed, message: "the service was closed"))
      return
    }
    exchange.attach(
      cancelTask: { [cancelling] in cancelling.addOperation { task.cancel() } },
      watchdog: clock.watch(exchange, timeout: timeout, end: end))
    task.resume()
  }

  private func makeTask(_ request: URLRequest, _ body: NetworkRequest.Body) -> URLSessionTask {
    switch body {
    case .none: session.dataTask(with: request)
    case .bytes(let bytes, _): session.uploadTask(with: request, from: Data(bytes))
    case .file(let path, _):
      session.uploadTask(with: request, fromFile: URL(fileURLWithPath: path))
    }
  }

  private static let never: TimeInterval = 7 * 24 * 3600
}
