import CausewayBasics
import CausewayWeb
import Foundation
import Synchronization

/// The last four recordings that users have dropped on a page.
///
/// Isolation: any. Reading a file takes seconds at most, and only one file is read at a time.
final class OpenedRecordings: Sendable {
  /// The largest file, in bytes.
  static let largestFile = 32 << 20
  private static let most = 4

  private struct State {
    var last = 0
    var sources: [(id: String, source: TimelineSource)] = []
  }

  private let state = Mutex(State())
  /// Keeps uploads from taking all threads of the program.
  private let reading = AsyncLock()

  /// Reads an untrusted file, and returns the id of its recording.
  ///
  /// - Throws: ``RecordingError`` for a file that is neither a recording nor a ring.
  func add(_ data: Data, named name: String) throws(RecordingError) -> String {
    let recording = try Recording(file: data)
    let title =
      "\(name.shortened(to: 100)), a session of \(recording.header.program.shortened(to: 100))"
    let left = recording.unknownLines
    let note = left > 0 ? ", without \(left) lines of a later version" : ""
    let source = TimelineSource(Inspector(showing: recording), recording: title + note)
    // The replaced recordings are released after the unlock.
    let (id, _) = state.withLock { state in
      state.last += 1
      state.sources.append(("\(state.last)", source))
      let surplus = state.sources.count > Self.most ? state.sources.removeFirst() : nil
      return ("\(state.last)", surplus)
    }
    return id
  }

  /// The recording with an id; `nil` if it is not kept any more.
  func source(_ id: String) -> TimelineSource? {
    state.withLock { state in state.sources.first { $0.id == id }?.source }
  }
}

extension OpenedRecordings {
  /// Accepts files from pages with a session, which begin only with the token.
  func serve(on web: WebServer) {
    web.post("/recordings", bodyLimit: Self.largestFile, access: .sessions) { [self] request in
      let name = request.headers["Causeway-File-Name"]?.removingPercentEncoding ?? "a file"
      do {
        let id = try await reading.withLock { try self.add(request.body, named: name) }
        return try .json(["id": id])
      } catch let error as RecordingError {
        throw Problem.badRequest("\(name.shortened(to: 100)) cannot be shown. \(error)")
      }
    }
  }
}
