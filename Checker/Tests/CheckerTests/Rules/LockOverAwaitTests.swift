import Testing

@testable import causeway

struct LockOverAwaitTests {
  static let fixtures = [
    Fixture(
      LockOverAwait.self, "locks over an await",
      """
      func refresh() async {
        1️⃣pthread_mutex_lock(&mutex)
        items = await service.items()
        pthread_mutex_unlock(&mutex)
      }
      func deferred() async {
        2️⃣os_unfair_lock_lock(lock)
        defer { os_unfair_lock_unlock(lock) }
        await refresh()
      }
      """),
    Fixture(
      LockOverAwait.self, "locks that are released before",
      """
      func refresh() async {
        pthread_mutex_lock(&mutex)
        items = []
        pthread_mutex_unlock(&mutex)
        await service.refresh()
      }
      func synchronous() {
        pthread_mutex_lock(&mutex)
        Task { await service.refresh() }
        pthread_mutex_unlock(&mutex)
      }
      """),
    Fixture(
      LockOverAwait.self, "other functions",
      """
      func refresh() async {
        pthread_mutex_init(&mutex, nil)
        await service.refresh()
        await lock.lock()
      }
      """),
    Fixture(
      LockOverAwait.self, "a lock that the code tries to take",
      """
      func run() async {
        guard 1️⃣pthread_mutex_trylock(&mutex) == 0 else { return }
        await work()
        pthread_mutex_unlock(&mutex)
      }
      func read() async {
        guard pthread_mutex_trylock(&mutex) == 0 else { return }
        pthread_mutex_unlock(&mutex)
        await work()
      }
      """),
  ]

  @Test(arguments: fixtures)
  func `lock-over-await reports at the markers`(fixture: Fixture) { fixture.verify() }
}
