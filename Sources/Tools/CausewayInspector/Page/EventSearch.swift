/// Finds the events of a page, off the main actor.
///
/// It remembers the matches of the last query, so new events and other windows need no search.
actor EventSearch {
  /// The events that a page shows.
  struct Query: Sendable, Equatable {
    var text = ""
    var lanes = Set(InspectorLane.allCases)
    /// The only model that is shown; `nil` for all.
    var model: String?
    /// The newest event that is shown; `nil` while the page is not paused.
    var newest: Int?
    /// The index of the first row; `nil` for the last rows.
    var first: Int?
    /// An event that must be visible.
    var anchor: Int?
  }

  /// A window of the matching events.
  struct Result: Sendable {
    var query: Query
    /// The number of matching events.
    var total = 0
    /// The number of all kept events.
    var all = 0
    /// The number of the newest kept event.
    var newest = 0
    /// The index of the first event of the window.
    var first = 0
    var events: [RecordedEvent] = []
    /// The index of the anchor; `nil` if it does not match.
    var anchor: Int?
  }

  /// The number of rows in a window.
  static let rows = 120

  private let store: EventStore
  private var text: [UInt8] = [0]
  private var known = Query()
  /// The numbers of the matching events, ascending.
  private var matches: [Int] = []
  /// The number of the last event that was compared.
  private var compared = 0

  init(_ store: EventStore) {
    self.store = store
  }

  /// Complexity: O(*n*) in the number of all events for another filter, otherwise in the number of
  /// new events.
  func run(_ query: Query) -> Result {
    let chunks = store.all
    if query.text != known.text || query.lanes != known.lanes || query.model != known.model {
      (matches, compared) = ([], 0)
      text = EventStore.Entry.searchText(query.text)
    }
    known = query
    compare(chunks)
    let oldest = chunks.first?.first?.event.n ?? 0
    let gone = index(of: oldest)
    if gone > 0 { matches.removeFirst(gone) }
    let end = query.newest.map { index(of: $0 + 1) } ?? matches.count
    var result = Result(query: query, total: end)
    result.all = chunks.reduce(0) { $0 + $1.count }
    result.newest = chunks.last?.last?.event.n ?? 0
    if let anchor = query.anchor {
      let place = index(of: anchor)
      if place < end, matches[place] == anchor { result.anchor = place }
    }
    let last = max(0, end - Self.rows)
    let first = query.anchor == nil ? query.first : result.anchor.map { $0 - Self.rows / 2 }
    result.first = min(max(0, first ?? last), last)
    result.events = matches[result.first..<min(end, result.first + Self.rows)]
      .compactMap { chunks.entry($0)?.event }
    return result
  }

  /// The number of the event that is some places before or after another event in the last query.
  func neighbour(of number: Int, by distance: Int) -> Int? {
    if matches.isEmpty { return nil }
    // The page can send any number.
    let distance = min(max(distance, -matches.count), matches.count)
    let place = index(of: number)
    let isMatch = place < matches.count && matches[place] == number
    let next = isMatch || distance < 0 ? place + distance : place + distance - 1
    return matches[min(max(0, next), matches.count - 1)]
  }

  /// The newest event of a model's step; `nil` if it is not kept.
  ///
  /// Complexity: O(*n*) in the number of all events.
  func event(ofStep step: Int, in model: String) -> RecordedEvent? {
    for chunk in store.all.reversed() {
      if let entry = chunk.last(where: {
        $0.event.step == step && $0.event.isStep && $0.event.model == model
      }) {
        return entry.event
      }
    }
    return nil
  }

  func event(_ number: Int) -> RecordedEvent? { store.all.entry(number)?.event }

  private func compare(_ chunks: EventStore.Chunks) {
    for chunk in chunks {
      guard let last = chunk.last?.event.n, last > compared else { continue }
      for entry in chunk where entry.event.n > compared {
        let event = entry.event
        if known.lanes.contains(event.lane), known.model == nil || known.model == event.model,
          text.count == 1 || entry.contains(text)
        {
          matches.append(event.n)
        }
      }
      compared = last
    }
  }

  /// The index of the first match that is not before a number.
  private func index(of number: Int) -> Int { matches.partitionIndex { $0 < number } }
}
