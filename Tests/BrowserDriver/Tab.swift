import Foundation

/// One tab of a ``Browser``.
public struct Tab: Sendable {
  let driver: any TabDriver

  /// Loads an address and returns when the page has fired `load`.
  ///
  /// - Throws: `BrowserError.unreachable`, or `.unanswered` if it never finishes loading.
  public func open(_ url: String) async throws { try await driver.open(url) }

  /// Reloads the page, and returns when the page has fired `load`.
  ///
  /// - Returns: Whether the page warned before it was left. The driver accepts each warning.
  @discardableResult
  public func reload() async throws -> Bool {
    try await driver.leave(.reload)
  }

  /// Goes back to the page before this one, like ``reload()``.
  @discardableResult
  public func goBack() async throws -> Bool {
    try await driver.leave(.back)
  }

  /// Goes forward to the page after this one, like ``reload()``.
  @discardableResult
  public func goForward() async throws -> Bool {
    try await driver.leave(.forward)
  }

  /// Runs a script at the start of each page that this tab loads from now on.
  public func beforeEachPage(run script: String) async throws {
    try await driver.beforeEachPage(run: script)
  }

  /// Returns when the page has shown a dialog, such as the warning that appears before a page is
  /// left.
  public func waitForWarning() async throws { try await driver.waitForWarning() }

  /// Evaluates a JavaScript expression in the page, awaits it if it is a promise, and decodes its
  /// value from JSON.
  ///
  /// - Throws: `BrowserError.script` if it throws, a `DecodingError` if its value is not a `T`.
  public func evaluate<T: Decodable>(_ expression: String, as type: T.Type) async throws -> T {
    let value = try await evaluate(expression)
    return try JSONDecoder().decode(type, from: JSONEncoder().encode(value))
  }

  /// Evaluates a JavaScript expression in the page, awaits a promise, and returns the value.
  @discardableResult
  public func evaluate(
    _ expression: String, limit: Duration = .seconds(60)
  ) async throws -> JSON {
    try await driver.evaluate(expression, limit: limit)
  }

  /// The errors that the page has reported so far, oldest first.
  public var problems: [ConsoleProblem] {
    get async { await driver.problems }
  }

  /// The number of frames in the page that could not be loaded; only in Chromium.
  public var failedFrames: Int {
    get async throws { try await driver.failedFrames }
  }

  /// Closes the tab.
  public func close() async throws { try await driver.close() }
}

extension String {
  /// This text as a JavaScript string literal.
  public var script: String {
    guard let data = try? JSONEncoder().encode(self) else { return "\"\"" }
    return String(decoding: data, as: UTF8.self)
  }
}
