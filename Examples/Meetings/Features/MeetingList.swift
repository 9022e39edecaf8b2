import Causeway
import CausewayFoundation
import Foundation

/// The app: the list of meetings, the sheet for a new one, and the screens above.
struct MeetingList: Interactor {
  struct State: Equatable, Sendable {
    var meetings = Meetings()
    var path: ScreenPath<MeetingScreen> = []
    var form: MeetingForm.State?
    /// The content of a form that was closed without `save` or `cancel`.
    var draft: Meeting?
  }

  enum Action: Codable, Equatable, Sendable {
    case add
    case form(MeetingForm.Action)
    /// The sheet was swiped away.
    case closeForm
    case open(Meeting.ID)
    /// Shows what an address names; see ``State/address``.
    case visit(String)
    case path(PathAction<MeetingScreen, MeetingScreenAction>)

    var form: MeetingForm.Action? { if case .form(let action) = self { action } else { nil } }
    var path: PathAction<MeetingScreen, MeetingScreenAction>? {
      if case .path(let action) = self { action } else { nil }
    }
  }

  let meetings: SharedValue<Meetings>

  var body: some InteractorOf<Self> {
    InteractWithValues<State, Action>(initialValue: State()) { state, action, values in
      switch action {
      case .add:
        state.form = MeetingForm.State(meeting: state.draft ?? .new(values))
        state.draft = nil
      case .form(.save):
        guard let form = state.form, form.isDone else { return .state }
        state.meetings.append(form.meeting)
        state.form = nil
      case .form(.cancel), .closeForm:
        state.form = nil
      case .open(let id):
        // The list is covered, so this is the second press of a row.
        guard state.path.isEmpty else { return .state }
        return state.show(.detail(MeetingDetail.State(id: id)), .detail(.appear))
      case .visit(let address):
        return state.visit(address)
      case .path(.screen(let screen, .detail(let detail))) where screen == state.path.ids.last:
        guard let meeting = state.path[id: screen]?.detail?.meeting else { return .state }
        switch detail {
        case .begin:
          return state.show(.record(RecordMeeting.State(id: meeting.id)), .record(.appear))
        case .open(let id):
          return state.show(.past(PastMeeting.State(id: id, meeting: meeting)), .past(.appear))
        default:
          break
        }
      case .path(.screen(let screen, .record(.saved))):
        guard let meeting = state.path[id: screen]?.record?.id else { return .state }
        return .action(.path(.screen(ScreenID(.detail(meeting)), .detail(.refresh))))
      case .form, .path:
        break
      }
      return .state
    }
    .sharing(\.meetings, meetings)
    .ifLet(\.form, action: \.form, embed: Action.form) {
      MeetingForm()
    } onRemoval: { state, form in
      if !form.isDone { state.draft = form.meeting }
      return .state
    }
    .screens(\.path, action: \.path, embed: Action.path) { MeetingScreens(meetings: meetings) }
  }
}

extension Meeting {
  /// A meeting with an attendee and any colour.
  fileprivate static func new(_ values: ProvidedValues) -> Meeting {
    let attendee = Attendee(id: values[.uuid]())
    var numbers = values[.random]
    let colour = Colour.allCases.randomElement(using: &numbers) ?? .teal
    return Meeting(id: values[.uuid](), colour: colour, attendees: [attendee])
  }
}

extension MeetingList.State {
  /// Pushes a screen and begins its work.
  ///
  /// The view does not send `appear`, because a screen continues its work while another screen
  /// covers it. A screen that an address opens begins in the same way, and a page has no views that
  /// appear.
  mutating func show(
    _ screen: MeetingScreen, _ appear: MeetingScreenAction
  ) -> Emission<Self, MeetingList.Action> {
    .action(.path(.screen(path.push(screen), appear)))
  }

  /// The address of what is shown, such as `/meetings/6F9A…`.
  ///
  /// Other screens have the address of their meeting.
  var address: String {
    path.screens.compactMap(\.detail).last.map { "/meetings/\($0.id)" } ?? "/"
  }

  mutating func visit(_ address: String) -> Emission<Self, MeetingList.Action> {
    // A step back in the browser must not lose a meeting that takes place.
    if case .record = path.last, let id = path.ids.last {
      return .action(.path(.screen(id, .record(.end))))
    }
    path = []
    form = nil
    let parts = address.split(separator: "/")
    guard parts.count == 2, parts[0] == "meetings", let id = UUID(uuidString: String(parts[1])),
      meetings.contains(id: id)
    else { return .state }
    return show(.detail(MeetingDetail.State(id: id)), .detail(.appear))
  }
}
