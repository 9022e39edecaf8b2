import CausewayBasics
import CausewaySystem
import Synchronization

/// The newest events, in memory, for the page and for recordings.
///
/// Isolation: any.
final class EventStore: Sendable {
  /// An event, and the text in which a search looks.
  struct Entry: Sendable {
    let event: RecordedEvent
    /// The texts of the event in lower case, and a zero.
    let text: [UInt8]

    init(_ event: RecordedEvent) {
      self.event = event
      var text = event.title
      for part in [event.model, event.value, event.effect] {
        if let part { text += "\n" + part.prefix(300) }
      }
      for change in event.changes ?? [] {
        text += "\n\(change.path) \((change.after ?? "").prefix(200))"
      }
      self.text = Self.searchText(text)
    }

    /// Whether the event contains a text; both end with a zero, and are in lower case.
    func contains(_ words: [UInt8]) -> Bool {
      text.withUnsafeBytes { text in
        words.withUnsafeBytes { words in
          guard let text = text.assumingMemoryBound(to: CChar.self).baseAddress,
            let words = words.assumingMemoryBound(to: CChar.self).baseAddress
          else { return false }
          return strstr(text, words) != nil
        }
      }
    }

    /// The form of a text that a search compares.
    static func searchText(_ text: String) -> [UInt8] {
      text.lowercased().utf8.map { $0 == 0 ? UInt8(ascii: " ") : $0 } + [0]
    }
  }

  /// Entries in chunks: a reader copies the list of chunks, and a later event copies one chunk.
  typealias Chunks = [[Entry]]
  private static let chunkSize = 256

  private let limit: Int
  private let chunks = Mutex<Chunks>([])
  /// The number of the newest event.
  private let newest = CurrentValue(0)

  /// - Parameter limit: The number of newest events that are always kept; up to one more chunk may
  ///   be kept.
  init(limit: Int) {
    self.limit = limit
  }

  func append(_ entries: [Entry]) {
    guard let last = entries.last else { return }
    chunks.withLock { chunks in
      for entry in entries {
        if chunks.last.map({ $0.count == Self.chunkSize }) ?? true { chunks.append([]) }
        chunks[chunks.count - 1].append(entry)
      }
      let surplus = chunks.count - 1 - (limit + Self.chunkSize - 1) / Self.chunkSize
      if surplus > 0 { chunks.removeFirst(surplus) }
    }
    newest.set(last.event.n)
  }

  /// The entries, oldest first.
  var all: Chunks { chunks.withLock { $0 } }

  /// The number of the newest event now, and after each change.
  func changes() -> AsyncStream<Int> { newest.stream() }
}

extension EventStore.Chunks {
  /// The entry with a number; `nil` if it is not kept.
  ///
  /// Complexity: O(log *n*).
  func entry(_ number: Int) -> EventStore.Entry? {
    let chunk = partitionIndex { $0.last.map { $0.event.n < number } ?? true }
    guard chunk < count else { return nil }
    let place = self[chunk].partitionIndex { $0.event.n < number }
    guard place < self[chunk].count, self[chunk][place].event.n == number else { return nil }
    return self[chunk][place]
  }
}
