/// The location of an element: a CSS selector, alone or inside a part that shows some text.
public struct Element: Sendable, ExpressibleByStringLiteral, CustomStringConvertible {
  /// The selector.
  public let description: String
  /// A JavaScript expression for the element.
  ///
  /// Its value may be `null` or `undefined`.
  let script: String

  /// The first element that matches a CSS selector.
  public init(stringLiteral selector: String) {
    description = selector
    script = "document.querySelector(\(selector.script))"
  }

  /// The first element that matches `selector` inside the first `part` that contains the text.
  public init(_ selector: String, in part: String, containing text: String) {
    description = "\(selector) in the \(part) with “\(text)”"
    script = """
      [...document.querySelectorAll(\(part.script))]
        .find((part) => part.textContent.includes(\(text.script)))
        ?.querySelector(\(selector.script))
      """
  }

  /// A JavaScript condition that is true when the element is visible.
  public var isVisible: String { "(\(script))?.checkVisibility()" }
}
