import CausewayBasics
import CausewayNetwork
import Foundation
import Synchronization

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Sends requests with the system's URL loading.
final class URLSessionTransport: Transport {
  private let session: URLSession
  private let delegate = URLSessionTransportDelegate()
  /// The queue on which requests are cancelled.
  ///
  /// On Linux, a cancellation blocks its thread until the system has read the server's pending
  /// data. A task or a callback must not be blocked for that long.
  private let cancelling = OperationQueue()
  /// The system traps if a request is created in a closed session.
  private let isClosed = Mutex(false)
  let surroundings: Surroundings

  init(connectionsPerHost: Int, surroundings: Surroundings) {
    self.surroundings = surroundings
    let configuration = URLSessionConfiguration.ephemeral
    configuration.httpMaximumConnectionsPerHost = connectionsPerHost
    configuration.urlCache = nil
    configuration.requestCachePolicy = .reloadIgnoringLocalCacheData
    configuration.httpCookieStorage = nil
    configuration.httpShouldSetCookies = false
    configuration.urlCredentialStorage = nil
    // The watchdog implements timeouts, with a clock that tests can control.
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
      watchdog: surroundings.watch(exchange, timeout: timeout, end: end))
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
