/// Where an element is on a page: a CSS selector, or one inside a part that shows some text.
package struct Element: Sendable, ExpressibleByStringLiteral, CustomStringConvertible {
  package let description: String
  /// A JavaScript expression for the element, or for `null` or `undefined`.
  let script: String

  /// The first element that matches a CSS selector.
  package init(stringLiteral selector: String) {
    description = selector
    script = "document.querySelector(\(selector.script))"
  }

  /// The first element that matches `selector` inside the first `part` with that text in it.
  package init(_ selector: String, in part: String, containing text: String) {
    description = "\(selector) in the \(part) with “\(text)”"
    script = """
      [...document.querySelectorAll(\(part.script))]
        .find((part) => part.textContent.includes(\(text.script)))
        ?.querySelector(\(selector.script))
      """
  }

  /// A JavaScript condition: the element is shown.
  package var isVisible: String { "(\(script))?.checkVisibility()" }
}
