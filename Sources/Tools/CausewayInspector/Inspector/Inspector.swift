import CausewaySystem
import CausewayWeb
import Foundation
import Synchronization

/// Watches the view models of a program: records their last events, and serves a page that shows
/// them.
///
/// ```swift
/// let inspector = try Inspector()
/// let model = ViewModel(Search(find: find), observer: .inspected(by: inspector))
/// print("Inspector at \(try await inspector.start())")
/// ```
///
/// The page listens on 127.0.0.1 only, and its address contains a secret.
///
/// Isolation: any. Steps are received on the main actor, and rendered off it.
public final class Inspector: Sendable {
  let queue: EventQueue
  let store: EventStore
  let models: InspectedModels
  let header: RecordingHeader
  /// The names of the models in the recording that the page shows.
  let recordedModels: [String]
  /// The server of the page and the address with its token, while it runs.
  let page = Mutex<(web: WebServer, address: String)?>(nil)
  /// The pages of the app at earlier steps.
  let appPages = AppPages()

  /// Makes an inspector that keeps its events in memory.
  ///
  /// - Parameters:
  ///   - ringFile: The path of a file of 256 KiB for the last events. It can be read after the
  ///     program was killed; see `causeway-recording dump`. Default: no file. The folder can also
  ///     contain the file of the last run, and up to eight copies (2 MiB) that were made when
  ///     errors were reported. The copies also survive restarts.
  ///   - steps: The number of steps whose states can be shown, and of events that are listed.
  /// - Throws: ``InspectorError/ring(path:reason:)`` if the file cannot be made.
  public init(ringFile: String? = nil, keeping steps: Int = 100_000) throws(InspectorError) {
    header = RecordingHeader(
      program: ProcessInfo.processInfo.processName, began: Date().timeIntervalSince1970)
    var ring: EventRing?
    if let ringFile {
      // The header has two texts and a number, so it can be encoded.
      let line = (try? Recording.line(header)) ?? Data()
      ring = try EventRing(path: ringFile, header: Array(line))
    }
    store = EventStore(limit: steps)
    queue = EventQueue(store: store, ring: ring)
    models = InspectedModels(limit: steps)
    recordedModels = []
  }

  /// Makes an inspector whose page shows a recording.
  package init(showing recording: Recording) {
    header = recording.header
    store = EventStore(limit: max(1, recording.events.count))
    queue = EventQueue(store: store, ring: nil)
    models = InspectedModels(limit: 1)
    // A file can repeat a name, and the page's list needs each name once.
    var names: Set<String> = []
    let all = recording.events.filter { $0.kind == .model }.compactMap(\.model)
    recordedModels = Array(all.filter { names.insert($0).inserted }.prefix(200))
    // The numbers of a file can have any order and size.
    let events = recording.events.sorted { $0.n < $1.n }
    store.append(
      events.enumerated().map { index, event in
        var event = event
        event.n = index + 1
        event.at = max(0, event.at)
        return EventStore.Entry(event)
      })
  }

  /// Adds a text to a lane, for example a request or a query.
  ///
  /// The texts are shown and recorded as they are, so they must not contain secrets.
  ///
  /// - Parameters:
  ///   - lane: The lane.
  ///   - title: A short text, such as `GET /activities`.
  ///   - details: A longer text.
  public func note(_ lane: InspectorLane, _ title: String, details: String? = nil) {
    queue.add { n, at in
      RecordedEvent(
        n: n, at: at, kind: .note, lane: lane, title: title.shortened(to: 300),
        value: details?.shortened(to: 4_000))
    }
  }

  /// Returns when all events that were reported before are stored.
  package func settle() async {
    await queue.settle()
  }

  /// Returns the kept events as a recording.
  package func recording() async -> Recording {
    await queue.settle()
    return Recording(header: header, events: store.all.flatMap { $0.map(\.event) })
  }
}
