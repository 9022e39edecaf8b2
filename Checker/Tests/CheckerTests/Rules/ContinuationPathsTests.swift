import Testing

@testable import causeway

struct ContinuationPathsTests {
  static let fixtures = [
    Fixture(
      ContinuationPaths.self, "resumed twice",
      """
      await withCheckedThrowingContinuation { continuation in
        load { data, error in
          if let error { continuation.resume(throwing: error) }
          1️⃣continuation.resume(returning: data)
        }
      }
      await withCheckedContinuation { c in
        for item in items { 2️⃣c.resume(returning: item) }
      }
      """),
    Fixture(
      ContinuationPaths.self, "not resumed on a path",
      """
      await withCheckedThrowingContinuation { continuation in
        load { 1️⃣data, error in
          if let error {
            continuation.resume(throwing: error)
          } else if let data {
            continuation.resume(returning: data)
          }
        }
      }
      await withCheckedContinuation { c in
        load { 2️⃣[weak self] value in
          guard let self else { return }
          c.resume(returning: self.map(value))
        }
      }
      await withUnsafeContinuation { 3️⃣(c: UnsafeContinuation<Int, Never>) in
        if ready { c.resume(returning: 1) }
      }
      """),
    Fixture(
      ContinuationPaths.self, "a throw before the resume is not caught",
      """
      await withCheckedThrowingContinuation { continuation in
        load { 1️⃣data in
          do {
            let value = try decode(data)
            continuation.resume(returning: value)
          } catch {
            print(error)
          }
        }
      }
      """),
    Fixture(
      ContinuationPaths.self, "conditions that exclude each other, but leave a gap",
      """
      await withCheckedContinuation { continuation in
        evaluate { 1️⃣succeeded, error in
          if error != nil { continuation.resume(returning: false) }
          if succeeded { continuation.resume(returning: true) }
        }
      }
      """),
    Fixture(
      ContinuationPaths.self, "once on each path",
      """
      await withCheckedThrowingContinuation { continuation in
        load { data, error in
          if let error {
            continuation.resume(throwing: error)
            return
          }
          guard let data else {
            continuation.resume(throwing: Missing())
            return
          }
          do {
            continuation.resume(returning: try decode(data))
          } catch {
            continuation.resume(throwing: error)
          }
        }
      }
      """),
    Fixture(
      ContinuationPaths.self, "a switch",
      """
      await withCheckedContinuation { c in
        load { result in
          switch result {
          case .success(let x): c.resume(returning: x)
          case .failure: c.resume(returning: 0)
          }
        }
      }
      """),
    Fixture(
      ContinuationPaths.self, "two callbacks",
      """
      await withCheckedThrowingContinuation { c in
        load(success: { c.resume(returning: $0) }, failure: { c.resume(throwing: $0) })
      }
      """),
    Fixture(
      ContinuationPaths.self, "stored for later",
      "await withCheckedContinuation { c in waiters.append(c) }"),
    Fixture(
      ContinuationPaths.self, "a handler that is called repeatedly",
      """
      await withCheckedContinuation { c in
        connection.stateUpdateHandler = { state in
          switch state {
          case .ready: c.resume()
          default: break
          }
        }
      }
      """),
    Fixture(
      ContinuationPaths.self, "the loop ends after the resume",
      """
      await withCheckedContinuation { c in
        for item in items {
          if item.isGood { c.resume(returning: item); return }
        }
        c.resume(returning: nil)
      }
      """),
    Fixture(
      ContinuationPaths.self, "a resume for an immediate error",
      """
      await withCheckedContinuation { c in
        guard let url else { c.resume(returning: nil); return }
        load(url) { data in c.resume(returning: data) }
      }
      """),
  ]

  @Test(arguments: fixtures)
  func `continuation-paths reports at the markers`(fixture: Fixture) { fixture.verify() }
}
