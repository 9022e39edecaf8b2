import Causeway
import Foundation

/// What a page shows: the list or the screen above it, and the form that covers it.
struct PageState: Codable, Equatable, Sendable {
  struct Row: Codable, Equatable, Identifiable, Sendable {
    var id: Meeting.ID
    var title: String
    var colour: String
    var attendees: Int
    var minutes: Int
  }

  struct Form: Codable, Equatable, Sendable {
    /// The screen that the form belongs to; `nil` for the list.
    var screen: ScreenPath<MeetingScreen>.ID?
    var meeting: Meeting
    var problem: String?
  }

  struct Detail: Codable, Equatable, Sendable {
    var meeting: Meeting?
    var recordings: [RecordingRow]
    var hasMore: Bool
    var isLoading: Bool
    var hasFailed: Bool
    var problem: String?
    var question: Question<MeetingDetail.Choice>?
  }

  struct Record: Codable, Equatable, Sendable {
    var title: String
    var speaker: String
    var next: String?
    var progress: Double
    var remaining: String
    var transcript: String
    var isSaving: Bool
    var question: Question<RecordMeeting.Choice>?
  }

  struct Past: Codable, Equatable, Sendable {
    var meeting: Meeting
    var recording: Recording?
    var isLoading: Bool
    var hasFailed: Bool
  }

  /// A dialog with the answer of each button.
  struct Question<Choice: Codable & Equatable & Sendable>: Codable, Equatable, Sendable {
    struct Button: Codable, Equatable, Sendable {
      var title: String
      var answer: DialogAnswer<Choice>
    }

    var title: String
    var message: String?
    var buttons: [Button]
  }

  var address: String
  var isList: Bool
  var rows: [Row]
  /// The id of the shown screen.
  ///
  /// The actions of the screen carry the id, so an action for a screen that was closed meanwhile is
  /// ignored.
  var screen: ScreenPath<MeetingScreen>.ID?
  var form: Form?
  var detail: Detail?
  var record: Record?
  var past: Past?
}
