/// The source of the events of a page: the program of its server, or a recording.
final class TimelineSource: Sendable, Equatable {
  let inspector: Inspector
  let events: EventSearch
  /// The name of the recording; `nil` for the program.
  let recording: String?

  init(_ inspector: Inspector, recording: String? = nil) {
    self.inspector = inspector
    events = EventSearch(inspector.store)
    self.recording = recording
  }

  static func == (left: TimelineSource, right: TimelineSource) -> Bool { left === right }
}
