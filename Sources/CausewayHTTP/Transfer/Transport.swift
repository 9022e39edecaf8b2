import CausewayData
import Foundation
import Synchronization

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// The session of a service: starts exchanges.
final class Transport: Sendable {
  private let session: URLSession
  private let delegate = SessionDelegate()
  /// Where requests are cancelled.
  ///
  /// On Linux that blocks the thread until the system has taken what a server that does not stop
  /// sends. Neither a task nor a callback can wait for that.
  private let cancelling = OperationQueue()
  /// A session that was closed must not be asked for a request: the system would trap.
  private let isClosed = Mutex(false)
  let timekeeper: Timekeeper

  init(connectionsPerHost: Int, timekeeper: Timekeeper) {
    self.timekeeper = timekeeper
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

  /// The number of requests that the system has not ended.
  var count: Int { delegate.count }

  /// Ends everything; later exchanges fail.
  func close() {
    let wasOpen = isClosed.withLock { isClosed in
      defer { isClosed = true }
      return !isClosed
    }
    guard wasOpen else { return }
    cancelling.addOperation { [session] in session.invalidateAndCancel() }
  }

  /// Starts a request.
  ///
  /// - Parameters:
  ///   - request: What to send.
  ///   - body: Its body.
  ///   - exchange: Is told what becomes of it.
  ///   - timeout: How long nothing may move.
  ///   - end: When all of it has to be done, by the timekeeper.
  func start(
    _ request: URLRequest, body: NetworkRequest.Body, exchange: Exchange, timeout: Duration,
    end: Duration?
  ) {
    var request = request
    request.timeoutInterval = Self.never
    let task = isClosed.withLock { isClosed -> URLSessionTask? in
      if isClosed { return nil }
      let task = makeTask(request, body)
      delegate.register(exchange, for: task)
      return task
    }
    guard let task else {
      exchange.cancel(NetworkError(.closed, message: "the service was closed"))
      return
    }
    exchange.attach(
      cancelTask: { [cancelling] in cancelling.addOperation { task.cancel() } },
      watchdog: timekeeper.watch(exchange, timeout: timeout, end: end))
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
