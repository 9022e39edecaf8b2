import Causeway
import Foundation

/// A meeting that has taken place, and what was said.
struct Recording: Codable, Equatable, Identifiable, Sendable {
  let id: UUID
  var date: Date
  var transcript: String
}

/// A recording in the list of its meeting, without the transcript.
struct RecordingRow: Codable, Equatable, Identifiable, Sendable {
  let id: UUID
  var date: Date
}

/// A part of the recordings of a meeting, the newest first.
struct RecordingPage: Codable, Equatable, Sendable {
  /// Where a page begins: its rows are older than this one.
  typealias Cursor = Int64

  /// The cursor of the first page.
  static let newest = Cursor.max

  var rows: [RecordingRow]
  /// The cursor of the next page; `nil` if this is the last one.
  var next: Cursor?
}

/// Where recordings are kept.
protocol RecordingArchive: Sendable {
  /// Reads a page of the recordings of a meeting.
  ///
  /// - Parameter isNew: Whether the page must come from the server, and not from a stored answer.
  func page(
    of meeting: Meeting.ID, before cursor: RecordingPage.Cursor, isNew: Bool
  ) async throws -> RecordingPage
  func recording(_ id: Recording.ID, of meeting: Meeting.ID) async throws -> Recording
  /// Keeps a recording. It replaces a recording with the same id, so an attempt can be repeated.
  func keep(_ recording: Recording, of meeting: Meeting.ID) async throws
  func removeAll(of meeting: Meeting.ID) async throws
}

/// Writes down what is said.
protocol Transcriber: Sendable {
  /// Returns whether the app may listen. The system asks the person the first time.
  func isAllowed() async throws -> Bool
  /// Listens until the sequence is released, and yields the whole text after each word.
  func transcripts() -> AsyncThrowingStream<String, any Error>
}
