import CausewayData
import CausewaySQLite
import CausewayWeb
import Foundation
import HarborDomain
import Testing

@testable import HarborApp
@testable import HarborBackend
@testable import HarborFeatures

/// A backend without a server, and the host of its pages.
@MainActor struct HostedPages {
  static let ana = PersonName(stored: "Ana")
  let store: InMemoryPersistenceService
  let backend: Backend
  let host: PageHost

  /// Runs a body and stops the host afterwards.
  ///
  /// - Parameters:
  ///   - store: The database of an earlier host.
  ///   - now: The time, by which allowances grow back.
  static func with(
    _ store: InMemoryPersistenceService? = nil, quotas: Quotas = Quotas(),
    creationsPerMinute: Int = 1_200, now: @escaping @Sendable () -> Date = { Date() },
    _ body: @MainActor (HostedPages) async throws -> Void
  ) async throws {
    let store = try store ?? InMemoryPersistenceService(migrations: BackendMigrations.all)
    let backend = Backend(
      store: store, configuration: .init(port: 0), quotas: quotas, now: now,
      random: Secret.system, passphraseCost: 1)
    let host = try await PageHost.open(
      backend, at: #require(URL(string: "http://127.0.0.1:8081")),
      now: now, creationsPerMinute: creationsPerMinute, sample: { nil })
    do {
      try await body(HostedPages(store: store, backend: backend, host: host))
    } catch {
      await host.stop()
      throw error
    }
    await host.stop()
  }

  /// The services of a page.
  func page(_ browser: String = "a", at network: String = "127.0.0.1") -> HarborEnvironment {
    host.environment(for: browser, at: network, BoardWording(timeZone: .gmt))
  }

  /// The board of a page.
  func board(_ browser: String = "a") -> any ActivityRepositoryProtocol {
    page(browser).feed.activities
  }

  func details(_ title: String, hours: Double = 24) -> ActivityDetails {
    ActivityDetails(
      title: title, place: nil, notes: nil, start: Date(timeIntervalSinceNow: hours * 3_600))
  }

  /// The number of records of a collection.
  func count(_ collection: String) async throws -> Int? {
    try await store.read { transaction in
      try transaction.row(
        "SELECT count(*) FROM record WHERE collection = \(collection) AND body IS NOT NULL",
        as: Int.self)
    }
  }
}

extension AsyncThrowingStream {
  /// The first element that meets a condition.
  func element(where isFound: (Element) -> Bool) async throws -> Element {
    for try await element in self where isFound(element) { return element }
    throw CancellationError()
  }
}
