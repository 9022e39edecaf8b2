import Causeway
import CausewayWeb

/// The actions that a browser may send.
enum PageAction: Codable, Equatable, Sendable {
  case add
  case open(meeting: Meeting.ID)
  case back
  case visit(address: String)
  /// The form of a detail, or of the list without a screen.
  case form(screen: ScreenPath<MeetingScreen>.ID?, action: MeetingForm.Action)
  case screen(id: ScreenPath<MeetingScreen>.ID, action: Screen)

  enum Screen: Codable, Equatable, Sendable {
    case detail(MeetingDetail.Action)
    case record(Record)

    fileprivate var action: MeetingScreenAction {
      switch self {
      case .detail(let action): .detail(action)
      case .record(let action): .record(action.action)
      }
    }
  }

  /// A browser cannot send the other actions of ``RecordMeeting``, such as `tick`.
  enum Record: Codable, Equatable, Sendable {
    case next
    case end
    case answer(DialogAnswer<RecordMeeting.Choice>)

    fileprivate var action: RecordMeeting.Action {
      switch self {
      case .next: .next
      case .end: .end
      case .answer(let answer): .answer(answer)
      }
    }
  }

  var action: MeetingList.Action {
    switch self {
    case .add: .add
    case .open(let meeting): .open(meeting)
    case .back: .path(.pop)
    case .visit(let address): .visit(address)
    case .form(let screen?, let action): .path(.screen(screen, .detail(.form(action))))
    case .form(nil, let action): .form(action)
    case .screen(let id, let action): .path(.screen(id, action.action))
    }
  }

  /// The request of an answer to a question ends when the chosen work has ended.
  var answering: ActionAnswer {
    switch self {
    case .screen(_, .detail(.answer)), .screen(_, .record(.answer)): .afterEffects
    default: .atOnce
    }
  }
}
