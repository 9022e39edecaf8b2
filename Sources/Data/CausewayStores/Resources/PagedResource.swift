import CausewayBasics

/// One page of a list that a server returns in pages.
public struct ResourcePage<Element: Sendable, Cursor: Sendable>: Sendable {
  /// The elements of the page, in order.
  public var elements: [Element]
  /// The cursor of the next page; `nil` for the last page.
  public var next: Cursor?

  /// Makes a page.
  public init(_ elements: [Element], next: Cursor?) {
    self.elements = elements
    self.next = next
  }
}

extension ResourcePage: Equatable where Element: Equatable, Cursor: Equatable {}
extension ResourcePage: Codable where Element: Codable, Cursor: Codable {}

/// The key of a page in a cache.
public struct ResourcePageKey<List: Hashable & Sendable, Cursor: Hashable & Sendable>: Hashable,
  Sendable
{
  /// The full identity of the list, including the account, the filter and the order.
  public var list: List
  /// The cursor of the page; `nil` for the first page.
  public var cursor: Cursor?

  /// Makes a key.
  public init(_ list: List, _ cursor: Cursor? = nil) {
    self.list = list
    self.cursor = cursor
  }
}

/// A list that grows page by page, with the pages in a cache.
///
/// ```swift
/// let pages = ResourceCache<ResourcePageKey<String, Int>, ResourcePage<Post, Int>> { key in
///   try await server.posts(in: key.list, after: key.cursor)
/// }
/// let news = PagedResource("news", in: pages)
/// try await news.loadNextPage()  // at the start, and when the end of the list is visible
/// try await news.refresh()       // loads all pages again
/// ```
///
/// A screen that opens the same list again gets the pages that are in the cache. The pages of a
/// list always belong together: if a page changes the cursor of the next page, the list does not
/// mix it with older pages.
///
/// Isolation: an actor. Loads and refreshes run one after another.
public actor PagedResource<
  List: Hashable & Sendable, Element: Identifiable & Sendable, Cursor: Hashable & Sendable
> where Element.ID: Sendable {
  /// The key of a page.
  public typealias PageKey = ResourcePageKey<List, Cursor>
  /// A page of the list.
  public typealias Page = ResourcePage<Element, Cursor>

  /// The full identity of the list.
  public nonisolated let list: List
  private let cache: ResourceCache<PageKey, Page>
  private let lock = AsyncLock()
  private var pages: [Page] = []

  /// Makes a list without loaded pages.
  ///
  /// - Parameters:
  ///   - list: The full identity of the list.
  ///   - cache: The cache that loads and keeps the pages. Lists of the same types can share it.
  public init(_ list: List, in cache: ResourceCache<PageKey, Page>) {
    self.list = list
    self.cache = cache
  }

  /// The elements of the loaded pages, in order.
  ///
  /// If an element is in several pages, the list has it once: at its first place, with its last
  /// value. This happens when the server inserts elements between the loads of two pages.
  ///
  /// - Complexity: O(elements).
  public var elements: [Element] {
    var elements: [Element] = []
    var places: [Element.ID: Int] = [:]
    for element in pages.lazy.flatMap(\.elements) {
      if let place = places[element.id] {
        elements[place] = element
      } else {
        places[element.id] = elements.count
        elements.append(element)
      }
    }
    return elements
  }

  /// The number of loaded pages.
  package var pageCount: Int { pages.count }

  /// Whether there may be another page.
  ///
  /// It is true before the first page is loaded.
  public var hasNextPage: Bool { pages.last.map { $0.next != nil } ?? true }

  /// Loads the next page, from the cache or the server; does nothing after the last page.
  ///
  /// Concurrent calls share one load of the page.
  ///
  /// - Returns: The elements of all loaded pages.
  /// - Throws: The errors of ``ResourceCache/value(for:)``. The next call requests the same page.
  @discardableResult
  public func loadNextPage() async throws -> [Element] {
    let count = pages.count
    return try await lock.withLock {
      // Another call may have loaded the page in the meantime.
      guard pages.count == count, hasNextPage else { return elements }
      pages.append(try await cache.value(for: PageKey(list, pages.last?.next)))
      return elements
    }
  }

  /// Loads all loaded pages again, in order; each page gives the cursor of the next one.
  ///
  /// The elements are replaced after all pages have arrived.
  ///
  /// - Returns: The elements of all pages.
  /// - Throws: The errors of ``ResourceCache/refresh(_:)``. In this case the elements are
  ///   unchanged.
  @discardableResult
  public func refresh() async throws -> [Element] {
    try await lock.withLock {
      var next: [Page] = []
      repeat {
        next.append(try await cache.refresh(PageKey(list, next.last?.next)))
      } while next.count < pages.count && next.last?.next != nil
      pages = next
      return elements
    }
  }
}
