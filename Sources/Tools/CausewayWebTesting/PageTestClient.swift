public import CausewayWeb
import Foundation
import Synchronization

/// A page of a server for tests, without a browser and without a connection.
///
///     let page = try await PageTestClient(server)
///     try await page.send(Counter.Action.increment)
///     let count = try await page.value("count", as: Int.self) { $0 == 1 }
///
/// It opens the page as a new browser, sends actions as the page script does, and reads the view
/// state that the page would show. It may be used from any isolation. It sends one action at a time.
public final class PageTestClient: Sendable {
  /// The page's HTML, with the first view state.
  public let html: String
  /// The cookies of the browser, for a second page of the same browser.
  public let cookies: String
  private let server: WebServer
  private let path: String
  private let session: String
  private let number = Mutex<UInt64>(0)

  /// Opens a page.
  ///
  /// - Parameters:
  ///   - server: The server, which need not run.
  ///   - path: The path of the page, with its query.
  ///   - cookies: The cookies of the browser; nil for a new browser.
  /// - Throws: ``PageTestError`` if the server's status is not 200.
  public init(_ server: WebServer, path: String = "/", cookies: String? = nil) async throws {
    var headers: HTTPHeaders = ["Accept": "text/html"]
    headers["Cookie"] = cookies
    var (answer, text) = try await Self.load(server, path, headers)
    // If the sessions of the browser have ended while the page was being made, the server tells the
    // browser to load it again.
    for _ in 0..<5 {
      guard answer.status == .ok, cookies != nil, Self.session(in: text) == nil,
        let again = text.firstMatch(of: /<meta http-equiv="refresh" content="([0-9])">/),
        let seconds = Int(again.1)
      else { break }
      try await Task.sleep(for: .seconds(seconds))
      (answer, text) = try await Self.load(server, path, headers)
    }
    guard answer.status == .ok, let session = Self.session(in: text) else {
      throw PageTestError(status: answer.status, detail: text)
    }
    html = text
    self.session = session
    self.server = server
    self.path = path
    let set = answer.headers["Set-Cookie"].map { String($0.prefix { $0 != ";" }) }
    self.cookies = cookies ?? set ?? ""
  }

  private static func session(in html: String) -> String? {
    let meta = html.firstMatch(of: /<meta name="causeway-session" content="([0-9a-f]+)">/)
    return meta.map { String($0.1) }
  }

  private static func load(
    _ server: WebServer, _ path: String, _ headers: HTTPHeaders
  ) async throws -> (Response, String) {
    let answer = await server.respond(to: Request(.get, path, headers: headers))
    return (answer, String(decoding: try await answer.bytes, as: UTF8.self))
  }

  private init(
    _ previous: PageTestClient, html: String, cookies: String, session: String
  ) {
    (server, path) = (previous.server, previous.path)
    (self.html, self.cookies, self.session) = (html, cookies, session)
  }

  /// Waits until the server ends the page's session, and opens the page again, as its script does.
  ///
  /// After a sign-in, the browser has new cookies then.
  ///
  /// - Parameter limit: The longest time to wait.
  /// - Throws: ``PageTestError`` if the server's status is not 200, and with the last view state after
  ///   the limit. `CancellationError` if the task is cancelled.
  public func renewed(within limit: Duration = .seconds(60)) async throws -> PageTestClient {
    struct Opening: Decodable { var session: String }
    let end = LimitedStream(server.end(ofSession: session), limit)
    defer { end.stop() }
    for await _ in end.elements {}
    try Task.checkCancellation()
    if end.isOver {
      var states = server.viewStates(ofSession: session).makeAsyncIterator()
      let last = await states.next().map { String(decoding: $0, as: UTF8.self) }
      throw PageTestError(
        detail: "The session has not ended within \(limit). The last view state: \(last ?? "none")")
    }
    let request = Request(
      .get, path,
      headers: ["Accept": "application/json", "Causeway-Session": session, "Cookie": cookies])
    let answer = await server.respond(to: request)
    let bytes = try await answer.bytes
    guard answer.status == .ok,
      let opening = try? JSONDecoder().decode(Opening.self, from: Data(bytes))
    else {
      throw PageTestError(status: answer.status, detail: String(decoding: bytes, as: UTF8.self))
    }
    let set = answer.headers["Set-Cookie"].map { String($0.prefix { $0 != ";" }) }
    return PageTestClient(
      self, html: html, cookies: set ?? cookies, session: opening.session)
  }

  /// The server's answer to an action that it has applied.
  public enum Answer: Sendable, Equatable {
    /// The effects that the answer waits for have ended; see `ActionAnswer`.
    case finished
    /// Effects were still running after `WebServerLimits.effectTime`.
    ///
    /// The page then sends its next action. Each text has the id and the source location of an
    /// effect.
    case running(effects: [String])
  }

