import Causeway
import CausewayFoundation
import Foundation

/// The screen of a meeting that takes place: whose turn it is, the time, and what is said.
struct RecordMeeting: Interactor {
  struct State: Equatable, Identifiable, Sendable {
    let id: Meeting.ID
    var meetings = Meetings()
    var seconds = 0
    var transcript = ""
    var question: Dialog<Choice>?
    var isSaving = false
    /// The id of the recording, the same in each attempt to keep it.
    var recording: Recording.ID?

    var meeting: Meeting? { meetings[id: id] }
    /// The position of the attendee whose turn it is.
    var turn: Int {
      guard let meeting else { return 0 }
      return min(seconds / meeting.secondsEach, max(0, meeting.attendees.count - 1))
    }
    /// Whether the timer counts.
    var isRunning: Bool { question == nil && !isSaving }
  }

  enum Choice: String, Codable, Sendable {
    case save, discard
  }

  enum Action: Codable, Equatable, Sendable {
    case appear
    /// The answer of the person.
    case permission(Bool)
    case tick
    case next
    case end
    case answer(DialogAnswer<Choice>)
    /// The recording was saved. The path then refreshes the screen below.
    case saved

    var answer: DialogAnswer<Choice>? { if case .answer(let answer) = self { answer } else { nil } }
  }

  let meetings: SharedValue<Meetings>

  var body: some InteractorOf<Self> {
    InteractWithValues<State, Action> { state, action, values in
      switch action {
      case .appear:
        return .merge(
          .observe(values[.clock].timer(every: .seconds(1)), id: "time", send: { _ in .tick }),
          .perform(.first, id: "permission") { send in
            await send(.permission(try await values[.transcriber].isAllowed()))
          } catch: { state, _ in
            if state.isRunning { state.question = .notHeard }
          })
      case .permission(false):
        if state.isRunning { state.question = .noTranscript }
      case .permission(true):
        return .observe(values[.transcriber].transcripts(), id: "transcript") { state, transcript in
          state.transcript = transcript
        } catch: { state, _ in
          state.question = .transcriptEnded
        }
      case .tick:
        guard state.isRunning, let meeting = state.meeting, state.seconds < meeting.seconds
        else { return .state }
        state.seconds += 1
        return state.seconds == meeting.seconds ? save(&state, values) : .state
      case .next:
        guard state.isRunning, let meeting = state.meeting else { return .state }
        if state.turn + 1 < meeting.attendees.count {
          state.seconds = (state.turn + 1) * meeting.secondsEach
        } else {
          state.question = .end
        }
      case .end:
        if state.isRunning { state.question = .end }
      case .answer(.chosen(.save)):
        return save(&state, values)
      case .answer(.chosen(.discard)):
        return .stay { send in send.dismiss() }
      case .answer(.dismissed), .saved:
        break
      }
      return .state
    }
    .sharing(\.meetings, meetings)
    .dialog(\.question, action: \.answer)
  }

  /// Keeps the recording, and closes the screen when the archive has it.
  private func save(_ state: inout State, _ values: ProvidedValues) -> Emission<State, Action> {
    let recording = Recording(
      id: state.recording ?? values[.uuid](), date: values[.date](), transcript: state.transcript)
    state.recording = recording.id
    state.isSaving = true
    return .perform(.first, id: "save") { [id = state.id] send in
      try await values[.archive].keep(recording, of: id)
      await send(.saved)
      await send.dismiss()
    } catch: { state, error in
      state.isSaving = false
      state.question = .notSaved(error)
    }
  }
}

extension Dialog<RecordMeeting.Choice> {
  static var end: Self {
    Dialog(
      "End the meeting?", message: "The time stands still until you answer.",
      buttons: [
        .button("Save and end", .save), .destructive("Discard", .discard), .cancel("Go on"),
      ])
  }

  static var noTranscript: Self {
    Dialog(
      "The meeting has no transcript.",
      message: "This app may not listen. The settings change that.",
      buttons: [.destructive("Discard the meeting", .discard), .cancel("Go on without it")])
  }

  static var notHeard: Self {
    Dialog(
      "The meeting has no transcript.", message: "Nothing can be heard at the moment.",
      buttons: [.destructive("Discard the meeting", .discard), .cancel("Go on without it")])
  }

  static var transcriptEnded: Self {
    Dialog(
      "The transcript has stopped.", message: "What is said from now on is not in it.",
      buttons: [.destructive("Discard the meeting", .discard), .cancel("Go on without it")])
  }

  static func notSaved(_ error: any Error) -> Self {
    Dialog(
      "The recording was not saved.", message: error.localizedDescription,
      buttons: [
        .button("Try again", .save), .destructive("Discard", .discard), .cancel("Go back"),
      ])
  }
}
