import CausewayData

/// A library for speech, which calls its listeners on a thread of its own, as most of them do.
protocol SpeechLibrary: Sendable {
  /// Calls the listener with all that was said, after each word, until the listener is removed.
  func addListener(_ listener: @escaping @Sendable (Result<String, any Error>) -> Void) -> Int
  func removeListener(_ number: Int)
}

/// Bridges the listeners of a library to sequences.
struct ListeningTranscriber: Transcriber {
  let library: any SpeechLibrary

  // The listener is removed once: when the screen goes, or when the library has failed. Each value
  // has the whole transcript, so a slow screen may miss values, and the default buffer is enough.
  func transcripts() -> AsyncThrowingStream<String, any Error> {
    .listening { [library] listener in
      library.addListener { listener($0) }
    } remove: { [library] number in
      library.removeListener(number)
    }
  }
}
