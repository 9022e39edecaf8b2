import Testing

@testable import causeway

struct ReentrancyTests {
  static let fixtures = [
    Fixture(
      Reentrancy.self, "a check before and a write after the suspension",
      """
      actor Cache {
        var images: [Int: Int] = [:]
        func image(_ id: Int) async -> Int {
          if let image = images[id] { return image }
          let image = await download(id)
          1️⃣images[id] = image
          return image
        }
      }
      """),
    Fixture(
      Reentrancy.self, "a check after the suspension too",
      """
      actor Cache {
        var images: [Int: Int] = [:]
        func image(_ id: Int) async -> Int {
          if let image = images[id] { return image }
          let image = await download(id)
          if let other = images[id] { return other }
          images[id] = image
          return image
        }
      }
      """),
    Fixture(
      Reentrancy.self, "no suspension between",
      """
      actor Cache {
        var images: [Int: Int] = [:]
        func put(_ id: Int) async {
          if images[id] != nil { return }
          images[id] = 1
          await save()
        }
      }
      """),
    Fixture(
      Reentrancy.self, "a class",
      """
      final class Cache {
        var image: Int?
        func load() async { if image != nil { return }; let x = await get(); image = x }
      }
      """),
    Fixture(
      Reentrancy.self, "a defer that runs after the suspension, and a main-actor class",
      """
      actor Session {
        private var running: Task<Int, any Error>?
        func refresh() async throws -> Int {
          if let running { return try await running.value }
          let task = Task { try await load() }
          running = task
          defer { 1️⃣running = nil }
          return try await task.value
        }
        func plain() {
          if running != nil { return }
          defer { running = nil }
          start()
        }
        private var isLoading = false
        func load() async {
          guard !isLoading else { return }
          isLoading = true
          defer { isLoading = false }
          await fetch()
        }
        func reload() async {
          if isLoading { return }
          isLoading = true
          await fetch()
          isLoading = false
        }
      }
      @MainActor final class Config {
        private var token: Int?
        func current() async throws -> Int {
          if let token { return token }
          let fresh = try await refresh()
          2️⃣token = fresh
          return fresh
        }
      }
      """),
  ]

  @Test(arguments: fixtures)
  func `reentrancy reports at the markers`(fixture: Fixture) { fixture.verify() }
}
