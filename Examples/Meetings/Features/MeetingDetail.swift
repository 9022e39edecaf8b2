import Causeway
import CausewayFoundation
import Foundation

/// The screen of a meeting: its attendees, and its recordings page by page.
struct MeetingDetail: Interactor {
  struct State: Equatable, Identifiable, Sendable {
    let id: Meeting.ID
    var meetings = Meetings()
    var recordings = Paginated<RecordingRow, RecordingPage.Cursor>(first: RecordingPage.newest)
    var destination: Destination?
    /// Why the meeting could not be deleted.
    var problem: String?

    /// `nil` if the meeting was deleted on another screen.
    var meeting: Meeting? { meetings[id: id] }
  }

  /// The form or the question that covers the screen; they are never shown at once.
  enum Destination: Equatable, Sendable {
    case form(MeetingForm.State)
    case question(Dialog<Choice>)

    var form: MeetingForm.State? { if case .form(let form) = self { form } else { nil } }
    var question: Dialog<Choice>? {
      if case .question(let question) = self { question } else { nil }
    }
  }

  enum Choice: String, Codable, Sendable {
    case delete
    case recordAgain
  }

  enum Action: Codable, Equatable, Sendable {
    case appear
    case showMore
    case refresh
    case edit
    case form(MeetingForm.Action)
    case delete
    case answer(DialogAnswer<Choice>)
    case record
    // For these two actions, the path pushes a screen.
    case begin
    case open(Recording.ID)

    var form: MeetingForm.Action? { if case .form(let action) = self { action } else { nil } }
    var answer: DialogAnswer<Choice>? { if case .answer(let answer) = self { answer } else { nil } }
  }

  let meetings: SharedValue<Meetings>

  var body: some InteractorOf<Self> {
    InteractWithValues<State, Action> { state, action, values in
      switch action {
      case .appear, .showMore:
        guard let cursor = state.recordings.beginNextPage() else { return .state }
        return load(before: cursor, isRefresh: false, of: state.id, values)
      case .refresh:
        return load(before: state.recordings.beginRefresh(), isRefresh: true, of: state.id, values)
      case .edit:
        state.destination = state.meeting.map { .form(MeetingForm.State(meeting: $0)) }
      case .form(.save):
        guard let form = state.destination?.form, form.isDone else { return .state }
        // If the meeting was deleted meanwhile, the save does not add it again.
        if state.meeting != nil { state.meetings[id: state.id] = form.meeting }
        state.destination = nil
      case .form(.cancel):
        state.destination = nil
      case .delete:
        state.problem = nil
        state.destination = .question(.deletion)
      case .answer(.chosen(.delete)):
        return delete(state.id, values)
      case .record:
        guard state.isRecorded(on: values[.date](), values[.calendar]) else {
          return .action(.begin)
        }
        state.destination = .question(.secondRecording)
      case .answer(.chosen(.recordAgain)):
        return .action(.begin)
      case .form, .answer(.dismissed), .begin, .open:
        break
      }
      return .state
    }
    .sharing(\.meetings, meetings)
    .ifCase(
      \.form, of: \.destination, embed: Destination.form, action: \.form, embed: Action.form
    ) { MeetingForm() }
    .dialog(\.question, of: \.destination, action: \.answer)
  }

  /// A refresh uses the effect id of the pages, because it must cancel the load of a page of the
  /// old list.
  private func load(
    before cursor: RecordingPage.Cursor, isRefresh: Bool, of id: Meeting.ID,
    _ values: ProvidedValues
  ) -> Emission<State, Action> {
    .perform(.latest, id: "recordings") { send in
      let page = try await values[.archive].page(of: id, before: cursor, isNew: isRefresh)
      await send {
        if isRefresh {
          $0.recordings.replace(with: page.rows, next: page.next)
        } else {
          $0.recordings.append(page.rows, next: page.next)
        }
      }
    } catch: { state, error in
      state.recordings.fail(error)
    }
  }

  /// Deletes the recordings first: if that fails, the meeting still leads to them.
  private func delete(_ id: Meeting.ID, _ values: ProvidedValues) -> Emission<State, Action> {
    .perform(.first, id: "delete") { send in
      try await values[.archive].removeAll(of: id)
      await send { $0.meetings.remove(id: id) }
      await send.dismiss()
    } catch: { state, error in
      state.problem = error.localizedDescription
    }
  }
}

extension MeetingDetail.State {
  /// Whether one of the loaded recordings was made on the day of a date.
  func isRecorded(on date: Date, _ calendar: Calendar) -> Bool {
    recordings.elements.contains { calendar.isDate($0.date, inSameDayAs: date) }
  }
}

extension Dialog<MeetingDetail.Choice> {
  static var deletion: Self {
    Dialog(
      "Delete this meeting?", message: "Its recordings are deleted too.",
      buttons: [.destructive("Delete", .delete), .cancel("Keep it")])
  }
  static var secondRecording: Self {
    Dialog(
      "Record this meeting again?", message: "There is a recording of today already.",
      buttons: [.button("Record", .recordAgain), .cancel("Not now")])
  }
}
