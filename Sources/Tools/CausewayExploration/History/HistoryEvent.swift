/// The beginning or the end of an entry of a history.
package struct HistoryEvent {
  package let index: Int
  package let isEnd: Bool

  /// The events of entries in the order of their numbers.
  ///
  /// - Parameter entries: The numbers of the events of each entry; an end is `nil` if it is not known.
  package static func inOrder(_ entries: [(begin: Int, end: Int?)]) -> [HistoryEvent] {
    var events: [(number: Int, event: HistoryEvent)] = []
    for (index, entry) in entries.enumerated() {
      events.append((entry.begin, HistoryEvent(index: index, isEnd: false)))
      if let end = entry.end { events.append((end, HistoryEvent(index: index, isEnd: true))) }
    }
    return events.sorted { $0.number < $1.number }.map(\.event)
  }
}
