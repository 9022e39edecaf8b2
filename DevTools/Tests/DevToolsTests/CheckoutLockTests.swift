import Foundation
import Synchronization
import Testing

@testable import devtools

@Suite(.timeLimit(.minutes(5)))
struct CheckoutLockTests {
  /// Whether another process would get the lock at once.
  private func isFree(_ folder: String) -> Bool {
    let file = open("\(folder)/build.lock", O_RDWR)
    defer { close(file) }
    return flock(file, LOCK_EX | LOCK_NB) == 0
  }

  @Test
  func `a lock is held until the end of the closure, and names its command`() throws {
    try Interruption.withTemporaryFolder { folder in
      try Files.write(
        "'an earlier command with a longer name' (process 1)", to: "\(folder)/build.lock")
      try CheckoutLock.withLock("build", for: ["docs", "-v"], in: folder) {
        #expect(!isFree(folder))
        let lines = try Files.lines("\(folder)/build.lock")
        #expect(lines == ["'docs -v' (process \(getpid()))"])
      }
      #expect(isFree(folder))
      try? CheckoutLock.withLock("build", for: [], in: folder) { throw Failure("an error") }
      #expect(isFree(folder))
    }
  }

  @Test
  func `a command waits for the end of the one before it`() throws {
    try Interruption.withTemporaryFolder { folder in
      let order = Mutex<[Int]>([])
      let second = DispatchSemaphore(value: 0)
      try CheckoutLock.withLock("build", for: ["first"], in: "\(folder)/new") {
        Thread.detachNewThread {
          try? CheckoutLock.withLock("build", for: ["second"], in: "\(folder)/new") {
            order.withLock { $0.append(2) }
          }
          second.signal()
        }
        // Another lock does not wait.
        try CheckoutLock.withLock("other", for: ["third"], in: "\(folder)/new") {
          order.withLock { $0.append(1) }
        }
      }
      second.wait()
      #expect(order.withLock(\.self) == [1, 2])
    }
  }

  #if os(Linux)
    @Test
    func `a program that the command starts does not have the lock`() throws {
      try Interruption.withTemporaryFolder { folder in
        let open = try CheckoutLock.withLock("build", for: ["first"], in: folder) {
          try Shell.output(["ls", "-l", "/proc/self/fd"])
        }
        #expect(!open.contains("build.lock"))
      }
    }
  #endif

  @Test
  func `commands that only read need no lock`() {
    #expect(Mutate.lock(["--check"]) == nil && Mutate.lock([]) != nil)
    #expect(BenchAgainst.lock(["--compare", "a", "b"]) == nil && BenchAgainst.lock(["a"]) != nil)
    #expect(BenchmarksPage.lock(["check"]) == nil)
    #expect(BenchmarksPage.lock(["measure"]) == BenchAgainst.lock(["marked"]))
    #expect(Long.lock([]) == nil)
  }
}
