import Causeway
import CausewayData
import CausewayTesting
import Synchronization
import TestSupport

/// A value from a server, with its account and version.
struct Page: Codable, Equatable, Sendable {
  var account: Int
  var version: Int
}

/// The current values outside the cache.
final class Truth: Sendable {
  private let page = Mutex(Page(account: 1, version: 1))

  var now: Page { page.withLock(\.self) }
  func change() { page.withLock { $0.version += 1 } }
  func logIn() { page.withLock { $0.account += 1 } }

  /// Reads the value at one moment and responds later.
  func load() async -> Page {
    let page = now
    await suspensionPoint()
    return page
  }
}

/// The interface of a cache under test.
///
/// A faulty cache can replace the real one.
protocol Pages: Sendable {
  func cached(_ key: Int) async -> Page?
  func value(for key: Int) async throws -> Page
  func refresh(_ key: Int) async throws
  func remove(_ key: Int) async throws
  func removeAll() async throws
}

struct CachedPages: Pages {
  let cache: ResourceCache<Int, Page>

  func cached(_ key: Int) -> Page? { cache.cached(key) }
  func value(for key: Int) async throws -> Page { try await cache.value(for: key) }
  func refresh(_ key: Int) async throws { try await cache.refresh(key) }
  func remove(_ key: Int) async throws { try await cache.remove(key) }
  func removeAll() async throws { try await cache.removeAll() }
}

/// A cache that takes part in a session.
///
/// A logout removes everything, and then the next account signs in.
struct SessionPages: Pages {
  let cache: ResourceCache<Int, Page>
  let session: SessionService
  let truth: Truth

  func cached(_ key: Int) -> Page? { cache.cached(key) }
  func value(for key: Int) async throws -> Page { try await cache.value(for: key) }
  func refresh(_ key: Int) async throws { try await cache.refresh(key) }
  func remove(_ key: Int) async throws { try await cache.remove(key) }

  func removeAll() async throws {
    try await session.logout()
    // A screen that is still visible loads with the previous account's ticket.
    await suspensionPoint()
    await suspensionPoint()
    truth.logIn()
    try await session.signIn(AccountID("\(truth.now.account)"))
  }
}

/// A typical simple cache: one load task for each key, which stores its result.
actor NaivePages: Pages {
  private let truth: Truth
  private let pump: Pump
  /// The stored pages.
  ///
  /// The check of a trial also reads them, without waiting.
  private let stored = Mutex<[Int: Page]>([:])
  private var loads: [Int: Task<Page, Never>] = [:]

  init(_ truth: Truth, _ pump: Pump) {
    self.truth = truth
    self.pump = pump
  }

  nonisolated var snapshot: [Page] {
    stored.withLock { pages in (1...3).compactMap { pages[$0] } }
  }

  func cached(_ key: Int) -> Page? { stored.withLock { $0[key] } }

  func value(for key: Int) async -> Page {
    if let page = cached(key) { return page }
    return await load(key)
  }

  func refresh(_ key: Int) async { _ = await load(key) }
  func remove(_ key: Int) { stored.withLock { $0[key] = nil } }
  func removeAll() { stored.withLock { $0 = [:] } }

  private func load(_ key: Int) async -> Page {
    if let load = loads[key] { return await load.value }
    let load = Task(executorPreference: pump) { [truth] in await truth.load() }
    loads[key] = load
    let page = await load.value
    loads[key] = nil
    stored.withLock { $0[key] = page }
    return page
  }
}

/// A disk in memory that suspends in each operation.
actor SlowDisk: ResourceStore {
  private let asksBeforeWriting: Bool
  private let files = Mutex<[String: StoredResource]>([:])

  /// - Parameter asksBeforeWriting: False for a disk that also writes values that are no longer
  ///   wanted.
  init(asksBeforeWriting: Bool = true) {
    self.asksBeforeWriting = asksBeforeWriting
  }

  nonisolated var contents: [String: StoredResource] { files.withLock(\.self) }

  func read(_ name: String) async -> StoredResource? {
    await suspensionPoint()
    let found = contents[name]
    await suspensionPoint()
    return found
  }

  func write(
    _ resource: StoredResource, for name: String, if isWanted: @escaping @Sendable () -> Bool
  ) async {
    let wasWanted = isWanted()
    await suspensionPoint()
    if asksBeforeWriting ? isWanted() : wasWanted { files.withLock { $0[name] = resource } }
  }

  func remove(_ name: String) async {
    await suspensionPoint()
    files.withLock { $0[name] = nil }
    await suspensionPoint()
  }

  func removeAll() async {
    await suspensionPoint()
    files.withLock { $0 = [:] }
    await suspensionPoint()
  }
}

/// Calls a cache in concurrent effects.
struct Library: Interactor {
  enum Action: Sendable, Equatable {
    case pump
    /// Does nothing: it lets the effects continue before the next action.
    case pass
    case read(Int)
    /// Reads, and cancels the previous read.
    case look(Int)
    case changeAndRefresh(Int)
    case remove(Int)
    case logOut
  }

  struct State: Sendable, Equatable {
    var seen: [Page] = []
    var looked: Page?
  }

  let truth: Truth
  let pages: any Pages
  let pump: Pump

  var body: some Interactor<State, Action> {
    Interact(initialValue: State()) { [truth, pages, pump] _, action in
      switch action {
      case .pump:
        return .observe(id: "pump") { _, _ in await pump.run() }
      case .pass:
        return .state
      case .read(let key):
        return .perform(.parallel, id: "read") { send in
          guard let page = try? await pages.value(for: key) else { return }
          await send { $0.seen.append(page) }
        }
      case .look(let key):
        return .perform(.latest, id: "look") { send in
          // If the value is removed, the callers that wait for it get an error.
          guard let page = try? await pages.value(for: key) else { return }
          await send { $0.looked = page }
        }
      case .changeAndRefresh(let key):
        truth.change()
        return .perform(.parallel, id: "refresh") { _ in try? await pages.refresh(key) }
      case .remove(let key):
        truth.change()
        return .perform(.parallel, id: "remove") { _ in try? await pages.remove(key) }
      case .logOut:
        // With a session, the next account signs in after the previous one has signed out.
        if !(pages is SessionPages) { truth.logIn() }
        return .perform(.parallel, id: "log out") { _ in try? await pages.removeAll() }
      }
    }
  }
}
