import Testing

@testable import causeway

struct ContinuationKeptTests {
  static let fixtures = [
    Fixture(
      ContinuationKept.self, "a method that ends, a deinit and early callbacks",
      """
      final class Socket: NSObject {
        typealias Answer = CheckedContinuation<Void, any Error>
        private var opening: CheckedContinuation<Void, any Error>?
        private var answer: Answer?
        private var closing: CheckedContinuation<Void, Never>?
        func stop() { 1️⃣opening?.resume(throwing: Closed()) }
        func didOpen() {
          opening?.resume()
          opening = nil
        }
        func session(_ session: URLSession, didReceive data: Data) { 2️⃣self.answer?.resume() }
        func session(_ session: URLSession, didFail error: any Error) {
          answer?.resume(throwing: error)
          answer = nil
        }
        func didClose() { 3️⃣closing?.resume() }
        deinit { closing?.resume() }
      }
      """),
    Fixture(
      ContinuationKept.self, "a continuation that is stored and resumed",
      """
      actor Gate {
        private var waiter: CheckedContinuation<Void, Never>?
        private var isOpen = false
        func wait() async {
          await withCheckedContinuation { continuation in
            waiter = continuation
            if isOpen { 1️⃣continuation.resume() }
          }
        }
        func open() {
          isOpen = true
          waiter?.resume()
          waiter = nil
        }
      }
      """),
    Fixture(
      ContinuationKept.self, "properties that change with the resume",
      """
      final class Socket: NSObject {
        private var opening: CheckedContinuation<Void, any Error>?
        private var answer: CheckedContinuation<Void, any Error>?
        private var closing: CheckedContinuation<Void, Never>?
        private var isDone = false
        func stop() {
          opening?.resume(throwing: Closed())
          opening = nil
        }
        func cancel() {
          answer?.resume(throwing: Closed())
          clear()
        }
        func close() { answer.take()?.resume(throwing: Closed()) }
        func abort() {
          defer { answer = nil }
          answer?.resume(throwing: Closed())
        }
        private func clear() { answer = nil }
        func didOpen() {
          opening?.resume()
          opening = nil
        }
        func invalidate() {
          guard !isDone else { return }
          isDone = true
          closing?.resume()
        }
        func didClose() {
          guard !isDone else { return }
          isDone = true
          closing?.resume()
        }
      }
      """),
    Fixture(
      ContinuationKept.self, "two callbacks of which one is called",
      """
      final class SignIn: NSObject, ASAuthorizationControllerDelegate {
        private var answer: CheckedContinuation<ASAuthorization, any Error>?
        func authorizationController(
          controller: ASAuthorizationController, didCompleteWithAuthorization found: ASAuthorization
        ) { answer?.resume(returning: found) }
        func authorizationController(
          controller: ASAuthorizationController, didCompleteWithError error: any Error
        ) { answer?.resume(throwing: error) }
        func documentPickerWasCancelled(_ picker: UIDocumentPickerViewController) {}
      }
      final class One {
        private var answer: CheckedContinuation<Void, Never>?
        func stop() { answer?.resume() }
      }
      """),
    Fixture(
      ContinuationKept.self, "a continuation that is stored only if it is not resumed",
      """
      actor Gate {
        private var waiter: CheckedContinuation<Void, Never>?
        private var isOpen = false
        func wait() async {
          await withCheckedContinuation { continuation in
            if isOpen { return continuation.resume() }
            waiter = continuation
          }
        }
        func ask() async {
          await withCheckedContinuation { continuation in
            waiter = continuation
            if isOpen {
              waiter = nil
              continuation.resume()
            }
          }
        }
        func open() {
          waiter?.resume()
          waiter = nil
        }
      }
      """),
    Fixture(
      ContinuationKept.self, "unwrapped continuations, and those of a dictionary",
      """
      final class Waiter {
        var waiting: CheckedContinuation<Void, Never>?
        func wait() async { await withCheckedContinuation { waiting = $0 } }
        func stop() { if let waiting { 1️⃣waiting.resume() } }
        func finished() { waiting?.resume(); waiting = nil }
      }
      final class Reader {
        var answer: UnsafeContinuation<Int, any Error>!
        func close() {
          guard let current = answer else { return }
          2️⃣current.resume(throwing: Closed())
        }
        func received(_ value: Int) { answer.resume(returning: value); answer = nil }
      }
      final class Client {
        var answers: [Int: CheckedContinuation<Int, any Error>] = [:]
        func received(_ id: Int, _ value: Int) { 3️⃣answers[id]?.resume(returning: value) }
        func close() {
          answers.values.forEach { $0.resume(throwing: Closed()) }
          answers[0]?.resume(throwing: Closed())
          answers.removeAll()
        }
      }
      """),
    Fixture(
      ContinuationKept.self, "continuations that are taken out",
      """
      final class Waiter {
        var waiting: CheckedContinuation<Void, Never>?
        func stop() {
          guard let current = waiting else { return }
          waiting = nil
          current.resume()
        }
        func finished() { waiting?.resume(); waiting = nil }
      }
      final class Client {
        var answers: [Int: CheckedContinuation<Int, any Error>] = [:]
        var listeners: [Int: AsyncStream<Int>.Continuation] = [:]
        func received(_ id: Int, _ value: Int) {
          answers.removeValue(forKey: id)?.resume(returning: value)
        }
        func close() {
          answers[0]?.resume(throwing: Closed())
          answers.removeAll()
        }
      }
      """),
  ]

  @Test(arguments: fixtures)
  func `continuation-kept reports at the markers`(fixture: Fixture) { fixture.verify() }
}
