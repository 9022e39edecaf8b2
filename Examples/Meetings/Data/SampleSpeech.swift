import Synchronization

/// A library for speech that always hears the same talk, because Linux has no recogniser.
final class SampleSpeech: SpeechLibrary {
  private static let words = """
    Good morning. The new harbour map is ready, and two piers still miss their names. Next week we \
    print it. Who takes the posters? Thank you. That was all from me.
    """.split(separator: " ")

  private struct State {
    var last = 0
    var speakers: [Int: Task<Void, Never>] = [:]
  }

  private let state = Mutex(State())

  func requestPermission(_ completion: @escaping @Sendable (Bool) -> Void) { completion(true) }

  func addListener(_ listener: @escaping @Sendable (Result<String, any Error>) -> Void) -> Int {
    state.withLock { state in
      state.last += 1
      state.speakers[state.last] = Task { @concurrent in
        for count in 1...Self.words.count {
          guard (try? await Task.sleep(for: .milliseconds(400))) != nil else { return }
          listener(.success(Self.words.prefix(count).joined(separator: " ")))
        }
      }
      return state.last
    }
  }

  func removeListener(_ number: Int) {
    state.withLock { $0.speakers.removeValue(forKey: number) }?.cancel()
  }
}
