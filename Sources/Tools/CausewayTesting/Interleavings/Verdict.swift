private import Synchronization
private import Testing

/// Turns the checks of a test into a verdict: `nil`, or the reason of the failure.
enum Verdict {
  /// Runs a check that throws or uses `#expect`, without failing the current test.
  ///
  /// In Swift Testing the issues are recorded as known issues. The exploration then reports them
  /// once, for the shortest trial. In other frameworks only a thrown error counts.
  @MainActor
  static func of(_ check: @MainActor () async throws -> Void) async -> String? {
    guard Test.current != nil else {
      do {
        try await check()
        return nil
      } catch {
        return "\(error)"
      }
    }
    let texts = Mutex<[String]>([])
    await withKnownIssue("a trial of an exploration", isIntermittent: true) {
      do {
        try await check()
      } catch {
        texts.withLock { $0.append("\(error)") }
      }
    } matching: { issue in
      texts.withLock { $0.append("\(issue)") }
      return true
    }
    let found = texts.withLock { $0 }
    return found.isEmpty ? nil : found.joined(separator: "\n")
  }
}
