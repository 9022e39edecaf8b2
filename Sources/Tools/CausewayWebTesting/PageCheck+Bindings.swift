public import CausewayWeb

extension PageCheck {
  /// The check of the bindings of all pages.
  ///
  /// It finds mistakes such as misspelt paths, events and actions. The article about bindings lists
  /// all kinds. The page test client lists the same mistakes as ``PageTestClient/problems``,
  /// even if the server checks nothing.
  public static let bindings = PageCheck { PageBindings($0) }
}
