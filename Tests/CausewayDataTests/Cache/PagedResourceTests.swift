import CausewayData
import Synchronization
import TestSupport
import Testing

@testable import CausewayStores

/// A server with a list of numbers, which it returns in pages of three.
private final class Numbers: Sendable {
  struct Number: Identifiable, Equatable, Sendable {
    let id: Int
    var text: String
  }

  struct Offline: Error {}

  private struct State {
    var ids = Array(1...8)
    var version = 1
    var isOffline = false
  }

  private let state = Mutex(State())
  let requests = Log<Int?>()

  func insert(_ id: Int) { state.withLock { $0.ids.insert(id, at: 0) } }
  func change() { state.withLock { $0.version += 1 } }
  func remove(from place: Int) { state.withLock { $0.ids.removeSubrange(place...) } }
  func setOffline(_ isOffline: Bool) { state.withLock { $0.isOffline = isOffline } }

  func page(_ cursor: Int?) throws -> ResourcePage<Number, Int> {
    requests.append(cursor)
    return try state.withLock { state in
      if state.isOffline { throw Offline() }
      let start = cursor ?? 0
      let end = min(start + 3, state.ids.count)
      let numbers = state.ids[min(start, end)..<end].map {
        Number(id: $0, text: "\($0).\(state.version)")
      }
      return ResourcePage(numbers, next: end < state.ids.count ? end : nil)
    }
  }
}

@Suite("Paged resources", .timeLimit(.minutes(10))) struct PagedResourceTests {
  private typealias Pages = ResourceCache<
    ResourcePageKey<String, Int>, ResourcePage<Numbers.Number, Int>
  >

  private let server = Numbers()
  private let pages: Pages

  init() {
    var policy = ResourcePolicy.plain
    // The tests do not depend on the speed of the machine.
    policy.freshFor = .seconds(100_000)
    pages = Pages(policy: policy) { [server] in try server.page($0.cursor) }
  }

  @Test func `pages are loaded one after the other until the last one`() async throws {
    let list = PagedResource("all", in: pages)
    #expect(await list.hasNextPage)
    #expect(try await list.loadNextPage().map(\.id) == [1, 2, 3])
    #expect(try await list.loadNextPage().map(\.id) == [1, 2, 3, 4, 5, 6])
    #expect(try await list.loadNextPage().map(\.id) == Array(1...8))
    #expect(await !list.hasNextPage)
    #expect(try await list.loadNextPage().map(\.id) == Array(1...8))
    #expect(server.requests.all == [nil, 3, 6])
  }

  @Test func `concurrent calls load one page`() async throws {
    let list = PagedResource("all", in: pages)
    let loads = (0..<10).map { _ in Task { try await list.loadNextPage().count } }
    for load in loads { #expect(try await load.value >= 3) }
    let count = await list.pageCount
    #expect(server.requests.all.count == count)
    #expect(await list.elements.map(\.id) == Array((1...8).prefix(3 * count)))
  }

  @Test func `a list that is opened again gets its pages from the cache`() async throws {
    let first = PagedResource("all", in: pages)
    try await first.loadNextPage()
    let second = PagedResource("all", in: pages)
    #expect(try await second.loadNextPage().map(\.id) == [1, 2, 3])
    #expect(server.requests.all.count == 1)
    let other = PagedResource("others", in: pages)
    try await other.loadNextPage()
    #expect(server.requests.all.count == 2)
  }

  @Test func `a refresh loads the loaded pages again with their new cursors`() async throws {
    let list = PagedResource("all", in: pages)
    for _ in 0..<2 { try await list.loadNextPage() }
    server.change()
    server.insert(0)
    #expect(try await list.refresh().map(\.text) == ["0.2", "1.2", "2.2", "3.2", "4.2", "5.2"])
    #expect(await list.hasNextPage)
    server.remove(from: 2)
    #expect(try await list.refresh().map(\.id) == [0, 1])
    #expect(await !list.hasNextPage)
    #expect(await list.pageCount == 1)
  }

  @Test func `a failed page changes nothing and is requested again`() async throws {
    let list = PagedResource("all", in: pages)
    try await list.loadNextPage()
    server.setOffline(true)
    await #expect(throws: Numbers.Offline.self) { try await list.loadNextPage() }
    await #expect(throws: Numbers.Offline.self) { try await list.refresh() }
    #expect(await list.elements.map(\.id) == [1, 2, 3])
    server.setOffline(false)
    #expect(try await list.loadNextPage().map(\.id) == [1, 2, 3, 4, 5, 6])
  }

  @Test func `an element that moved to a later page is in the list once`() async throws {
    let list = PagedResource("all", in: pages)
    try await list.loadNextPage()
    server.insert(0)
    server.change()
    // The third element is the first one of the second page now.
    let elements = try await list.loadNextPage()
    #expect(elements.map(\.id) == [1, 2, 3, 4, 5])
    #expect(elements[2].text == "3.2")
  }
}
