/// Finds activities by their words.
public protocol SearchRepositoryProtocol: Sendable {
  /// Yields the first activities that contain all words of a text, now and after each change.
  ///
  /// The last word may be the beginning of a word. The activities are in the order of the board. The
  /// sequence fails with ``ActivityError/notRead(reason:)``.
  ///
  /// - Parameters:
  ///   - text: The words.
  ///   - limit: The largest number of activities.
  func results(of text: String, limit: Int) -> AsyncThrowingStream<SearchResults, any Error>
}

/// The first found activities, and the number of all.
public struct SearchResults: Sendable, Equatable {
  /// The activities to show, in the order of the board.
  public var rows: [Activity]
  /// The number of all found activities.
  public var total: Int

  /// Makes results; without a total, `rows` are all results.
  public init(rows: [Activity] = [], total: Int? = nil) {
    (self.rows, self.total) = (rows, total ?? rows.count)
  }
}
