/// A list that is loaded page by page.
///
/// ```swift
/// case .reachedEnd:
///   guard let cursor = state.posts.beginNextPage() else { return .state }
///   return .perform(.first) { send in
///     let page = try await api.posts(after: cursor)
///     await send { $0.posts.append(page.posts, next: page.next) }
///   } catch: { state, error in
///     state.posts.fail(error)
///   }
/// ```
public struct Paginated<Element: Identifiable & Sendable, Cursor: Sendable>: Sendable
where Element.ID: Sendable {
  /// The elements of the pages that were loaded.
  public private(set) var elements = IdentifiedArray<Element.ID, Element>()
  /// What goes on with the page that was asked for last.
  public private(set) var phase = Loadable<Void>.Phase.idle
  private let first: Cursor
  private var next: Cursor?

  /// Makes an empty list.
  ///
  /// - Parameter first: The cursor of the first page.
  public init(first: Cursor) {
    self.first = first
    next = first
  }

  /// Whether there is another page, or may be: before the first one nothing is known.
  public var hasNextPage: Bool { next != nil }

  /// Marks the next page as being loaded.
  ///
  /// - Returns: Its cursor; `nil` while a page is being loaded, and after the last one.
  public mutating func beginNextPage() -> Cursor? {
    guard phase != .loading, let next else { return nil }
    phase = .loading
    return next
  }

  /// Marks the first page as being loaded again; the elements stay until it has come.
  ///
  /// - Returns: Its cursor.
  public mutating func beginRefresh() -> Cursor {
    phase = .loading
    return first
  }

  /// Adds a page that was loaded.
  ///
  /// An element whose id is in the list already takes the place of that one.
  ///
  /// Complexity: O(*n*) in the number of elements of the page.
  ///
  /// - Parameters:
  ///   - page: Its elements.
  ///   - next: The cursor of the next page; `nil` for the last one.
  public mutating func append(_ page: [Element], next: Cursor?) {
    for element in page { elements.updateOrAppend(element) }
    self.next = next
    phase = .loaded
  }

  /// Replaces all pages by the first one.
  ///
  /// Complexity: O(*n*) in the number of elements of the page.
  ///
  /// - Parameters:
  ///   - page: Its elements.
  ///   - next: The cursor of the next page; `nil` if it is the last one, too.
  public mutating func replace(with page: [Element], next: Cursor?) {
    elements = IdentifiedArray()
    append(page, next: next)
  }

  /// Marks the loading of a page as failed; the next attempt asks for the same page.
  ///
  /// - Parameter error: Its description is the reason.
  public mutating func fail(_ error: any Error) {
    phase = .failed("\(error)")
  }

  /// Changes the elements, for an element that was edited or removed.
  public mutating func update(
    _ change: (inout IdentifiedArray<Element.ID, Element>) throws -> Void
  ) rethrows {
    try change(&elements)
  }
}

extension Paginated: Equatable where Element: Equatable, Cursor: Equatable {}
