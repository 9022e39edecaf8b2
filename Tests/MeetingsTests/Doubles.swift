import Causeway
import CausewayFoundation
import CausewayTesting
import Foundation
import Synchronization

@testable import meetings

/// An archive made of functions.
///
/// A function that a test does not set fails when it is called.
struct ArchiveDouble: RecordingArchive {
  var page: @Sendable (Meeting.ID, RecordingPage.Cursor, Bool) async throws -> RecordingPage =
    unexpected("page")
  var recording: @Sendable (Recording.ID, Meeting.ID) async throws -> Recording =
    unexpected("recording")
  var keep: @Sendable (Recording, Meeting.ID) async throws -> Void = unexpected("keep")
  var removeAll: @Sendable (Meeting.ID) async throws -> Void = unexpected("removeAll")

  func page(
    of meeting: Meeting.ID, before cursor: RecordingPage.Cursor, isNew: Bool
  ) async throws -> RecordingPage {
    try await page(meeting, cursor, isNew)
  }
  func recording(_ id: Recording.ID, of meeting: Meeting.ID) async throws -> Recording {
    try await recording(id, meeting)
  }
  func keep(_ recording: Recording, of meeting: Meeting.ID) async throws {
    try await keep(recording, meeting)
  }
  func removeAll(of meeting: Meeting.ID) async throws { try await removeAll(meeting) }
}

struct Offline: LocalizedError {
  var errorDescription: String? { "There is no connection." }
}

/// A library whose listener the test calls, and which counts its listeners.
final class SpeechDouble: SpeechLibrary {
  /// The answer of the person; `nil` if the library forgets its completion.
  private let permission: Bool?

  init(permission: Bool? = true) { self.permission = permission }

  func requestPermission(_ completion: @escaping @Sendable (Bool) -> Void) {
    if let permission { completion(permission) }
  }

  private let listeners = Mutex<[Int: @Sendable (Result<String, any Error>) -> Void]>([:])

  var listenerCount: Int { listeners.withLock(\.count) }

  func addListener(_ listener: @escaping @Sendable (Result<String, any Error>) -> Void) -> Int {
    listeners.withLock { listeners in
      listeners[listeners.count + 1] = listener
      return listeners.count
    }
  }

  func removeListener(_ number: Int) {
    _ = listeners.withLock { $0.removeValue(forKey: number) }
  }

  func say(_ result: Result<String, any Error>) {
    for listener in listeners.withLock({ Array($0.values) }) { listener(result) }
  }
}

extension UUID {
  static func number(_ number: UInt8) -> UUID { UUID(counting: UInt64(number)) }
}

extension Meeting {
  static let design = Meeting(
    id: .number(1), title: "Design", minutes: 5,
    attendees: [
      Attendee(id: .number(11), name: "Ada"), Attendee(id: .number(12), name: "Bashir"),
    ])
}

extension Recording {
  static let first = Recording(
    id: .number(21), date: Date(timeIntervalSince1970: 0), transcript: "Good morning.")
}

extension Interactor {
  /// Provides what the features need, with ids in order, the first second of 1970 and no transcriber.
  func provided(
    _ archive: any RecordingArchive, transcriber: any Transcriber = NoTranscriber()
  ) -> some Interactor<State, Action> {
    providing(.archive, archive).providing(.transcriber, transcriber)
      .providing(.uuid, UUID.counting(from: 101))
      .providing(.date, { Date(timeIntervalSince1970: 0) })
  }
}
