import Foundation
import FoundationNetworking
import Synchronization

@testable import CausewayWeb

/// Reads an event stream with a data delegate, because some platforms lack `bytes(for:)`.
///
/// It stays open until it is cancelled or the server ends it, for example by stopping.
final class EventStream: Sendable {
  struct Event: Sendable {
    var name = ""
    var id = ""
    var data = ""

    var isComment: Bool { name.isEmpty && data.isEmpty }
    var json: JSONValue? { try? JSONValue(parsing: data.utf8) }

    /// The state that a page shows after this event.
    func applied(to state: JSONValue) -> JSONValue {
      guard let json else { return state }
      switch (name, state, json) {
      case ("patch", _, _): return MergePatch.apply(json, to: state)
      case ("shared", .object(let old), .object(let new)):
        return .object(old.merging(new) { _, new in new })
      default: return json
      }
    }
  }

  enum Item: Sendable {
    case opened(status: Int, headers: [String: String])
    case event(Event)
  }

  let items: AsyncStream<Item>
  private let task: URLSessionDataTask

  init(_ request: URLRequest) {
    let (items, continuation) = AsyncStream.makeStream(of: Item.self)
    self.items = items
    let configuration = URLSessionConfiguration.ephemeral
    // Sanitizers and a busy machine delay events.
    configuration.timeoutIntervalForRequest = request.timeoutInterval
    let session = URLSession(
      configuration: configuration, delegate: Delegate(continuation), delegateQueue: nil)
    task = session.dataTask(with: request)
    task.resume()
  }

  /// Closes the connection.
  func cancel() { task.cancel() }

  /// The status of the response.
  ///
  /// Events follow it.
  func status() async -> Int? {
    for await case .opened(let status, _) in items { return status }
    return nil
  }

  /// The header fields of the response.
  func headers() async -> [String: String]? {
    for await case .opened(_, let headers) in items { return headers }
    return nil
  }

  /// The events without comments.
  var events: AsyncCompactMapSequence<AsyncStream<Item>, Event> {
    items.compactMap { item in
      if case .event(let event) = item, !event.isComment { event } else { nil }
    }
  }

  /// Follows the stream like a page until the state matches; returns nil if the stream ends first.
  func state(from start: JSONValue = .null, until isWanted: (JSONValue) -> Bool) async -> JSONValue?
  {
    var state = start
    for await event in events {
      state = event.applied(to: state)
      if isWanted(state) { return state }
    }
    return nil
  }

  private final class Delegate: NSObject, URLSessionDataDelegate {
    private let continuation: AsyncStream<Item>.Continuation
    private let rest = Mutex(Data())

    init(_ continuation: AsyncStream<Item>.Continuation) { self.continuation = continuation }

    func urlSession(
      _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
      completionHandler: @escaping (URLSession.ResponseDisposition) -> Void
    ) {
      if let response = response as? HTTPURLResponse {
        let fields = response.allHeaderFields.map {
          (String(describing: $0).lowercased(), String(describing: $1))
        }
        continuation.yield(
          .opened(status: response.statusCode, headers: Dictionary(fields) { first, _ in first }))
      }
      completionHandler(.allow)
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
      let blocks = rest.withLock { rest in
        rest.append(data)
        var blocks: [String] = []
        while let end = rest.range(of: Data("\n\n".utf8)) {
          blocks.append(String(decoding: rest[..<end.lowerBound], as: UTF8.self))
          rest = Data(rest[end.upperBound...])
        }
        return blocks
      }
      for block in blocks { continuation.yield(.event(Event(block))) }
    }

    func urlSession(
      _ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?
    ) {
      continuation.finish()
      session.finishTasksAndInvalidate()
    }
  }
}

extension EventStream.Event {
  /// Reads the lines of an event.
  init(_ block: String) {
    for line in block.split(separator: "\n") {
      let parts = line.split(separator: ": ", maxSplits: 1)
      guard parts.count == 2 else { continue }
      switch parts[0] {
      case "event": name = String(parts[1])
      case "id": id = String(parts[1])
      case "data": data += parts[1]
      default: break
      }
    }
  }
}
