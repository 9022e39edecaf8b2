import CausewayNetwork
import Foundation
import Synchronization

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Forwards the session's events to the exchange of each request.
///
/// The session retains this delegate, so the delegate holds the exchanges weakly. When a consumer
/// releases its exchange, the exchange ends.
final class URLSessionTransportDelegate: NSObject, URLSessionDataDelegate, Sendable {
  private struct Entry {
    weak var exchange: Exchange?
    var redirectCount = 0
  }

  private let entries = Mutex<[Int: Entry]>([:])

  func register(_ exchange: Exchange, for task: URLSessionTask) {
    entries.withLock { $0[task.taskIdentifier] = Entry(exchange: exchange) }
  }

  /// The number of requests that the system has not ended.
  var count: Int { entries.withLock(\.count) }

  private static func method(of request: URLRequest?) -> HTTPMethod {
    request?.httpMethod.flatMap(HTTPMethod.init) ?? .get
  }

  private func exchange(of task: URLSessionTask) -> Exchange? {
    entries.withLock { $0[task.taskIdentifier]?.exchange }
  }

  func urlSession(
    _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
    completionHandler: @escaping (URLSession.ResponseDisposition) -> Void
  ) {
    if let exchange = exchange(of: dataTask) {
      let length = response.expectedContentLength
      exchange.didReceive(
        NetworkResponse(response), expecting: length >= 0 ? Int(clamping: length) : nil)
      completionHandler(.allow)
    } else {
      completionHandler(.cancel)
    }
  }

  func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
    guard let exchange = exchange(of: dataTask) else { return }
    data.withUnsafeBytes { _ = exchange.didReceive($0) }
  }

  func urlSession(
    _ session: URLSession, task: URLSessionTask, didSendBodyData bytesSent: Int64,
    totalBytesSent: Int64, totalBytesExpectedToSend: Int64
  ) {
    exchange(of: task)?.didSend(
      Int(clamping: totalBytesSent),
      of: totalBytesExpectedToSend > 0 ? Int(clamping: totalBytesExpectedToSend) : nil)
  }

  func urlSession(
    _ session: URLSession, task: URLSessionTask,
    willPerformHTTPRedirection response: HTTPURLResponse,
    newRequest request: URLRequest, completionHandler: @escaping (URLRequest?) -> Void
  ) {
    let (exchange, count) = entries.withLock { entries in
      let entry = entries[task.taskIdentifier]
      entries[task.taskIdentifier]?.redirectCount += 1
      return (entry?.exchange, entry?.redirectCount ?? 0)
    }
    guard let exchange, task.state == .running else {
      // The request was cancelled. On Linux, the system traps if it gets an answer after that.
      #if !canImport(FoundationNetworking)
        completionHandler(nil)
      #endif
      return
    }
    let original = task.originalRequest
    // The system sends the body again unless it changes the method.
    let hasBody = task is URLSessionUploadTask && request.httpMethod == original?.httpMethod
    do throws(RedirectRule.Refusal) {
      let fields = request.allHTTPHeaderFields ?? [:]
      let headers = try exchange.redirects.headers(
        NetworkHeaders(fields.map { ($0.key, $0.value) }), of: Self.method(of: original),
        as: Self.method(of: request), from: original?.url, to: request.url, hasBody: hasBody,
        count: count)
      var next = request
      for name in fields.keys where headers[name] == nil {
        next.setValue(nil, forHTTPHeaderField: name)
      }
      completionHandler(next)
    } catch {
      // On Linux, the system traps if it gets this answer after the cancellation.
      completionHandler(nil)
      exchange.cancel(NetworkError(.redirect, message: error.reason, status: response.statusCode))
    }
  }

  func urlSession(
    _ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?
  ) {
    let entry = entries.withLock { $0.removeValue(forKey: task.taskIdentifier) }
    entry?.exchange?.didComplete(error.map(NetworkError.init(system:)))
  }

  func urlSession(_ session: URLSession, didBecomeInvalidWithError error: (any Error)?) {
    let left = entries.withLock { entries in
      defer { entries = [:] }
      return entries.values.compactMap(\.exchange)
    }
    for exchange in left {
      exchange.didComplete(NetworkError(.closed, message: "the service was closed"))
    }
  }
}

extension NetworkResponse {
  /// Makes a response without a body from the system's response.
  init(_ response: URLResponse) {
    let http = response as? HTTPURLResponse
    self.init(
      status: http?.statusCode ?? 0,
      headers: NetworkHeaders(
        (http?.allHeaderFields ?? [:]).compactMap { name, value in
          guard let name = name as? String else { return nil }
          return (name, (value as? String) ?? String(describing: value))
        }))
  }
}
