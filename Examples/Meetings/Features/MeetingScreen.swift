import Causeway
import Foundation

/// The screens above the list.
enum MeetingScreen: Equatable, Identifiable, Sendable {
  case detail(MeetingDetail.State)
  case record(RecordMeeting.State)
  case past(PastMeeting.State)

  enum ID: Codable, Hashable, Sendable {
    case detail(Meeting.ID)
    case record(Meeting.ID)
    case past(Recording.ID)
  }

  var id: ID {
    switch self {
    case .detail(let detail): .detail(detail.id)
    case .record(let record): .record(record.id)
    case .past(let past): .past(past.id)
    }
  }

  var detail: MeetingDetail.State? { if case .detail(let state) = self { state } else { nil } }
  var record: RecordMeeting.State? { if case .record(let state) = self { state } else { nil } }
  var past: PastMeeting.State? { if case .past(let state) = self { state } else { nil } }
}

enum MeetingScreenAction: Codable, Equatable, Sendable {
  case detail(MeetingDetail.Action)
  case record(RecordMeeting.Action)
  case past(PastMeeting.Action)

  var detail: MeetingDetail.Action? { if case .detail(let action) = self { action } else { nil } }
  var record: RecordMeeting.Action? { if case .record(let action) = self { action } else { nil } }
  var past: PastMeeting.Action? { if case .past(let action) = self { action } else { nil } }
}

struct MeetingScreens: Interactor {
  typealias State = MeetingScreen
  typealias Action = MeetingScreenAction

  let meetings: SharedValue<Meetings>

  var body: some InteractorOf<Self> {
    Interact<State, Action>()
      .ifCase(\.detail, embed: State.detail, action: \.detail, embed: Action.detail) {
        MeetingDetail(meetings: meetings)
      }
      .ifCase(\.record, embed: State.record, action: \.record, embed: Action.record) {
        RecordMeeting(meetings: meetings)
      }
      .ifCase(\.past, embed: State.past, action: \.past, embed: Action.past) { PastMeeting() }
  }
}
