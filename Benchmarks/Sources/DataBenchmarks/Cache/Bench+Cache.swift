import CausewayData
import Synchronization

/// The minimum cost of a cache that any isolation can use: a dictionary with a lock.
private final class LockedDictionary<Key: Hashable & Sendable, Value: Sendable>: Sendable {
  private let values: Mutex<[Key: Value]>

  init(_ values: [Key: Value]) {
    self.values = Mutex(values)
  }

  func value(_ key: Key) -> Value? {
    values.withLock { $0[key] }
  }
}

/// An identity as in an app.
private struct PictureID: Hashable, Sendable {
  let account: Int
  let url: String
}

private final class Counter: Sendable {
  private let count = Mutex(0)
  var value: Int { count.withLock(\.self) }
  func add() { count.withLock { $0 += 1 } }
}

extension Bench {
  mutating func measureCache() async throws {
    try await measureHits("cached(_:), an Int key", (0..<1_000).map { $0 })
    try await measureHits(
      "cached(_:), a key of a number and a url",
      (0..<1_000).map { PictureID(account: 1, url: "https://example.org/pictures/\($0).png") })
    await measureObservableHits()
    await measureWaiters()
  }

  /// Measures hits that an inspector would show, while there is no inspector.
  private mutating func measureObservableHits() async {
    let cache = ResourceCache<Int, Int>(loader: { $0 })
    let keys = Array(0..<1_000)
    await cache.prefetch(keys)
    let rounds = 200
    await measure(
      "value(for:), a hit that nobody observes", target: "<= 200 ns",
      operations: rounds * keys.count,
      floor: { _ in
        var sum = 0
        for _ in 0..<rounds { for key in keys { sum += cache.cached(key) ?? 0 } }
        precondition(sum == rounds * 499_500)
      },
      work: { _ in
        var sum = 0
        for _ in 0..<rounds { for key in keys { sum += (try? await cache.value(for: key)) ?? 0 } }
        precondition(sum == rounds * 499_500)
      })
  }

  private mutating func measureHits<Key: Hashable & Sendable>(
    _ name: String, _ keys: [Key]
  ) async throws {
    let bytes = [UInt8](repeating: 1, count: 500)
    let cache = ResourceCache<Key, [UInt8]>(loader: { _ in bytes })
    await cache.prefetch(keys)
    let floor = LockedDictionary(Dictionary(uniqueKeysWithValues: keys.map { ($0, bytes) }))
    let rounds = 200
    measure(
      name, target: "<= 150 ns, no allocation", operations: rounds * keys.count,
      floor: { _ in
        var sum = 0
        for _ in 0..<rounds { for key in keys { sum += floor.value(key)?.count ?? 0 } }
        precondition(sum == rounds * keys.count * 500)
      },
      work: { _ in
        var sum = 0
        for _ in 0..<rounds { for key in keys { sum += cache.cached(key)?.count ?? 0 } }
        precondition(sum == rounds * keys.count * 500)
      })
  }

  private mutating func measureWaiters() async {
    let counter = Counter()
    let cache = ResourceCache<Int, Int> { key in
      counter.add()
      return key
    }
    var key = 0
    await measure(
      "1,000 requests of a missing key, per waiter", target: "1 load, <= 3 µs",
      operations: 1_000,
      floor: { count in
        await withTaskGroup(of: Int.self) { group in
          for number in 0..<count { group.addTask { number } }
        }
      },
      work: { count in
        key += 1
        let before = counter.value
        await withTaskGroup(of: Int?.self) { [key] group in
          for _ in 0..<count { group.addTask { try? await cache.value(for: key) } }
          for await value in group { precondition(value == key) }
        }
        precondition(counter.value == before + 1)
      })
  }
}
