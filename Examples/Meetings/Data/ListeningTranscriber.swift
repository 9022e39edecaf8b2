import CausewayData

/// A library for speech; like most such libraries, it calls its callbacks on its own thread.
protocol SpeechLibrary: Sendable {
  /// Asks the person once, and calls the completion with the answer.
  func requestPermission(_ completion: @escaping @Sendable (Bool) -> Void)
  /// Calls the listener after each word with the whole text, until the listener is removed.
  func addListener(_ listener: @escaping @Sendable (Result<String, any Error>) -> Void) -> Int
  func removeListener(_ number: Int)
}

/// Bridges the callbacks of a library to functions and sequences.
struct ListeningTranscriber: Transcriber {
  let library: any SpeechLibrary

  // A person may think for a long time, so there is no timeout. If the library drops its completion
  // without a call, `withCallback` throws an error.
  func isAllowed() async throws -> Bool {
    do {
      return try await withCallback { [library] callback in
        library.requestPermission { callback.resume(returning: $0) }
      }
    } catch let error as CallbackError {
      throw NotListening(cause: error)
    }
  }

  /// The library has not answered the request for permission.
  struct NotListening: Error {
    let cause: CallbackError
  }

  // The listener is removed once: when the screen is closed, or when the library has failed. Each
  // value has the whole transcript, so a slow screen may miss values, and the default buffer is
  // enough.
  func transcripts() -> AsyncThrowingStream<String, any Error> {
    .listening { [library] listener in
      library.addListener { listener($0) }
    } remove: { [library] number in
      library.removeListener(number)
    }
  }
}
