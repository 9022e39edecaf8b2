/// Finds activities by their words.
public protocol SearchRepositoryProtocol: Sendable {
  /// Yields the activities that contain all words of a text, now and after each change.
  ///
  /// The last word may be the beginning of a word. The sequence fails with
  /// ``ActivityError/notRead(reason:)``.
  func activities(matching text: String) -> AsyncThrowingStream<[Activity], any Error>
}
