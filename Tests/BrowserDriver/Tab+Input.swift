import Foundation

extension Tab {
  /// A key that is pressed for its function, not for a character.
  public enum Key: String, Sendable {
    case tab = "Tab"
    case enter = "Enter"
    case escape = "Escape"
    case space = "Space"
    case backspace = "Backspace"
    case arrowUp = "ArrowUp"
    case home = "Home"
    case end = "End"
  }

  /// Clicks the middle of an element after waiting until it is visible and enabled.
  ///
  /// - Throws: `BrowserError.unusable` if another element covers it.
  public func click(_ element: Element) async throws {
    try await wait(
      until: "((e) => e?.checkVisibility() && !e.matches(':disabled'))(\(element.script))")
    let place = try await evaluate(
      """
      (() => {
        const element = \(element.script);
        element.scrollIntoView({ block: "center", behavior: "instant" });
        const box = element.getBoundingClientRect();
        const x = box.x + box.width / 2, y = box.y + box.height / 2;
        const hit = document.elementFromPoint(x, y);
        const clear = hit && (element.contains(hit) || hit.contains(element)
          || [...(element.labels ?? [])].some((label) => label.contains(hit)));
        return { x, y, covered: clear ? "" : (hit?.outerHTML.slice(0, 120) ?? "nothing there") };
      })()
      """)
    if let cover = place["covered"]?.text, !cover.isEmpty {
      throw BrowserError.unusable(selector: element.description, reason: "covered by \(cover)")
    }
    guard let x = place["x"]?.number, let y = place["y"]?.number else {
      throw BrowserError.unusable(
        selector: element.description, reason: "it has no place on the page")
    }
    try await driver.click(x: x, y: y)
  }

  /// Presses and releases a key.
  public func press(_ key: Key, shift: Bool = false) async throws {
    try await driver.press(key, shift: shift)
  }

  /// Types text at the focus, like an input method.
  public func type(_ text: String) async throws { try await driver.type(text) }

  /// Replaces the content of a text field by typing.
  public func fill(_ element: Element, with text: String) async throws {
    try await click(element)
    try await evaluate("(\(element.script)).select()")
    if text.isEmpty { try await press(.backspace) } else { try await type(text) }
  }

  /// Sets a control that is not typed into, such as a date field, and fires its events.
  public func set(_ element: Element, to value: String) async throws {
    try await wait(until: element.isVisible)
    try await evaluate(
      """
      (() => {
        const control = \(element.script);
        control.focus();
        control.value = \(value.script);
        control.dispatchEvent(new Event("input", { bubbles: true }));
        control.dispatchEvent(new Event("change", { bubbles: true }));
      })()
      """)
  }

  /// The value of a form control.
  public func value(of element: Element) async throws -> String {
    try await evaluate("(\(element.script)).value", as: String.self)
  }
}
