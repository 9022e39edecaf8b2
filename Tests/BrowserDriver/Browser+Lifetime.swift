/// Runs the body with a browser, and always closes it.
///
/// - Throws: The error of ``Browser/launch(_:)`` or of the body.
public func withBrowser<Value: Sendable>(
  _ kind: BrowserKind = .chromium, _ body: (Browser) async throws -> Value
) async throws -> Value {
  let browser = try await Browser.launch(kind)
  do {
    let value = try await body(browser)
    await browser.close()
    return value
  } catch {
    await browser.close()
    throw error
  }
}
