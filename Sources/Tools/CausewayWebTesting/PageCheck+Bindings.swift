public import CausewayWeb

extension PageCheck {
  /// The check of the bindings of all pages.
  ///
  /// It finds misspelt paths, events and actions, and more; the article about bindings lists what it
  /// finds. The page test client lists the same mistakes as ``PageTestClient/problems``, whatever the
  /// server checks.
  public static let bindings = PageCheck { PageBindings($0) }
}