  /// Sends an action, and returns when the server has answered it.
  ///
  /// - Throws: ``PageTestError`` if the server refuses the action, or the error of its `encode(to:)`.
  @discardableResult
  public func send(_ action: some Encodable & Sendable) async throws -> Answer {
    let encoder = JSONEncoder()
    encoder.dateEncodingStrategy = .iso8601
    let next = number.withLock { number in
      number += 1
      return number
    }
    let body = try encoder.encode(action)
    let request = Request(
      .post, "/_causeway/action",
      headers: [
        "Content-Type": "application/json", "Cookie": cookies, "Causeway-Session": session,
        "Causeway-Sequence": String(next),
      ])
    let answer = await server.respond(to: request) { _ in body }
    if answer.status == .ok { return .finished }
    if answer.status == HTTPStatus(202) {
      return .running(effects: await server.runningEffects(ofSession: session, action: next))
    }
    throw PageTestError(
      status: answer.status, detail: String(decoding: try await answer.bytes, as: UTF8.self))
  }

  /// Returns the value at a path of the view state, as soon as it meets a condition.
  ///
  /// - Parameters:
  ///   - path: The path as a page writes it, such as `rows.0.name` or `note?`; empty for the whole
  ///     state. It cannot begin with `item`, because there is no row.
  ///   - type: The type of the value.
  ///   - limit: The longest time to wait.
  ///   - condition: Whether the value is the awaited one. A state without such a value is skipped.
  /// - Throws: ``PageTestError`` at once if the text is no path, and with the last state after the
  ///   limit. `CancellationError` if the session ends first or the task is cancelled.
  public func value<Value: Decodable>(
    _ path: String = "", as type: Value.Type = Value.self, within limit: Duration = .seconds(60),
    when condition: (Value) -> Bool = { _ in true }
  ) async throws -> Value {
    let read = try Self.reader(of: path)
    let decoder = JSONDecoder()
    decoder.dateDecodingStrategy = .iso8601
    let states = LimitedStream(server.viewStates(ofSession: session), limit)
    defer { states.stop() }
    var last: JSONValue?
    for await text in states.elements {
      let state = try JSONValue(parsing: text)
      last = state
      guard let found = read(state), found != .null else { continue }
      if let value = try? decoder.decode(type, from: Data(found.serialized())), condition(value) {
        return value
      }
    }
    guard states.isOver else { throw CancellationError() }
    throw PageTestError(
      detail: "No awaited value came at \"\(path)\" within \(limit). The last view state: "
        + "\(last?.description ?? "none")")
  }

  private static func reader(
    of path: String
  ) throws(PageTestError) -> @Sendable (JSONValue) -> JSONValue? {
    if path.isEmpty { return { $0 } }
    do {
      let path = try BindingPath(path)
      if !path.readsRow { return { path.value(in: $0) } }
    } catch {
      throw PageTestError(detail: error.text)
    }
    throw PageTestError(
      detail: "\"\(path)\" begins in the row of a list; begin it in the view state.")
  }

  /// The bindings of the page that cannot work, such as a misspelt path or an action that the
  /// server could not decode.
  ///
  /// Each text has the file and the line, the attribute, and the name that was probably meant. Paths
  /// are compared with the current view state. A path into a list is checked as soon as the list has
  /// a row, or if the view state's type is `Decodable`.
  ///
  /// Complexity: O(n²) in the number of elements of the page.
  public var problems: [String] {
    get async throws {
      guard let page = await server.page(at: path, ofSession: session) else { return [] }
      return PageBindings(page.types).problems(page.routes, in: page.state).map(\.description)
    }
  }
}

/// A sequence that ends after a time.
private struct LimitedStream<Element: Sendable> {
  let elements: AsyncStream<Element>
  private let tasks: [Task<Void, Never>]
  private let flag = Flag()

  private final class Flag: Sendable {
    private let state = Mutex(false)
    var value: Bool {
      get { state.withLock(\.self) }
      set { state.withLock { $0 = newValue } }
    }
  }

  init(_ base: AsyncStream<Element>, _ limit: Duration) {
    let (elements, continuation) = AsyncStream.makeStream(of: Element.self)
    self.elements = elements
    tasks = [
      Task {
        for await element in base { continuation.yield(element) }
        continuation.finish()
      },
      Task { [flag] in
        guard (try? await Task.sleep(for: limit)) != nil else { return }
        flag.value = true
        continuation.finish()
      },
    ]
  }

  /// Whether the time is over.
  var isOver: Bool { flag.value }

  func stop() { for task in tasks { task.cancel() } }
}

/// An unexpected answer of the server, a value that did not arrive, or a path that cannot be read.
public struct PageTestError: Error, Sendable, CustomStringConvertible {
  /// The status of the answer; `nil` if the server did not refuse anything.
  public let status: HTTPStatus?
  /// The body of the answer, which names the problem.
  ///
  /// Without a status, it is the awaited value and the last view state, or the mistake in the path.
  public let detail: String

  init(status: HTTPStatus? = nil, detail: String) {
    self.status = status
    self.detail = detail
  }

  /// The status, if there is one, and the detail.
  public var description: String { status.map { "\($0.code): \(detail)" } ?? detail }
}
