/// A list that is loaded page by page.
///
/// ```swift
/// case .reachedEnd:
///   guard let cursor = state.posts.beginNextPage() else { return .state }
///   return .perform(.latest, id: "posts") { send in
///     let page = try await api.posts(after: cursor)
///     await send { $0.posts.append(page.posts, next: page.next) }
///   } catch: { state, error in
///     state.posts.fail(error)
///   }
/// ```
///
/// Load pages and refreshes with one effect id and ``EffectPolicy/latest``. A refresh then cancels
/// the load of a page, which belongs to the list that the refresh replaces.
///
/// In a decoded list, no page is loading, so the next page can be requested again.
public struct Paginated<Element: Identifiable & Sendable, Cursor: Sendable>: Sendable
where Element.ID: Sendable {
  /// The elements of the loaded pages.
  ///
  /// A feature may edit, insert and remove elements. They can be the rows of a `forEach`.
  public var elements = IdentifiedArray<Element.ID, Element>()
  /// The loading state of the last requested page.
  public private(set) var phase = Loadable<Void>.Phase.idle
  private let first: Cursor
  private var next: Cursor?
  private var hasLoadedPage = false

  private enum CodingKeys: CodingKey {
    case elements, phase, first, next, hasLoadedPage
  }

  /// Makes an empty list.
  ///
  /// - Parameter first: The cursor of the first page.
  public init(first: Cursor) {
    self.first = first
    next = first
  }

  /// Whether a page is loading.
  public var isLoading: Bool { phase == .loading }

  /// The reason why the last load failed; `nil` in other phases.
  public var failure: String? {
    if case .failed(let reason) = phase { reason } else { nil }
  }

  /// Whether there may be another page.
  ///
  /// It is true before the first page.
  public var hasNextPage: Bool { next != nil }

  /// Marks the next page as loading.
  ///
  /// - Returns: The cursor of the next page; `nil` during a load and after the last page.
  public mutating func beginNextPage() -> Cursor? {
    guard !isLoading, let next else { return nil }
    phase = .loading
    return next
  }

  /// Marks the first page as loading again.
  ///
  /// The elements are kept until the new first page has arrived.
  ///
  /// - Returns: The cursor of the first page.
  public mutating func beginRefresh() -> Cursor {
    phase = .loading
    return first
  }

  /// Adds a loaded page.
  ///
  /// If an element's id is in the list, the new element replaces the existing element.
  ///
  /// Complexity: O(*n*) in the number of elements of the page.
  ///
  /// - Parameters:
  ///   - page: The elements of the page.
  ///   - next: The cursor of the next page; `nil` for the last one.
  public mutating func append(_ page: [Element], next: Cursor?) {
    for element in page { elements.updateOrAppend(element) }
    self.next = next
    hasLoadedPage = true
    phase = .loaded
  }

  /// Replaces all pages by the first page.
  ///
  /// Complexity: O(*n*) in the number of elements of the page.
  ///
  /// - Parameters:
  ///   - page: The elements of the page.
  ///   - next: The cursor of the next page; `nil` if there is only one page.
  public mutating func replace(with page: [Element], next: Cursor?) {
    elements = IdentifiedArray()
    append(page, next: next)
  }

  /// Marks the loading of a page as failed.
  ///
  /// The next attempt requests the same page.
  ///
  /// - Parameter error: Its description becomes the reason.
  public mutating func fail(_ error: any Error) {
    phase = .failed("\(error)")
  }

  /// Ends the loading of a page whose effect was cancelled.
  ///
  /// It does nothing unless a page is loading. The elements are kept.
  public mutating func cancel() {
    guard isLoading else { return }
    phase = hasLoadedPage ? .loaded : .idle
  }
}

extension Paginated: Equatable where Element: Equatable, Cursor: Equatable {}
extension Paginated: Encodable where Element: Encodable, Cursor: Encodable {}

extension Paginated: Decodable where Element: Decodable, Cursor: Decodable {
  /// Decodes a list in which no page is loading.
  ///
  /// The effect that loaded a page has ended with the program that encoded the list.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    elements = try container.decode(
      IdentifiedArray<Element.ID, Element>.self, forKey: .elements)
    phase = try container.decode(Loadable<Void>.Phase.self, forKey: .phase)
    first = try container.decode(Cursor.self, forKey: .first)
    next = try container.decodeIfPresent(Cursor.self, forKey: .next)
    hasLoadedPage = try container.decode(Bool.self, forKey: .hasLoadedPage)
    cancel()
  }
}
