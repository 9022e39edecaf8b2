import Foundation
import Synchronization

/// Threads for work on syntax trees.
///
/// Walking a deep tree needs a large stack. Each thread reserves a quarter of a gigabyte of address
/// space for its stack.
enum Workers {
  private static let stackSize = 1 << 28

  /// The results for all elements, in their order.
  ///
  /// - Parameters:
  /// - jobs: The number of threads.
  ///   - progress: Called with the number of elements done, from the threads.
  static func map<Element: Sendable, Result: Sendable>(
    _ elements: [Element], jobs: Int, progress: @escaping @Sendable (Int) -> Void = { _ in },
    _ transform: @escaping @Sendable (Element) -> Result
  ) -> [Result] {
    let shared = Shared<Result>()
    let threads = DispatchGroup()
    for _ in 0..<max(1, min(jobs, elements.count)) {
      threads.enter()
      let thread = Thread {
        while let index = shared.take(below: elements.count) {
          progress(shared.finish(index, transform(elements[index])))
        }
        threads.leave()
      }
      thread.stackSize = stackSize
      thread.start()
    }
    threads.wait()
    return shared.results(count: elements.count)
  }

  private final class Shared<Result: Sendable>: Sendable {
    private let next = Mutex(0)
    private let done = Mutex<[Int: Result]>([:])

    func take(below count: Int) -> Int? {
      next.withLock { index in
        guard index < count else { return nil }
        defer { index += 1 }
        return index
      }
    }

    /// Stores a result; returns the number of results.
    func finish(_ index: Int, _ result: Result) -> Int {
      done.withLock { results in
        results[index] = result
        return results.count
      }
    }

    func results(count: Int) -> [Result] {
      done.withLock { results in (0..<count).compactMap { results[$0] } }
    }
  }
}
