import CausewayData
import Foundation
import Testing

struct RetryTableTests {
  @Test(
    arguments: [
      (.unreachable, nil), (.timedOut, nil), (.busy, nil),
      (.serverFault, nil), (.unauthorized, nil), (.garbled, 10), (.unknown, 10), (.rejected, 0),
      (.conflict, 0), (.unsendable, 0),
    ] as [(RemoteFailure.Kind, Int?)])
  func `the standard table retries failures that the mutation did not cause`(
    kind: RemoteFailure.Kind, limit: Int?
  ) {
    let table = RetryTable.standard
    let failure = RemoteFailure(kind)
    for attempts in [1, 2, 9, 10, 11, 1_000_000] {
      let isRetried = table.verdict(on: failure, attempts: attempts, random: 0.5) != .reject
      #expect(isRetried == (limit.map { attempts < $0 } ?? true), "attempt \(attempts)")
    }
  }

  @Test func `a delay that the server requests is used, up to the cap`() {
    let table = RetryTable(
      backoff: Backoff(initial: .seconds(1), cap: .seconds(30), jitter: 0), rules: [:])
    func wait(_ retryAfter: Duration?) -> RetryTable.Verdict {
      table.verdict(
        on: RemoteFailure(.busy, retryAfter: retryAfter), attempts: 1, random: 0)
    }
    #expect(wait(nil) == .retry(after: .seconds(1)))
    #expect(wait(.seconds(12)) == .retry(after: .seconds(12)))
    #expect(wait(.milliseconds(1)) == .retry(after: .seconds(1)))
    #expect(wait(.seconds(86_400)) == .retry(after: .seconds(30)))
    #expect(wait(.seconds(-5)) == .retry(after: .seconds(1)))
  }

  @Test func `a row can be changed`() {
    var table = RetryTable.standard
    table[.conflict] = .retry(limit: 3)
    #expect(table.verdict(on: RemoteFailure(.conflict), attempts: 2, random: 0) != .reject)
    #expect(table.verdict(on: RemoteFailure(.conflict), attempts: 3, random: 0) == .reject)
  }

  @Test func `errors are classified by their own description of the failure`() {
    struct Teapot: RemoteFailureConvertible {
      var remoteFailure: RemoteFailure { RemoteFailure(.rejected, "a teapot") }
    }
    struct Stranger: Error {}
    #expect(RemoteFailure(Teapot()).kind == .rejected)
    #expect(RemoteFailure(RemoteFailure(.busy)).kind == .busy)
    #expect(RemoteFailure(Stranger()).kind == .unknown)
    #expect(throws: (any Error).self) {
      do {
        _ = try JSONDecoder().decode(Int.self, from: Data("{".utf8))
      } catch {
        #expect(RemoteFailure(error).kind == .garbled)
        throw error
      }
    }
  }
}
