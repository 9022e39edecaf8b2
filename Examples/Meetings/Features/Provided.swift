import Causeway
import Foundation

// What features need from outside. A test that does not provide one of them fails when it is read.

extension ProvidedKey<any RecordingArchive> {
  static var archive: Self { ProvidedKey("archive", default: NoArchive()) }
}

extension ProvidedKey<any Transcriber> {
  static var transcriber: Self { ProvidedKey("transcriber", default: NoTranscriber()) }
}

/// The archive of an app that has none, such as a preview.
struct NoArchive: RecordingArchive {
  struct Missing: LocalizedError {
    var errorDescription: String? { "There is no archive." }
  }

  func page(
    of meeting: Meeting.ID, before cursor: RecordingPage.Cursor, isNew: Bool
  ) -> RecordingPage {
    RecordingPage(rows: [])
  }
  func recording(_ id: Recording.ID, of meeting: Meeting.ID) throws -> Recording {
    throw Missing()
  }
  func keep(_ recording: Recording, of meeting: Meeting.ID) throws { throw Missing() }
  func removeAll(of meeting: Meeting.ID) {}
}

/// The transcriber of a device without a microphone: nothing is said.
struct NoTranscriber: Transcriber {
  func isAllowed() -> Bool { true }
  func transcripts() -> AsyncThrowingStream<String, any Error> {
    AsyncThrowingStream { $0.finish() }
  }
}
