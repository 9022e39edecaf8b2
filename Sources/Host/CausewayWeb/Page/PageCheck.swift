/// A check of hosted pages, for a server that is started for development.
///
/// `CausewayWebTesting` has the check of the bindings, which a release build does not use:
///
///     #if DEBUG
///       configuration.pageCheck = .bindings
///     #endif
///
/// See ``WebServerConfiguration/pageCheck``.
public struct PageCheck: Sendable {
  /// Makes the check of one page.
  package let make: @Sendable (PageTypes) -> any CheckedPage

  package init(_ make: @escaping @Sendable (PageTypes) -> any CheckedPage) { self.make = make }
}

/// The page file of a hosted page, and the types that it is compared with.
package struct PageTypes: Sendable {
  package let template: PageTemplate
  package let viewState: any (Encodable & Sendable).Type
  package let action: any (Decodable & Sendable).Type
  /// Whether the page's view state has members of a ``SharedState``.
  package let isSharing: Bool
}

/// A hosted page that a server checks.
package protocol CheckedPage: AnyObject, Sendable {
  /// Pages with equal keys have the same problems without a view state.
  var key: [ObjectIdentifier] { get }

  /// The problems that can be found without a view state.
  func problems(_ routes: any PostRoutes) -> [any Error]

  /// The problems that a view state shows for the first time.
  func newProblems(in viewState: JSONValue) -> [any Error]
}

/// The routes of a server to which a page can upload files.
package protocol PostRoutes: Sendable {
  /// The problem of a request that posts to a path; nil if there is none.
  func problem(ofPostTo path: String) -> Problem?

  /// The patterns of the routes for `POST`, by their paths with the parameters taken from a path.
  func postPatterns(filledFrom path: String) -> [String: String]
}
