/// Starts a browser, runs the body with it, and always closes it.
///
/// - Throws: The error of ``Browser/launch()`` or of the body.
package func withBrowser<Value: Sendable>(
  _ body: (Browser) async throws -> Value
) async throws -> Value {
  let browser = try await Browser.launch()
  do {
    let value = try await body(browser)
    await browser.close()
    return value
  } catch {
    await browser.close()
    throw error
  }
}
