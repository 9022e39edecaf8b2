/// The location of an element: a CSS selector, alone or inside a part that shows some text.
package struct Element: Sendable, ExpressibleByStringLiteral, CustomStringConvertible {
  package let description: String
  /// A JavaScript expression for the element.
  ///
  /// Its value may be `null` or `undefined`.
  let script: String

  /// The first element that matches a CSS selector.
  package init(stringLiteral selector: String) {
    description = selector
    script = "document.querySelector(\(selector.script))"
  }

  /// The first element that matches `selector` inside the first `part` that contains the text.
  package init(_ selector: String, in part: String, containing text: String) {
    description = "\(selector) in the \(part) with “\(text)”"
    script = """
      [...document.querySelectorAll(\(part.script))]
        .find((part) => part.textContent.includes(\(text.script)))
        ?.querySelector(\(selector.script))
      """
  }

  /// A JavaScript condition that is true when the element is visible.
  package var isVisible: String { "(\(script))?.checkVisibility()" }
}
